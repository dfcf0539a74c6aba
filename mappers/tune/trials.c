#include "mappers/tune/trials.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/process/machine.h"
#include "common/process/threads.h"

enum status trials_new(struct trials *t, const struct mapper_input *in, struct err *e)
{
  *t = (struct trials){.in = in,
                       .threads = (uint32_t)threads_of(in->threads),
                       .most = INFINITY,
                       .start_s = machine_seconds(),
                       .seconds = INFINITY,
                       .hosts = mem_array((size_t)TRIALS_BATCH * in->ranks, sizeof *t->hosts, e)};
  return t->hosts == NULL ? FAIL : OK;
}

void trials_clear(struct trials *t)
{
  free(t->hosts);
}

double trials_share(const struct trials *t)
{
  return fmax(t->runs / t->most, (machine_seconds() - t->start_s) / t->seconds);
}

/* Adds a trial.  Returns its hosts, to be filled. */
static uint32_t *new_hosts(struct trials *t, uint32_t stop)
{
  struct mapper_trial *x = &t->trial[t->count];
  uint32_t *host = t->hosts + (size_t)t->count++ * t->in->ranks;
  *x = (struct mapper_trial){.host = host, .stop = stop};
  for (uint32_t k = 0; k < MAPPER_POINTS; k++)
    x->limit_s[k] = INFINITY;
  return host;
}

struct mapper_trial *trials_add(struct trials *t, const uint32_t *at, uint32_t stop)
{
  mapper_hosts(t->in, at, new_hosts(t, stop));
  return &t->trial[t->count - 1];
}

struct mapper_trial *trials_add_hosts(struct trials *t, const uint32_t *host, uint32_t stop)
{
  memcpy(new_hosts(t, stop), host, t->in->ranks * sizeof *host);
  return &t->trial[t->count - 1];
}

/* The first point that a trial did not pass, or its last one: the work up to it is counted. */
static uint32_t last_point(const struct mapper_trial *x)
{
  uint32_t k = 0;
  while (k < x->stop && x->passed_s[k] < INFINITY)
    k++;
  return k;
}

enum status trials_run(struct trials *t, struct err *e)
{
  const struct mapper_simulator *s = t->in->simulator;
  const uint32_t count = t->count;
  t->count = 0;
  if (s->run(s->data, t->trial, count, t->threads, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < count; i++)
    t->runs += mapper_share(s, last_point(&t->trial[i]));
  return OK;
}

enum status trials_blame(struct trials *t, const uint32_t *at, struct mapper_blame **blame,
                         size_t *count, struct err *e)
{
  const struct mapper_simulator *s = t->in->simulator;
  *blame = NULL;
  *count = 0;
  if (s->blame == NULL)
    return OK;
  mapper_hosts(t->in, at, t->hosts);
  t->runs += TRIALS_BLAME;
  return s->blame(s->data, t->hosts, blame, count, e);
}

double trials_time(const struct trials *t, uint32_t i)
{
  return t->trial[i].passed_s[t->trial[i].stop];
}

#include "mappers/tune/trials.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/process/machine.h"

enum status trials_new(struct trials *t, const struct mapper_input *in, struct err *e)
{
  *t = (struct trials){.in = in,
                       .threads = in->threads != 0 ? in->threads : (uint32_t)omp_get_max_threads(),
                       .most = INFINITY,
                       .start_s = machine_seconds(),
                       .seconds = INFINITY};
  for (uint32_t i = 0; i < TRIALS_BATCH; i++)
    if ((t->host[i] = mem_array(in->ranks, sizeof **t->host, e)) == NULL) {
      trials_clear(t);
      return FAIL;
    }
  return OK;
}

void trials_clear(struct trials *t)
{
  for (uint32_t i = 0; i < TRIALS_BATCH; i++)
    free(t->host[i]);
}

double trials_share(const struct trials *t)
{
  return fmax(t->runs / t->most, (machine_seconds() - t->start_s) / t->seconds);
}

static struct mapper_trial *new_trial(struct trials *t, uint32_t stop)
{
  struct mapper_trial *x = &t->trial[t->count];
  const uint32_t *host = t->host[t->count++];
  *x = (struct mapper_trial){.host = host, .stop = stop};
  for (uint32_t k = 0; k < MAPPER_POINTS; k++)
    x->limit_s[k] = INFINITY;
  return x;
}

struct mapper_trial *trials_add(struct trials *t, const uint32_t *at, uint32_t stop)
{
  uint32_t *host = t->host[t->count];
  for (uint32_t r = 0; r < t->in->ranks; r++)
    host[r] = at[r] / t->in->ranks_per_host;
  return new_trial(t, stop);
}

struct mapper_trial *trials_add_hosts(struct trials *t, const uint32_t *host, uint32_t stop)
{
  memcpy(t->host[t->count], host, t->in->ranks * sizeof *host);
  return new_trial(t, stop);
}

/* The last point of a trial.  A trial that was stopped is charged up to the next point. */
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

double trials_time(const struct trials *t, uint32_t i)
{
  return t->trial[i].passed_s[t->trial[i].stop];
}

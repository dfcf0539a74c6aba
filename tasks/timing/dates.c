#include "tasks/timing/dates.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "common/mem.h"
#include "tasks/timing/arrivals.h"
#include "tasks/timing/waiting.h"

/* --- queues ----------------------------------------------------------------------------------- */

static enum status refuse_place(const struct tasknet *n, uint32_t element, uint32_t place,
                                struct err *e)
{
  const uint32_t array = n->array_of[element];
  return err_set(e,
                 "task '%s' (element %" PRIu32 " of %" PRIu32 ") has place %" PRIu32
                 " on its host, which is taken or not below the number of elements there",
                 tasknet_name(n, array), element - n->array[array].first, n->array[array].count,
                 place);
}

enum status dates_queues(const struct tasknet *n, uint32_t hosts, const struct dates_plan *plan,
                         uint32_t *queue, uint32_t *first, struct err *e)
{
  for (uint32_t h = 0; h <= hosts; h++)
    first[h] = 0;
  for (uint32_t i = 0; i < n->elements; i++) {
    if (plan->host[i] >= hosts)
      return err_set(e, "host %" PRIu32 ", but there are %" PRIu32 " hosts", plan->host[i], hosts);
    first[plan->host[i] + 1]++;
    queue[i] = UINT32_MAX;
  }
  for (uint32_t h = 0; h < hosts; h++)
    first[h + 1] += first[h];
  for (uint32_t i = 0; i < n->elements; i++) {
    const uint32_t h = plan->host[i];
    const uint64_t at = (uint64_t)first[h] + plan->place[i];
    if (at >= first[h + 1] || queue[at] != UINT32_MAX)
      return refuse_place(n, i, plan->place[i], e);
    queue[at] = i;
  }
  return OK;
}

/* --- dates ------------------------------------------------------------------------------------ */

struct pass {
  const struct tasknet *n;
  const struct farm *m;
  const struct dates_plan *plan;
  double *start, *end;
  struct arrivals arrivals;
  uint32_t *queue, *first; /* see dates_queues() */
  struct waiting waiting;  /* an element also waits for the previous one on its host */
  uint32_t *ready, count;  /* released elements; the first ones have dates */
  double *free_at;         /* by host */
};

static void pass_clear(struct pass *p)
{
  arrivals_clear(&p->arrivals);
  free(p->queue);
  free(p->first);
  waiting_clear(&p->waiting);
  free(p->ready);
  free(p->free_at);
}

static enum status pass_new(struct pass *p, struct err *e)
{
  const struct tasknet *n = p->n;
  const struct arrivals_runs runs = {p->plan->host, p->start, p->end};
  if ((p->queue = mem_array(n->elements, sizeof *p->queue, e)) == NULL ||
      (p->first = mem_array((size_t)p->m->hosts + 1, sizeof *p->first, e)) == NULL ||
      (p->ready = mem_array(n->elements, sizeof *p->ready, e)) == NULL ||
      (p->free_at = mem_array(p->m->hosts, sizeof *p->free_at, e)) == NULL ||
      dates_queues(n, p->m->hosts, p->plan, p->queue, p->first, e) != OK ||
      waiting_new(&p->waiting, n, e) != OK || arrivals_new(&p->arrivals, n, p->m, &runs, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < n->elements; i++) {
    p->start[i] = p->end[i] = NAN;
    p->waiting.waits[i] += p->plan->place[i] > 0;
    if (p->waiting.waits[i] == 0)
      p->ready[p->count++] = i;
  }
  return OK;
}

static void released(void *pass, uint32_t element)
{
  struct pass *p = pass;
  p->ready[p->count++] = element;
}

static enum status date(struct pass *p, uint32_t element, struct err *e)
{
  const uint32_t host = p->plan->host[element];
  struct arrivals_window w;
  if (arrivals_window(&p->arrivals, element, host, p->free_at[host], &w, e) != OK)
    return FAIL;
  p->start[element] = w.start;
  p->end[element] = p->free_at[host] = w.end;
  return arrivals_tell(&p->arrivals, element, NULL, e);
}

static void go_on(struct pass *p, uint32_t element)
{
  const uint32_t host = p->plan->host[element];
  const uint32_t next = p->first[host] + p->plan->place[element] + 1;
  if (next < p->first[host + 1])
    waiting_release(&p->waiting, p->queue[next], released, p);
  waiting_done(&p->waiting, element, released, p);
}

static enum status refuse_wait(const struct pass *p, struct err *e)
{
  uint32_t i = 0;
  while (p->waiting.waits[i] == 0)
    i++;
  const uint32_t array = p->n->array_of[i];
  return err_set(e,
                 "task '%s' (element %" PRIu32 " of %" PRIu32
                 ") can never start: it waits for elements after it in the order of its host",
                 tasknet_name(p->n, array), i - p->n->array[array].first, p->n->array[array].count);
}

static enum status run(struct pass *p, struct err *e)
{
  uint32_t done = 0;
  for (; done < p->count; done++) {
    if (date(p, p->ready[done], e) != OK)
      return FAIL;
    go_on(p, p->ready[done]);
  }
  return done == p->n->elements ? OK : refuse_wait(p, e);
}

enum status dates_compute(const struct tasknet *n, const struct farm *m,
                          const struct dates_plan *plan, double *start, double *end, struct err *e)
{
  struct pass p = {.n = n, .m = m, .plan = plan, .start = start, .end = end};
  const enum status s = pass_new(&p, e) == OK ? run(&p, e) : FAIL;
  pass_clear(&p);
  return s;
}

#include "sim/tasknet/abstract.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "common/heap.h"
#include "common/mem.h"
#include "tasks/timing/arrivals.h"
#include "tasks/timing/waiting.h"

#define NOTHING UINT32_MAX

/* An element that has come first on its host, and may start when the first output of a lane is
 * there: it is told of that until it starts. */
struct watcher {
  uint32_t element;
  uint32_t next; /* of the lane, plus 1 */
};

struct host {
  uint32_t first;   /* element that is next; NOTHING */
  uint32_t count;   /* elements that have not begun */
  uint32_t running; /* or NOTHING */
};

struct executing {
  const struct abstract_input *in;
  struct abstract_run *run;
  double now;
  struct heap events; /* by host: `running` ends, or else `first` starts; hosts + host: it steals */
  struct host *host;
  uint32_t *next; /* by element: the next one on its host */
  bool *watching; /* by element: has it been among the watchers? */
  struct waiting waiting;
  struct arrivals arrivals;
  struct watcher *watcher;
  size_t watchers, watcher_room;
  uint32_t *watched; /* by lane: the first of its watchers, plus 1 */
  uint32_t done;

  struct steal_rich rich;
  struct steal_groups groups; /* if the policy needs them */
  struct rng rng;
  uint32_t *loot; /* elements of a victim */
  bool *taken;    /* by place in `loot` */

  enum status failed; /* of a callback */
  struct err *e;
};

void abstract_clear(struct abstract_run *r)
{
  free(r->host);
  free(r->start);
  free(r->end);
  *r = (struct abstract_run){0};
}

/* --- begin ------------------------------------------------------------------------------------ */

static void executing_clear(struct executing *x)
{
  heap_clear(&x->events);
  free(x->host);
  free(x->next);
  free(x->watching);
  waiting_clear(&x->waiting);
  arrivals_clear(&x->arrivals);
  free(x->watcher);
  free(x->watched);
  steal_rich_clear(&x->rich);
  steal_groups_clear(&x->groups);
  free(x->loot);
  free(x->taken);
}

static enum status new_run(struct abstract_run *r, uint32_t elements, struct err *e)
{
  return (r->host = mem_array(elements, sizeof *r->host, e)) == NULL ||
                 (r->start = mem_array(elements, sizeof *r->start, e)) == NULL ||
                 (r->end = mem_array(elements, sizeof *r->end, e)) == NULL
             ? FAIL
             : OK;
}

static enum status new_arrays(struct executing *x)
{
  const struct tasknet *n = x->in->net;
  const uint32_t hosts = x->in->farm->hosts;
  struct err *e = x->e;
  const struct arrivals_runs runs = {x->run->host, x->run->start, x->run->end};
  if ((x->host = mem_array(hosts, sizeof *x->host, e)) == NULL ||
      (x->next = mem_array(n->elements, sizeof *x->next, e)) == NULL ||
      (x->watching = mem_array(n->elements, sizeof *x->watching, e)) == NULL ||
      (x->watched = mem_array(n->lanes, sizeof *x->watched, e)) == NULL ||
      (x->loot = mem_array(n->elements, sizeof *x->loot, e)) == NULL ||
      (x->taken = mem_array(n->elements, sizeof *x->taken, e)) == NULL ||
      heap_reserve(&x->events, 2 * hosts, e) != OK || waiting_new(&x->waiting, n, e) != OK ||
      arrivals_new(&x->arrivals, n, x->in->farm, &runs, e) != OK ||
      steal_rich_new(&x->rich, x->in->cluster, hosts, e) != OK)
    return FAIL;
  return x->in->steal->together ? steal_groups_new(&x->groups, n, e) : OK;
}

/* Chains the elements of each host, which are in x->loot for a moment. */
static enum status fill_hosts(struct executing *x)
{
  const struct tasknet *n = x->in->net;
  const uint32_t hosts = x->in->farm->hosts;
  uint32_t *first = mem_array((size_t)hosts + 1, sizeof *first, x->e);
  if (first == NULL)
    return FAIL;
  const enum status s = dates_queues(n, hosts, x->in->plan, x->loot, first, x->e);
  for (uint32_t h = 0; s == OK && h < hosts; h++) {
    const uint32_t from = first[h], to = first[h + 1];
    x->host[h] = (struct host){from < to ? x->loot[from] : NOTHING, to - from, NOTHING};
    for (uint32_t i = from; i < to; i++)
      x->next[x->loot[i]] = i + 1 < to ? x->loot[i + 1] : NOTHING;
    steal_rich_set(&x->rich, h, to - from >= 2);
  }
  free(first);
  return s;
}

/* --- starts ----------------------------------------------------------------------------------- */

static bool reads_late(const struct executing *x, uint32_t element)
{
  return tasknet_reads_late(x->in->net->array[x->in->net->array_of[element]].pattern);
}

static enum status watch(struct executing *x, uint32_t element, uint32_t lane)
{
  if (MEM_GROW(x->watcher, x->watcher_room, x->watchers + 1, x->e) != OK)
    return FAIL;
  x->watcher[x->watchers] = (struct watcher){element, x->watched[lane]};
  x->watched[lane] = (uint32_t)++x->watchers;
  return OK;
}

/* When an element of pattern B or D may start; INFINITY: nobody knows yet. */
static enum status first_input(struct executing *x, uint32_t element, uint32_t host, double *out)
{
  const struct tasknet *n = x->in->net;
  const uint32_t array = n->array_of[element], k = element - n->array[array].first;
  *out = 0;
  for (size_t i = 0; i < tasknet_inputs(n, array); i++) {
    const struct tasknet_end *end = tasknet_input(n, array, i);
    const uint32_t lane = tasknet_lane(n, end, k);
    double first;
    if (arrivals_first(&x->arrivals, end, lane, host, &first, x->e) != OK ||
        (!x->watching[element] && watch(x, element, lane) != OK))
      return FAIL;
    *out = fmax(*out, first);
  }
  x->watching[element] = true;
  return OK;
}

/* A host that runs nothing looks at what is next. */
static enum status consider(struct executing *x, uint32_t h)
{
  const uint32_t element = x->host[h].first;
  struct arrivals_window w = {INFINITY, 0};
  if (element == NOTHING) {
    if (x->in->steal->steals)
      heap_set_key(&x->events, x->in->farm->hosts + h, x->now);
    return OK;
  }
  if (reads_late(x, element)) {
    if (first_input(x, element, h, &w.start) != OK)
      return FAIL;
  } else if (x->waiting.waits[element] == 0 &&
             arrivals_window(&x->arrivals, element, h, x->now, &w, x->e) != OK)
    return FAIL;
  if (isinf(w.start))
    heap_remove(&x->events, h);
  else
    heap_set_key(&x->events, h, fmax(w.start, x->now));
  return OK;
}

/* Tells what watches a lane that its first output may come sooner; forgets what has started. */
static enum status tell_watchers(struct executing *x, uint32_t lane)
{
  uint32_t *link = &x->watched[lane];
  while (*link != 0) {
    const struct watcher w = x->watcher[*link - 1];
    const uint32_t h = x->run->host[w.element];
    if (!isnan(x->run->start[w.element])) {
      *link = w.next;
      continue;
    }
    if (x->host[h].running == NOTHING && x->host[h].first == w.element && consider(x, h) != OK)
      return FAIL;
    link = &x->watcher[*link - 1].next;
  }
  return OK;
}

static enum status tell(struct executing *x, uint32_t element)
{
  const struct tasknet *n = x->in->net;
  const uint32_t array = n->array_of[element], k = element - n->array[array].first;
  bool sooner;
  if (arrivals_tell(&x->arrivals, element, &sooner, x->e) != OK)
    return FAIL;
  for (size_t i = 0; sooner && i < tasknet_outputs(n, array); i++)
    if (tell_watchers(x, tasknet_lane(n, tasknet_output(n, array, i), k)) != OK)
      return FAIL;
  return OK;
}

/* All input of a running element is on its way: its end is known. */
static enum status set_end(struct executing *x, uint32_t element)
{
  const uint32_t h = x->run->host[element];
  struct arrivals_window w;
  if (arrivals_window(&x->arrivals, element, h, x->run->start[element], &w, x->e) != OK)
    return FAIL;
  x->run->end[element] = w.end;
  heap_set_key(&x->events, h, w.end);
  return OK;
}

static enum status start(struct executing *x, uint32_t h)
{
  struct host *host = &x->host[h];
  const uint32_t element = host->first;
  host->first = x->next[element];
  host->running = element;
  steal_rich_set(&x->rich, h, --host->count >= 2);
  x->run->start[element] = x->now;
  heap_remove(&x->events, h);
  if (x->waiting.waits[element] == 0 && set_end(x, element) != OK)
    return FAIL;
  return tell(x, element);
}

/* --- ends ------------------------------------------------------------------------------------- */

/* The last producer of all that an element reads has ended. */
static void released(void *executing, uint32_t element)
{
  struct executing *x = executing;
  const uint32_t h = x->run->host[element];
  if (x->failed != OK)
    return;
  if (x->host[h].running == element) {
    if (set_end(x, element) != OK || tell(x, element) != OK)
      x->failed = FAIL;
  } else if (x->host[h].running == NOTHING && x->host[h].first == element)
    x->failed = consider(x, h);
}

static enum status end(struct executing *x, uint32_t h)
{
  const uint32_t element = x->host[h].running;
  heap_remove(&x->events, h);
  x->host[h].running = NOTHING;
  x->run->makespan_s = x->now;
  x->done++;
  waiting_done(&x->waiting, element, released, x);
  return x->failed == OK ? consider(x, h) : FAIL;
}

/* --- thieves ---------------------------------------------------------------------------------- */

/* Gives the marked elements of x->loot to the thief and the others back, both in their order. */
static void divide(struct executing *x, uint32_t victim, uint32_t thief, uint32_t count)
{
  uint32_t *link[2] = {&x->host[victim].first, &x->host[thief].first};
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t element = x->loot[i];
    *link[x->taken[i]] = element;
    link[x->taken[i]] = &x->next[element];
    if (x->taken[i])
      x->run->host[element] = thief;
  }
  *link[0] = *link[1] = NOTHING;
}

static enum status steal(struct executing *x, uint32_t thief)
{
  uint32_t victim, count = 0;
  heap_remove(&x->events, x->in->farm->hosts + thief);
  if (!steal_rich_draw(&x->rich, x->in->steal, thief, &x->rng, &victim))
    return OK;
  const uint32_t first = x->host[victim].first;
  for (uint32_t i = first; i != NOTHING; i = x->next[i])
    x->loot[count++] = i;
  const uint32_t taken = steal_choose(x->in->steal->together ? &x->groups : NULL, x->in->net,
                                      x->loot, count, x->taken);
  divide(x, victim, thief, count);
  x->host[victim].count -= taken;
  x->host[thief].count = taken;
  steal_rich_set(&x->rich, victim, x->host[victim].count >= 2);
  steal_rich_set(&x->rich, thief, taken >= 2);
  x->run->steals++;
  x->run->stolen += taken;
  if (x->host[victim].running == NOTHING && x->host[victim].first != first &&
      consider(x, victim) != OK)
    return FAIL;
  return consider(x, thief);
}

/* --- main loop -------------------------------------------------------------------------------- */

static enum status begin(struct executing *x)
{
  const struct tasknet *n = x->in->net;
  x->rng = rng_new(x->in->seed, 0);
  if (new_run(x->run, n->elements, x->e) != OK || new_arrays(x) != OK || fill_hosts(x) != OK)
    return FAIL;
  for (uint32_t i = 0; i < n->elements; i++) {
    x->run->host[i] = x->in->plan->host[i];
    x->run->start[i] = x->run->end[i] = NAN;
  }
  for (uint32_t h = 0; h < x->in->farm->hosts; h++)
    if (consider(x, h) != OK)
      return FAIL;
  return OK;
}

static enum status step(struct executing *x)
{
  const uint32_t hosts = x->in->farm->hosts, item = heap_first(&x->events);
  x->now = heap_first_key(&x->events);
  if (item >= hosts)
    return steal(x, item - hosts);
  return x->host[item].running == NOTHING ? start(x, item) : end(x, item);
}

enum status abstract_execute(const struct abstract_input *in, struct abstract_run *out,
                             struct err *e)
{
  struct abstract_run run = {0};
  struct executing x = {.in = in, .run = &run, .e = e};
  enum status s = begin(&x);
  while (s == OK && heap_count(&x.events) > 0)
    s = step(&x);
  if (s == OK && x.done < in->net->elements)
    s = err_set(e, "%" PRIu32 " of %" PRIu32 " elements never start: hosts wait for each other",
                in->net->elements - x.done, in->net->elements);
  executing_clear(&x);
  if (s == OK)
    *out = run;
  else
    abstract_clear(&run);
  return s;
}

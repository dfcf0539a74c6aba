#include "sim/tasknet/abstract.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "common/containers/heap.h"
#include "common/mem.h"
#include "sim/tasknet/queues.h"
#include "tasks/timing/arrivals.h"
#include "tasks/timing/waiting.h"

/* An element, the first in the queue of its host, that may start when the first output of a lane
 * arrives.  It is considered again when that date changes, until it starts. */
struct watcher {
  uint32_t element;
  uint32_t next; /* next watcher of the lane, plus 1 */
};

struct executing {
  const struct abstract_input *in;
  struct abstract_run *run;
  double now;
  struct heap events; /* h: host h ends `running`, or starts `first`; hosts + h: host h steals */
  struct queues queues;
  bool *watching; /* it is or was a watcher */
  struct waiting waiting;
  struct arrivals arrivals;
  struct watcher *watcher;
  size_t watchers, watcher_room;
  uint32_t *watched; /* by lane: its first watcher, plus 1 */
  uint32_t done;
  enum status failed; /* status of a callback */
  struct err *e;
};

enum status abstract_new(struct abstract_run *r, uint32_t elements, struct err *e)
{
  return (r->host = mem_array(elements, sizeof *r->host, e)) == NULL ||
                 (r->start = mem_array(elements, sizeof *r->start, e)) == NULL ||
                 (r->end = mem_array(elements, sizeof *r->end, e)) == NULL
             ? FAIL
             : OK;
}

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
  queues_clear(&x->queues);
  free(x->watching);
  waiting_clear(&x->waiting);
  arrivals_clear(&x->arrivals);
  free(x->watcher);
  free(x->watched);
}

static enum status new_arrays(struct executing *x)
{
  const struct tasknet *n = x->in->net;
  const uint32_t hosts = x->in->farm->hosts;
  struct err *e = x->e;
  const struct arrivals_runs runs = {x->run->host, x->run->start, x->run->end};
  if ((x->watching = mem_array(n->elements, sizeof *x->watching, e)) == NULL ||
      (x->watched = mem_array(n->lanes, sizeof *x->watched, e)) == NULL ||
      heap_reserve(&x->events, 2 * hosts, e) != OK || waiting_new(&x->waiting, n, e) != OK ||
      arrivals_new(&x->arrivals, n, x->in->farm, &runs, e) != OK)
    return FAIL;
  return OK;
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

/* Date when an element of pattern B or D may start; INFINITY if not yet known. */
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

/* Lets a host that runs nothing examine its next element. */
static enum status consider(struct executing *x, uint32_t h)
{
  const uint32_t element = x->queues.host[h].first;
  struct arrivals_window w = {INFINITY, 0};
  if (element == QUEUES_NOTHING) {
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

/* Reconsiders the elements that watch a lane, as its first output may come sooner now.  Drops
 * elements that have started. */
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
    if (x->queues.host[h].running == QUEUES_NOTHING && x->queues.host[h].first == w.element &&
        consider(x, h) != OK)
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

/* Sets the end of a running element, all of whose input is on its way. */
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
  const uint32_t element = queues_begin(&x->queues, h);
  x->run->start[element] = x->now;
  heap_remove(&x->events, h);
  if (x->waiting.waits[element] == 0 && set_end(x, element) != OK)
    return FAIL;
  return tell(x, element);
}

/* --- ends ------------------------------------------------------------------------------------- */

/* The last producer of an element's input has ended. */
static void released(void *executing, uint32_t element)
{
  struct executing *x = executing;
  const uint32_t h = x->run->host[element];
  if (x->failed != OK)
    return;
  if (x->queues.host[h].running == element) {
    if (set_end(x, element) != OK || tell(x, element) != OK)
      x->failed = FAIL;
  } else if (x->queues.host[h].running == QUEUES_NOTHING && x->queues.host[h].first == element)
    x->failed = consider(x, h);
}

static enum status end(struct executing *x, uint32_t h)
{
  const uint32_t element = x->queues.host[h].running;
  heap_remove(&x->events, h);
  x->queues.host[h].running = QUEUES_NOTHING;
  x->run->makespan_s = x->now;
  x->done++;
  waiting_done(&x->waiting, element, released, x);
  return x->failed == OK ? consider(x, h) : FAIL;
}

/* --- thieves ---------------------------------------------------------------------------------- */

static enum status steal(struct executing *x, uint32_t thief)
{
  struct queues_theft theft;
  heap_remove(&x->events, x->in->farm->hosts + thief);
  if (!queues_steal(&x->queues, thief, &theft))
    return OK;
  x->run->steals++;
  x->run->stolen += theft.taken;
  const struct queues_host *victim = &x->queues.host[theft.victim];
  if (victim->running == QUEUES_NOTHING && victim->first != x->queues.loot[0] &&
      consider(x, theft.victim) != OK)
    return FAIL;
  return consider(x, thief);
}

/* --- main loop -------------------------------------------------------------------------------- */

static enum status begin(struct executing *x)
{
  const struct tasknet *n = x->in->net;
  const struct queues_input queues = {
      n, x->in->plan, x->in->cluster, x->in->steal, x->in->farm->hosts, x->in->seed};
  if (abstract_new(x->run, n->elements, x->e) != OK || new_arrays(x) != OK ||
      queues_new(&x->queues, &queues, x->run->host, x->e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < n->elements; i++)
    x->run->start[i] = x->run->end[i] = NAN;
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
  return x->queues.host[item].running == QUEUES_NOTHING ? start(x, item) : end(x, item);
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

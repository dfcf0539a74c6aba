#include "tasks/timing/arrivals.h"

#include <math.h>
#include <stdlib.h>

#include "common/mem.h"
#include "tasks/timing/producers.h"

/* Number of pairs of a producer and a host of a lane above which the hosts of a class share their
 * losses. */
#define MOST_APART (UINT64_C(1) << 24)

/* The arrivals of a lane at a receiver: a host, or a class whose hosts receive everything at the
 * same time (numbered after the hosts).  A producer sends nothing to its own host, so the latest
 * arrival and the latest from any other host are stored. */
struct arrivals_entry {
  uint32_t receiver;
  uint32_t next; /* next entry of the lane, plus 1 */
  bool has_first, has_all;
  double first;
  double all, second;
  uint32_t source; /* of `all` */
};

void arrivals_clear(struct arrivals *a)
{
  free(a->early);
  free(a->apart);
  free(a->entry);
  free(a->newest);
  pairs_clear(&a->wide);
  pairs_clear(&a->own);
  *a = (struct arrivals){0};
}

/* True if each host of a class draws its own losses. */
static bool draws_apart(const struct tasknet *n, const struct farm *m, uint32_t stream)
{
  const struct tasknet_stream *s = &n->stream[stream];
  uint64_t producers = 0;
  for (uint32_t i = 0; i < s->producers; i++)
    producers += n->array[n->producer[s->from + i].array].count / s->width;
  return farm_loses(m) && producers * m->hosts <= MOST_APART;
}

enum status arrivals_new(struct arrivals *a, const struct tasknet *n, const struct farm *m,
                         const struct arrivals_runs *runs, struct err *e)
{
  struct arrivals made = {.n = n, .m = m, .runs = *runs};
  if ((made.early = mem_array(n->streams, sizeof *made.early, e)) == NULL ||
      (made.apart = mem_array(n->streams, sizeof *made.apart, e)) == NULL ||
      (made.newest = mem_array(n->lanes, sizeof *made.newest, e)) == NULL) {
    arrivals_clear(&made);
    return FAIL;
  }
  for (uint32_t i = 0; i < n->consumers; i++)
    if (tasknet_reads_late(n->array[n->consumer[i].array].pattern))
      made.early[n->consumer[i].stream] = true;
  for (uint32_t i = 0; i < n->streams; i++)
    made.apart[i] = draws_apart(n, m, i);
  *a = made;
  return OK;
}

/* --- one producer ----------------------------------------------------------------------------- */

/* Size of the parts that an element sends to a lane, and times at which its first and last part are
 * ready. */
struct sending {
  double part, first, last;
  uint32_t from;   /* class of its host */
  uint64_t number; /* of the element and the lane */
  bool several;    /* the last part is not the first */
};

enum part { FIRST, LAST };

static struct sending sending_of(const struct arrivals *a, const struct tasknet_end *end,
                                 uint32_t lane, uint32_t element)
{
  const struct tasknet_array *array = &a->n->array[end->array];
  const struct tasknet_cost *c = tasknet_cost_of(a->n, end->array, element - array->first);
  const double volume = tasknet_volume(a->n, end, element - array->first);
  const uint32_t class = a->m->class_of[a->runs.host[element]];
  struct sending x = {.part = volume,
                      .first = a->runs.end[element],
                      .last = a->runs.end[element],
                      .from = class,
                      .number = (uint64_t)element << 32 | lane};
  if (tasknet_writes_early(array->pattern)) {
    x.part = volume / c->loops;
    x.several = c->loops > 1;
    x.first = a->runs.start[element] + farm_seconds(a->m, element, c->compute, class) / c->loops;
  }
  return x;
}

/* The time at which a part arrives.  Each part is a communication of its own with each receiver. */
static double arrival(const struct arrivals *a, const struct sending *x, enum part part,
                      uint32_t receiver)
{
  const uint32_t hosts = a->m->hosts;
  const uint32_t class = receiver < hosts ? a->m->class_of[receiver] : receiver - hosts;
  const uint64_t nth = 2 * (uint64_t)receiver + (part == LAST && x->several);
  return (part == FIRST ? x->first : x->last) +
         farm_transfer(a->m, x->part, x->from, class,
                       x->number * UINT64_C(0x9e3779b97f4a7c15) + nth);
}

/* --- lanes of many producers --- */

static uint32_t receiver_of(const struct arrivals *a, uint32_t stream, uint32_t host)
{
  return a->apart[stream] ? host : a->m->hosts + a->m->class_of[host];
}

static enum status entry_of(struct arrivals *a, uint32_t lane, uint32_t receiver,
                            struct arrivals_entry **out, struct err *e)
{
  const uint32_t before = a->wide.count;
  uint32_t number;
  if (pairs_add(&a->wide, lane, receiver, &number, e) != OK ||
      MEM_GROW(a->entry, a->entry_room, a->wide.count, e) != OK)
    return FAIL;
  *out = &a->entry[number];
  if (number == before) {
    **out = (struct arrivals_entry){.receiver = receiver, .next = a->newest[lane]};
    a->newest[lane] = number + 1;
  }
  return OK;
}

static void find_all(const struct arrivals *a, uint32_t stream, uint32_t lane,
                     struct arrivals_entry *x)
{
  struct producers p = producers_of(a->n, stream, lane);
  const struct tasknet_end *end;
  uint32_t element;
  x->has_all = true;
  x->all = x->second = 0;
  x->source = UINT32_MAX;
  while ((end = producers_next(&p, &element)) != NULL) {
    const struct sending s = sending_of(a, end, lane, element);
    const double at = arrival(a, &s, LAST, x->receiver);
    const uint32_t host = a->runs.host[element];
    if (at > x->all || (at == 0 && x->source == UINT32_MAX)) {
      x->second = host == x->source ? x->second : x->all;
      x->all = at;
      x->source = host;
    } else if (host != x->source)
      x->second = fmax(x->second, at);
  }
}

/* The first arrival at a receiver from the producers whose start is known; 0 if one of them is on
 * @p own. */
static double first_at(const struct arrivals *a, uint32_t stream, uint32_t lane, uint32_t receiver,
                       uint32_t own)
{
  struct producers p = producers_of(a->n, stream, lane);
  const struct tasknet_end *end;
  uint32_t element;
  double first = INFINITY;
  while ((end = producers_next(&p, &element)) != NULL) {
    if (isnan(a->runs.start[element]))
      continue;
    if (a->runs.host[element] == own)
      return 0;
    const struct sending s = sending_of(a, end, lane, element);
    first = fmin(first, arrival(a, &s, FIRST, receiver));
  }
  return first;
}

/* Updates the entries of a lane.  True if an entry became earlier. */
static bool offer(struct arrivals *a, const struct tasknet_end *end, uint32_t lane,
                  uint32_t element)
{
  const struct sending s = sending_of(a, end, lane, element);
  bool sooner = false;
  for (uint32_t i = a->newest[lane]; i != 0; i = a->entry[i - 1].next) {
    struct arrivals_entry *x = &a->entry[i - 1];
    const double at = x->has_first ? arrival(a, &s, FIRST, x->receiver) : INFINITY;
    if (at < x->first) {
      x->first = at;
      sooner = true;
    }
  }
  return sooner;
}

enum status arrivals_tell(struct arrivals *a, uint32_t element, bool *sooner, struct err *e)
{
  const uint32_t array = a->n->array_of[element];
  uint32_t unused;
  bool any = false;
  for (size_t i = 0; i < tasknet_outputs(a->n, array); i++) {
    const struct tasknet_end *end = tasknet_output(a->n, array, i);
    const uint32_t lane = tasknet_lane(a->n, end, element - a->n->array[array].first);
    if (!a->early[end->stream])
      continue;
    if (!producers_are_many(a->n, end->stream))
      any = true;
    else if (pairs_add(&a->own, lane, a->runs.host[element], &unused, e) != OK)
      return FAIL;
    else
      any = offer(a, end, lane, element) || any;
  }
  if (sooner != NULL)
    *sooner = any;
  return OK;
}

/* --- queries ---------------------------------------------------------------------------------- */

static double all_of_few(const struct arrivals *a, uint32_t stream, uint32_t lane, uint32_t host)
{
  struct producers p = producers_of(a->n, stream, lane);
  const struct tasknet_end *end;
  uint32_t element;
  const uint32_t receiver = receiver_of(a, stream, host);
  double all = 0;
  while ((end = producers_next(&p, &element)) != NULL) {
    const struct sending s = sending_of(a, end, lane, element);
    if (a->runs.host[element] != host)
      all = fmax(all, arrival(a, &s, LAST, receiver));
  }
  return all;
}

enum status arrivals_all(struct arrivals *a, const struct tasknet_end *end, uint32_t lane,
                         uint32_t host, double *out, struct err *e)
{
  struct arrivals_entry *x;
  if (a->plain || !producers_are_many(a->n, end->stream)) {
    *out = all_of_few(a, end->stream, lane, host);
    return OK;
  }
  if (entry_of(a, lane, receiver_of(a, end->stream, host), &x, e) != OK)
    return FAIL;
  if (!x->has_all)
    find_all(a, end->stream, lane, x);
  *out = x->source == host ? x->second : x->all;
  return OK;
}

enum status arrivals_first(struct arrivals *a, const struct tasknet_end *end, uint32_t lane,
                           uint32_t host, double *out, struct err *e)
{
  struct arrivals_entry *x;
  if (a->plain || !producers_are_many(a->n, end->stream)) {
    *out = first_at(a, end->stream, lane, receiver_of(a, end->stream, host), host);
    return OK;
  }
  if (pairs_find(&a->own, lane, host) != PAIRS_NONE) {
    *out = 0;
    return OK;
  }
  if (entry_of(a, lane, receiver_of(a, end->stream, host), &x, e) != OK)
    return FAIL;
  if (!x->has_first)
    x->first = first_at(a, end->stream, lane, x->receiver, UINT32_MAX);
  x->has_first = true;
  *out = x->first;
  return OK;
}

enum status arrivals_window(struct arrivals *a, uint32_t element, uint32_t host, double free_at,
                            struct arrivals_window *out, struct err *e)
{
  const struct tasknet *n = a->n;
  const uint32_t array = n->array_of[element], k = element - n->array[array].first;
  const struct tasknet_cost *c = tasknet_cost_of(n, array, k);
  const bool late = tasknet_reads_late(n->array[array].pattern);
  const double takes = farm_seconds(a->m, element, c->compute, a->m->class_of[host]);
  double start = free_at, last = 0;
  for (size_t i = 0; i < tasknet_inputs(n, array); i++) {
    const struct tasknet_end *end = tasknet_input(n, array, i);
    const uint32_t lane = tasknet_lane(n, end, k);
    double all, first;
    if (arrivals_all(a, end, lane, host, &all, e) != OK)
      return FAIL;
    last = fmax(last, all);
    if (late && arrivals_first(a, end, lane, host, &first, e) != OK)
      return FAIL;
    start = fmax(start, late ? first : all);
  }
  *out = (struct arrivals_window){start, late ? fmax(start + takes, last + takes / c->loops)
                                              : start + takes};
  return OK;
}

enum status arrivals_source(struct arrivals *a, const struct tasknet_end *end, uint32_t lane,
                            uint32_t host, uint32_t *source, struct err *e)
{
  struct arrivals_entry *x;
  if (entry_of(a, lane, receiver_of(a, end->stream, host), &x, e) != OK)
    return FAIL;
  if (!x->has_all)
    find_all(a, end->stream, lane, x);
  *source = x->source;
  return OK;
}

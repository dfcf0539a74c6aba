#include "mappers/schedule/eft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/containers/search.h"
#include "common/mem.h"
#include "common/numeric/rising.h"
#include "tasks/timing/producers.h"

struct slot {
  double start, end;
};

/* The elements of a host, sorted by start. */
struct eft_slots {
  struct slot *slot;
  size_t room;
  uint32_t count;
};

void eft_clear(struct eft *t)
{
  for (uint32_t h = 0; h < t->in->farm->hosts; h++)
    free(t->slots[h].slot);
  for (uint32_t l = 0; l < t->in->net->lanes; l++)
    free(t->lane[l]);
}

static void count_uses(struct eft *t)
{
  const struct tasknet *n = t->in->net;
  for (uint32_t i = 0; i < n->consumers; i++) {
    const struct tasknet_end *end = &n->consumer[i];
    const struct tasknet_stream *s = &n->stream[end->stream];
    for (uint32_t l = 0; l < s->width; l++)
      t->uses[s->first_lane + l] += n->array[end->array].count / s->width;
  }
}

enum status eft_new(struct eft *t, const struct scheduler_input *in, uint32_t *host,
                    struct arena *mem)
{
  const struct tasknet *n = in->net;
  const struct farm *m = in->farm;
  *t = (struct eft){.in = in,
                    .host = host,
                    .start = arena_array(mem, n->elements, sizeof *t->start),
                    .finish = arena_array(mem, n->elements, sizeof *t->finish),
                    .slots = arena_array(mem, m->hosts, sizeof *t->slots),
                    .ready = arena_array(mem, m->hosts, sizeof *t->ready),
                    .second = arena_array(mem, 3 * (size_t)m->classes, sizeof *t->second),
                    .lane = arena_array(mem, n->lanes, sizeof *t->lane),
                    .uses = arena_array(mem, n->lanes, sizeof *t->uses)};
  if (arena_status(mem) == OK)
    count_uses(t);
  return arena_status(mem);
}

/* --- data ------------------------------------------------------------------------------------- */

static double volume_of(const struct eft *t, const struct tasknet_end *end, uint32_t element)
{
  return tasknet_volume(t->in->net, end, element - t->in->net->array[end->array].first);
}

/* Arrival at a host of class @p to of data sent at @p date from a host of class @p from. */
static double arrival(const struct eft *t, double date, double volume, uint32_t from, uint32_t to)
{
  const struct farm *m = t->in->farm;
  return date + volume / m->bandwidth[(size_t)from * m->classes + to];
}

/* Adds one producer to the arrivals @p at by host. */
static void add_producer(const struct eft *t, const struct tasknet_end *end, uint32_t element,
                         double *at)
{
  const struct farm *m = t->in->farm;
  const double finish = t->finish[element], volume = volume_of(t, end, element);
  const uint32_t home = t->host[element];
  for (uint32_t c = 0; c < m->classes; c++)
    t->second[c] = arrival(t, finish, volume, m->class_of[home], c);
  for (uint32_t h = 0; h < m->hosts; h++)
    at[h] = fmax(at[h], h == home ? finish : t->second[m->class_of[h]]);
}

/* Adds many producers to the arrivals @p at by host.  Keeps, for each class, the latest arrival,
 * its source, and the latest arrival from any other host, because data from a host's own producers
 * needs no transfer. */
static void add_many(const struct eft *t, uint32_t stream, uint32_t lane, double *at)
{
  const struct farm *m = t->in->farm;
  double *first = t->second, *second = first + m->classes, *source = second + m->classes;
  struct producers p = producers_of(t->in->net, stream, lane);
  const struct tasknet_end *end;
  for (uint32_t c = 0; c < m->classes; c++)
    first[c] = second[c] = source[c] = -1;
  for (uint32_t element; (end = producers_next(&p, &element)) != NULL;) {
    const uint32_t home = t->host[element];
    const double volume = volume_of(t, end, element);
    at[home] = fmax(at[home], t->finish[element]);
    for (uint32_t c = 0; c < m->classes; c++) {
      const double x = arrival(t, t->finish[element], volume, m->class_of[home], c);
      if (x > first[c]) {
        second[c] = source[c] == home ? second[c] : first[c];
        first[c] = x;
        source[c] = home;
      } else if (source[c] != home)
        second[c] = fmax(second[c], x);
    }
  }
  for (uint32_t h = 0; h < m->hosts; h++) {
    const uint32_t c = m->class_of[h];
    at[h] = fmax(at[h], source[c] == h ? second[c] : first[c]);
  }
}

static enum status add_lane(struct eft *t, uint32_t stream, uint32_t lane, struct err *e)
{
  const uint32_t hosts = t->in->farm->hosts;
  if (!producers_are_many(t->in->net, stream)) {
    struct producers p = producers_of(t->in->net, stream, lane);
    const struct tasknet_end *end;
    for (uint32_t element; (end = producers_next(&p, &element)) != NULL;)
      add_producer(t, end, element, t->ready);
    return OK;
  }
  if (t->lane[lane] == NULL) {
    if ((t->lane[lane] = mem_array(hosts, sizeof *t->lane[lane], e)) == NULL)
      return FAIL;
    add_many(t, stream, lane, t->lane[lane]);
  }
  for (uint32_t h = 0; h < hosts; h++)
    t->ready[h] = fmax(t->ready[h], t->lane[lane][h]);
  if (--t->uses[lane] == 0) {
    free(t->lane[lane]);
    t->lane[lane] = NULL;
  }
  return OK;
}

static enum status find_ready(struct eft *t, uint32_t element, struct err *e)
{
  const struct tasknet *n = t->in->net;
  const uint32_t array = n->array_of[element], k = element - n->array[array].first;
  memset(t->ready, 0, t->in->farm->hosts * sizeof *t->ready);
  for (size_t i = 0; i < tasknet_inputs(n, array); i++) {
    const struct tasknet_end *end = tasknet_input(n, array, i);
    if (add_lane(t, end->stream, tasknet_lane(n, end, k), e) != OK)
      return FAIL;
  }
  return OK;
}

/* --- gaps ------------------------------------------------------------------------------------- */

struct dated {
  const struct eft_slots *slots;
  double date;
};

static bool ends_by(const void *key, size_t i)
{
  const struct dated *d = key;
  return d->slots->slot[i].end <= d->date;
}

/* The first slot that ends after a date. */
static uint32_t slot_after(const struct eft_slots *s, double date)
{
  const struct dated d = {s, date};
  return (uint32_t)search(0, s->count, ends_by, &d);
}

/* The earliest start, not before @p ready, of a task that takes @p takes seconds.  Sets *at to the
 * index of the slot after it. */
static double first_gap(const struct eft_slots *s, double ready, double takes, uint32_t *at)
{
  double start = ready;
  uint32_t i = slot_after(s, ready);
  for (; i < s->count && start + takes > s->slot[i].start; i++)
    start = fmax(start, s->slot[i].end);
  *at = i;
  return start;
}

static enum status occupy(struct eft_slots *s, uint32_t at, struct slot x, struct err *e)
{
  if (MEM_GROW(s->slot, s->room, (size_t)s->count + 1, e) != OK)
    return FAIL;
  memmove(&s->slot[at + 1], &s->slot[at], (s->count - at) * sizeof *s->slot);
  s->slot[at] = x;
  s->count++;
  return OK;
}

/* Places an element on the host with the least finish time plus bias.  Its producers must have been
 * placed.  Ties: the lower host.  O(hosts * streams). */
static enum status place(struct eft *t, uint32_t element, struct err *e)
{
  const struct farm *m = t->in->farm;
  const double work = tasknet_element_cost(t->in->net, element)->compute;
  const double *bias = t->bias == NULL ? NULL : &t->bias[(size_t)element * m->classes];
  const bool fixed = t->fixed != NULL && t->fixed[element];
  const uint32_t from = fixed ? t->fixed_host : 0, to = fixed ? from + 1 : m->hosts;
  double best = INFINITY, least = INFINITY;
  uint32_t after = 0, at;
  if (find_ready(t, element, e) != OK)
    return FAIL;
  for (uint32_t h = from; h < to; h++) {
    const double takes = farm_seconds(m, element, work, m->class_of[h]);
    const double start = first_gap(&t->slots[h], t->ready[h], takes, &at);
    const double end = start + takes + (bias == NULL ? 0 : bias[m->class_of[h]]);
    const double score = t->by_start ? start : end;
    if (score > best || (score == best && end >= least))
      continue;
    best = score;
    least = end;
    after = at;
    t->host[element] = h;
    t->start[element] = start;
    t->finish[element] = start + takes;
  }
  return occupy(&t->slots[t->host[element]], after,
                (struct slot){t->start[element], t->finish[element]}, e);
}

/* --- whole networks --------------------------------------------------------------------------- */

static int by_times(const void *a, const void *b, void *eft)
{
  const struct eft *t = eft;
  const uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
  return RISING(t->start[i], t->start[k]) ?: RISING(t->finish[i], t->finish[k]) ?: RISING(i, k);
}

/* Orders the elements by start, then by finish: an element without work precedes an element that
 * starts at the same time on its host. */
static enum status order_by_times(const struct eft *t, uint32_t *order, struct err *e)
{
  const uint32_t n = t->in->net->elements;
  OWNED double *place = mem_array(n, sizeof *place, e);
  if (place == NULL)
    return FAIL;
  for (uint32_t i = 0; i < n; i++)
    order[i] = i;
  qsort_r(order, n, sizeof *order, by_times, (void *)(uintptr_t)t);
  for (uint32_t i = 0; i < n; i++)
    place[order[i]] = i;
  return order_by_key(t->in->net, place, order, e);
}

enum status eft_place_all(struct eft *t, const double *key, uint32_t *order, struct err *e)
{
  const struct tasknet *n = t->in->net;
  if (order_by_key(n, key, order, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < n->elements; i++)
    if (place(t, order[i], e) != OK)
      return FAIL;
  return order_by_times(t, order, e);
}

enum status eft_weights(const struct scheduler_input *in, struct order_weights *w,
                        struct arena *mem)
{
  const struct farm *m = in->farm;
  double *work = arena_array(mem, in->net->elements, sizeof *work);
  if (work == NULL)
    return FAIL;
  for (uint32_t i = 0; i < in->net->elements; i++) {
    const double cost = tasknet_element_cost(in->net, i)->compute;
    for (uint32_t c = 0; c < m->classes; c++)
      work[i] += m->size[c] * farm_seconds(m, i, cost, c);
    work[i] /= m->hosts;
  }
  *w = (struct order_weights){work, 1 / farm_mean_bandwidth(m)};
  return OK;
}

enum status eft_rank_keys(const struct scheduler_input *in, double *key, struct err *e)
{
  ARENA(mem, e);
  struct order_weights w;
  if (eft_weights(in, &w, &mem) != OK || order_rank_up(in->net, &w, key, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < in->net->elements; i++)
    key[i] = -key[i];
  return OK;
}

enum status eft_run(const struct scheduler_input *in, uint32_t *host, uint32_t *order,
                    struct err *e)
{
  ARENA(mem, e);
  struct eft t;
  double *key = arena_array(&mem, in->net->elements, sizeof *key);
  if (eft_new(&t, in, host, &mem) != OK || eft_rank_keys(in, key, e) != OK)
    return FAIL;
  t.by_start = in->scheduler->variant == EFT_BY_START;
  const enum status s = eft_place_all(&t, key, order, e);
  eft_clear(&t);
  return s;
}

#include "mappers/schedule/optimal/reach.h"

#include <math.h>
#include <string.h>

#include "mappers/schedule/order.h"
#include "tasks/timing/producers.h"

/* Maximum sum of needs for which the set of possible sums is stored. */
enum { MOST_SUM = 1 << 16 };

bool reach_alike(const struct scheduler_input *in, uint32_t a, uint32_t b)
{
  const struct tasknet *n = in->net;
  const uint32_t array = n->array_of[a], first = n->array[array].first;
  if (n->array_of[b] != array || n->array[array].varied || in->farm->table != NULL ||
      farm_loses(in->farm))
    return false;
  for (size_t i = 0; i < tasknet_inputs(n, array); i++) {
    const struct tasknet_end *end = tasknet_input(n, array, i);
    if (tasknet_lane(n, end, a - first) != tasknet_lane(n, end, b - first))
      return false;
  }
  for (size_t i = 0; i < tasknet_outputs(n, array); i++) {
    const struct tasknet_end *end = tasknet_output(n, array, i);
    if (tasknet_lane(n, end, a - first) != tasknet_lane(n, end, b - first))
      return false;
  }
  return true;
}

static double loops_of(const struct reach *r, uint32_t element)
{
  return tasknet_element_cost(r->in->net, element)->loops;
}

static enum tasknet_pattern pattern_of(const struct reach *r, uint32_t element)
{
  return r->in->net->array[r->in->net->array_of[element]].pattern;
}

/* The index of the first bound of an element. */
static size_t row_of(const struct reach *r, uint32_t element)
{
  return (size_t)element * r->in->farm->classes;
}

/* Data that a producer sends to a lane at once. */
static double part_of(const struct reach *r, const struct tasknet_end *end, uint32_t element)
{
  const uint32_t k = element - r->in->net->array[end->array].first;
  const bool early = tasknet_writes_early(r->in->net->array[end->array].pattern);
  const double volume = tasknet_volume(r->in->net, end, k);
  return early ? volume / loops_of(r, element) : volume;
}

/* Lower bound of the seconds from the sending of a part to its arrival. */
static double transfer(const struct reach *r, double part, uint32_t from, uint32_t to)
{
  return from == to ? 0 : farm_transfer_least(r->in->farm, part, from, to);
}

/* --- time after an element -------------------------------------------------------------------- */

/* Lower bound of the seconds from the sending of a part to the end of the schedule.  @p starts: the
 * consumer's start waits for the part.  If false, the part is the last one, and only the consumer's
 * last iteration waits for it. */
static double least_after(const struct reach *r, double part, uint32_t from, uint32_t consumer,
                          bool starts)
{
  const size_t row = row_of(r, consumer);
  double least = INFINITY;
  for (uint32_t c = 0; c < r->in->farm->classes; c++) {
    const double after =
        starts ? r->whole[row + c] : r->takes[row + c] / loops_of(r, consumer) + r->rest[row + c];
    least = fmin(least, transfer(r, part, from, c) + after);
  }
  return least;
}

/* Updates the bounds of an element for one consumer of its lane.  @p alone: the lane has no other
 * producer. */
static void follow(struct reach *r, double part, uint32_t element, uint32_t consumer, bool alone)
{
  const bool early = tasknet_writes_early(pattern_of(r, element));
  const bool late = tasknet_reads_late(pattern_of(r, consumer));
  for (uint32_t c = 0; c < r->in->farm->classes; c++) {
    const size_t i = row_of(r, element) + c;
    double rest = least_after(r, part, c, consumer, !late);
    if (late && alone && !early)
      rest = fmax(rest, least_after(r, part, c, consumer, true));
    if (late && alone && early)
      r->whole[i] = fmax(r->whole[i], r->takes[i] / loops_of(r, element) +
                                          least_after(r, part, c, consumer, true));
    r->rest[i] = fmax(r->rest[i], rest);
  }
}

static bool is_alone(const struct tasknet *n, const struct tasknet_stream *s)
{
  return s->producers == 1 && n->array[n->producer[s->from].array].count == s->width;
}

/* Updates the bounds of an element for all consumers of the lane at one of its ends; of consumers
 * that are alike, only for the first. */
static void follow_end(struct reach *r, uint32_t element, const struct tasknet_end *end)
{
  const struct tasknet *n = r->in->net;
  const struct tasknet_stream *s = &n->stream[end->stream];
  const uint32_t lane = tasknet_lane(n, end, element - n->array[end->array].first);
  const double part = part_of(r, end, element);
  for (uint32_t c = 0; c < s->consumers; c++) {
    uint32_t first;
    const uint32_t count =
        tasknet_lane_elements(n, &n->consumer[s->to + c], lane - s->first_lane, &first);
    for (uint32_t j = first; j < first + count; j++)
      if (j == first || !reach_alike(r->in, j - 1, j))
        follow(r, part, element, j, is_alone(n, s));
  }
}

/* Computes the bounds of an element.  Elements that are alike have the same bounds and are
 * neighbours in the order. */
static void follow_all(struct reach *r, uint32_t element)
{
  const struct tasknet *n = r->in->net;
  const uint32_t array = n->array_of[element], classes = r->in->farm->classes;
  const size_t row = row_of(r, element);
  if (element + 1 < n->elements && reach_alike(r->in, element, element + 1)) {
    memcpy(r->rest + row, r->rest + row + classes, classes * sizeof *r->rest);
    memcpy(r->whole + row, r->whole + row + classes, classes * sizeof *r->whole);
    return;
  }
  for (size_t i = 0; i < tasknet_outputs(n, array); i++)
    follow_end(r, element, tasknet_output(n, array, i));
  for (size_t i = row; i < row + classes; i++)
    r->whole[i] = fmax(r->whole[i], r->takes[i] + r->rest[i]);
}

/* --- construction ----------------------------------------------------------------------------- */

static void find_needs(struct reach *r)
{
  const struct farm *m = r->in->farm;
  for (uint32_t i = 0; i < r->in->net->elements; i++) {
    const double work = tasknet_element_cost(r->in->net, i)->compute;
    double least = INFINITY;
    for (uint32_t c = 0; c < m->classes; c++) {
      r->takes[row_of(r, i) + c] = farm_seconds(m, i, work, c);
      least = fmin(least, r->takes[row_of(r, i) + c]);
    }
    r->need[i] = m->table == NULL ? work : least;
  }
}

static enum status new_sums(struct reach *r, struct arena *mem)
{
  double sum = 0;
  for (uint32_t i = 0; i < r->in->net->elements; i++) {
    if (r->need[i] != floor(r->need[i]))
      return OK;
    sum += r->need[i];
  }
  if (sum > MOST_SUM)
    return OK;
  r->words = (size_t)sum / 64 + 1;
  r->sums = arena_array(mem, r->words, sizeof *r->sums);
  return arena_status(mem);
}

/* Sorts elements by falling `least`; ties: the lower number.  Insertion sort, because elements are
 * few. */
static void sort_by_least(struct reach *r)
{
  for (uint32_t i = 0; i < r->in->net->elements; i++) {
    uint32_t at = i;
    r->least[i] = INFINITY;
    for (uint32_t c = 0; c < r->in->farm->classes; c++)
      r->least[i] = fmin(r->least[i], r->rest[row_of(r, i) + c]);
    for (; at > 0 && r->least[r->by_least[at - 1]] < r->least[i]; at--)
      r->by_least[at] = r->by_least[at - 1];
    r->by_least[at] = i;
  }
}

enum status reach_new(struct reach *r, const struct scheduler_input *in,
                      const struct reach_state *state, struct arena *mem)
{
  const struct tasknet *n = in->net;
  const size_t elements = n->elements, classes = in->farm->classes, cells = elements * classes;
  const struct arrivals_runs runs = {state->host, state->start, state->end};
  *r = (struct reach){.in = in,
                      .state = state,
                      .order = arena_array(mem, elements, sizeof *r->order),
                      .takes = arena_array(mem, cells, sizeof *r->takes),
                      .rest = arena_array(mem, cells, sizeof *r->rest),
                      .whole = arena_array(mem, cells, sizeof *r->whole),
                      .soonest = arena_array(mem, cells, sizeof *r->soonest),
                      .done = arena_array(mem, cells, sizeof *r->done),
                      .need = arena_array(mem, elements, sizeof *r->need),
                      .least = arena_array(mem, elements, sizeof *r->least),
                      .by_least = arena_array(mem, elements, sizeof *r->by_least),
                      .lane = arena_array(mem, n->lanes * classes, sizeof *r->lane),
                      .from = arena_array(mem, classes, sizeof *r->from),
                      .to = arena_array(mem, classes, sizeof *r->to)};
  if (arena_status(mem) != OK || arrivals_new(&r->arrivals, n, in->farm, &runs, mem->e) != OK)
    return FAIL;
  r->arrivals.plain = true;
  /* All keys are 0: producers before consumers, ties by number. */
  if (order_by_key(n, r->least, r->order, mem->e) != OK)
    return FAIL;
  find_needs(r);
  if (new_sums(r, mem) != OK)
    return FAIL;
  for (uint32_t i = in->net->elements; i-- > 0;)
    follow_all(r, r->order[i]);
  sort_by_least(r);
  return OK;
}

/* --- starts ----------------------------------------------------------------------------------- */

/* Updates @p out with the earliest arrival of the producer's first and last part at a host of class
 * @p to. */
static void look_at_producer(const struct reach *r, double part, uint32_t producer, uint32_t to,
                             struct reach_lane *out)
{
  const bool early = tasknet_writes_early(pattern_of(r, producer));
  const bool placed = !isnan(r->state->start[producer]);
  const uint32_t on = placed ? r->in->farm->class_of[r->state->host[producer]] : 0;
  double first = INFINITY, all = INFINITY;
  for (uint32_t c = placed ? on : 0; c < (placed ? on + 1 : r->in->farm->classes); c++) {
    const size_t i = row_of(r, producer) + c;
    const double sent = early ? r->soonest[i] + r->takes[i] / loops_of(r, producer) : r->done[i];
    first = fmin(first, sent + transfer(r, part, c, to));
    all = fmin(all, r->done[i] + transfer(r, part, c, to));
  }
  out->first = fmin(out->first, first);
  out->all = fmax(out->all, all);
}

/* The earliest arrival at a class of the data of a lane, from placed and unplaced producers. */
static const struct reach_lane *look_at_lane(struct reach *r, uint32_t stream, uint32_t lane,
                                             uint32_t to)
{
  struct reach_lane *x = &r->lane[(size_t)lane * r->in->farm->classes + to];
  struct producers p = producers_of(r->in->net, stream, lane);
  const struct tasknet_end *end;
  uint32_t i;
  if (x->stamp == r->stamp)
    return x;
  *x = (struct reach_lane){.stamp = r->stamp, .first = INFINITY};
  while ((end = producers_next(&p, &i)) != NULL) {
    const double part = part_of(r, end, i);
    look_at_producer(r, part, i, to, x);
  }
  return x;
}

/* Computes the bounds of an element on a class while some of its producers are not placed. */
static void look_ahead(struct reach *r, uint32_t element, uint32_t c)
{
  const struct tasknet *n = r->in->net;
  const uint32_t array = n->array_of[element], k = element - n->array[array].first;
  const size_t at = row_of(r, element) + c;
  const bool late = tasknet_reads_late(n->array[array].pattern);
  double start = 0, all = 0;
  for (size_t i = 0; i < tasknet_inputs(n, array); i++) {
    const struct tasknet_end *end = tasknet_input(n, array, i);
    const struct reach_lane *x = look_at_lane(r, end->stream, tasknet_lane(n, end, k), c);
    start = fmax(start, late ? x->first : x->all);
    all = fmax(all, x->all);
  }
  r->soonest[at] = start;
  r->done[at] = fmax(r->state->last, start + r->takes[at]);
  if (late)
    r->done[at] = fmax(r->done[at], all + r->takes[at] / loops_of(r, element));
}

/* Computes the bounds of an element that could be placed now, from the best host of each class. */
static enum status look_around(struct reach *r, uint32_t element, struct err *e)
{
  const struct farm *m = r->in->farm;
  struct arrivals_window w;
  for (uint32_t c = 0; c < m->classes; c++)
    r->soonest[row_of(r, element) + c] = r->done[row_of(r, element) + c] = INFINITY;
  for (uint32_t h = 0; h < m->hosts; h++) {
    const size_t at = row_of(r, element) + m->class_of[h];
    if (arrivals_window(&r->arrivals, element, h, r->state->free_at[h], &w, e) != OK)
      return FAIL;
    r->soonest[at] = fmin(r->soonest[at], w.start);
    r->done[at] = fmin(r->done[at], fmax(r->state->last, w.end));
  }
  return OK;
}

static void copy_look(struct reach *r, uint32_t to, uint32_t from)
{
  const size_t size = r->in->farm->classes * sizeof *r->soonest;
  memcpy(r->soonest + row_of(r, to), r->soonest + row_of(r, from), size);
  memcpy(r->done + row_of(r, to), r->done + row_of(r, from), size);
}

enum status reach_look(struct reach *r, struct err *e)
{
  const struct reach_state *s = r->state;
  const uint32_t classes = r->in->farm->classes;
  uint32_t last = UINT32_MAX; /* the last element of look_around() */
  r->stamp++;
  for (uint32_t k = 0; k < r->in->net->elements; k++) {
    const uint32_t i = r->order[k];
    if (!isnan(s->start[i])) {
      const size_t at = row_of(r, i) + r->in->farm->class_of[s->host[i]];
      r->soonest[at] = s->start[i];
      r->done[at] = s->end[i];
    } else if (s->waits[i] > 0) {
      for (uint32_t c = 0; c < classes; c++)
        look_ahead(r, i, c);
    } else if (last != UINT32_MAX && reach_alike(r->in, last, i)) {
      copy_look(r, i, last);
    } else if (look_around(r, last = i, e) != OK) {
      return FAIL;
    }
  }
  return OK;
}

/* --- capacity of hosts ------------------------------------------------------------------------ */

/* Adds each known sum plus @p need to the sums. */
static void add_sum(const struct reach *r, uint64_t need)
{
  const size_t by = need / 64;
  const unsigned bits = need % 64;
  for (size_t w = r->words; w-- > by;) {
    uint64_t more = r->sums[w - by] << bits;
    if (bits > 0 && w > by)
      more |= r->sums[w - by - 1] >> (64 - bits);
    r->sums[w] |= more;
  }
}

/* The largest sum of needs up to @p most. */
static double largest_sum(const struct reach *r, double most)
{
  if (r->sums == NULL)
    return most;
  const double end = 64.0 * (double)r->words - 1;
  const uint64_t top = (uint64_t)(most < end ? most : end);
  size_t w = top / 64;
  uint64_t bits = r->sums[w] & (UINT64_MAX >> (63 - top % 64));
  while (bits == 0) /* ends: 0 is a sum */
    bits = r->sums[--w];
  return (double)(w * 64 + 63 - (unsigned)__builtin_clzll(bits));
}

/* True if the hosts can run @p need between the dates of their classes. */
static bool hosts_can(const struct reach *r, double need)
{
  const struct farm *m = r->in->farm;
  double room = 0;
  for (uint32_t h = 0; h < m->hosts && room < need; h++) {
    const uint32_t c = m->class_of[h];
    const double seconds = r->to[c] - fmax(r->from[c], r->state->free_at[h]);
    const double speed = m->table == NULL ? m->speed[c] : 1;
    if (seconds > 0)
      room += largest_sum(r, seconds * speed * (1 + REACH_SLACK) + REACH_SLACK);
  }
  return room >= need * (1 - REACH_SLACK);
}

bool reach_on(const struct reach *r, uint32_t element, uint32_t class, double date)
{
  const size_t i = row_of(r, element) + class;
  return fmax(r->done[i] + r->rest[i], r->soonest[i] + r->whole[i]) <= date * (1 + REACH_SLACK);
}

/* True if the element can end by @p date on some class, or, if it is placed, on its class.  Extends
 * the dates r->from and r->to of the classes that can run it. */
static bool fits(struct reach *r, uint32_t element, double date)
{
  const bool placed = !isnan(r->state->start[element]);
  const uint32_t on = placed ? r->in->farm->class_of[r->state->host[element]] : 0;
  bool any = false;
  for (uint32_t c = 0; c < r->in->farm->classes; c++) {
    const size_t i = row_of(r, element) + c;
    if ((placed && c != on) || !reach_on(r, element, c, date))
      continue;
    any = true;
    if (placed)
      continue;
    r->from[c] = fmin(r->from[c], r->soonest[i]);
    r->to[c] = fmax(r->to[c], date - r->rest[i]);
  }
  return any;
}

bool reach_by(struct reach *r, double date)
{
  const uint32_t elements = r->in->net->elements;
  double need = 0;
  for (uint32_t c = 0; c < r->in->farm->classes; c++) {
    r->from[c] = INFINITY;
    r->to[c] = 0;
  }
  if (r->sums != NULL) {
    memset(r->sums, 0, r->words * sizeof *r->sums);
    r->sums[0] = 1;
  }
  for (uint32_t k = 0; k < elements; k++) {
    const uint32_t i = r->by_least[k];
    if (!fits(r, i, date))
      return false;
    if (isnan(r->state->start[i])) {
      need += r->need[i];
      if (r->sums != NULL)
        add_sum(r, (uint64_t)r->need[i]);
    }
    const bool last = k + 1 == elements || r->least[r->by_least[k + 1]] < r->least[i];
    if (last && need > 0 && !hosts_can(r, need))
      return false;
  }
  return true;
}

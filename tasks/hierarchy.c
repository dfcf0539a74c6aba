/* Units are merged in a union-find forest.  The unit with the most stream ends takes over the ends
 * of the others, so that an end moves O(log ends) times.  A *place* is a set of the forest,
 * numbered as one of its arrays.  A stream that cannot become a group yet is watched by the places
 * that must change first. */
#include "tasks/hierarchy.h"

#include <stdlib.h>

#include "common/containers/heap.h"
#include "common/containers/pairs.h"
#include "common/mem.h"
#include "common/numeric/rising.h"
#include "tasks/cost.h"

enum side { IN, OUT, SIDES };

/* The data between a place and one side of a stream. */
struct link {
  uint32_t stream, next; /* the next link of the place on this side; TASKNET_NONE: the last */
  double amount; /* IN: data that the place writes to the stream; OUT: number of its elements that
                    read each lane */
};

struct place {
  uint32_t parent;       /* in the forest; the place itself: a root */
  uint32_t unit, links;  /* for a root: its unit; number of its links */
  uint32_t first[SIDES]; /* first link on each side */
  uint32_t watch;        /* first watch */
  uint32_t mark;         /* number of the last group that gathered it, from 1 */
};

struct watch {
  uint32_t stream, next;
};

struct by_compute {
  double compute;
  uint32_t unit;
};

struct making {
  const struct tasknet *n;
  struct hierarchy *h;
  struct place *place;
  struct link *link;
  struct watch *watch;
  uint32_t watches;    /* number of entries used so far */
  uint32_t free_watch; /* first free entry below it */
  size_t watch_room;
  struct pairs have;   /* (place, stream * SIDES + side) of each link */
  uint32_t *have_link; /* link, by number in `have` */
  size_t have_room;
  uint32_t *units[SIDES];  /* by stream: number of different places on the side */
  uint32_t *both;          /* by stream: number of places on both sides */
  uint32_t *cursor[SIDES]; /* by stream: the end that failed last */
  uint8_t *failed_side;    /* by stream: the side that failed last */
  double *volume;          /* by stream: its volume */
  struct heap one, common; /* queues of streams: candidates for one to one; candidates for the rule
                              of common streams */
  uint32_t *gathered;      /* places of the new group */
  struct by_compute *sorted; /* units on one side of the new group */
  size_t members;            /* number of entries in h->member */
  bool failed;               /* out of memory; *e is filled */
  struct err *e;
};

static uint32_t find(const struct making *m, uint32_t place)
{
  while (m->place[place].parent != place) {
    m->place[place].parent = m->place[m->place[place].parent].parent;
    place = m->place[place].parent;
  }
  return place;
}

/* The link of a root place on a side of a stream; TASKNET_NONE if it has none. */
static uint32_t link_of(const struct making *m, uint32_t place, uint32_t stream, enum side side)
{
  const uint32_t pair = pairs_find(&m->have, place, stream * SIDES + side);
  return pair == PAIRS_NONE ? TASKNET_NONE : m->have_link[pair];
}

static struct hierarchy_sum *sum_of(const struct making *m, uint32_t place)
{
  return &m->h->sum[m->place[place].unit];
}

/* True if all ends of the stream are in one unit. */
static bool is_gone(const struct making *m, uint32_t stream)
{
  return m->units[IN][stream] == 1 && m->units[OUT][stream] == m->both[stream];
}

static const struct tasknet_end *ends_of(const struct making *m, uint32_t stream, enum side side,
                                         uint32_t *count)
{
  const struct tasknet_stream *s = &m->n->stream[stream];
  *count = side == IN ? s->producers : s->consumers;
  return side == IN ? &m->n->producer[s->from] : &m->n->consumer[s->to];
}

/* The place of an end.  TASKNET_NONE if it does not count on the output side because it is on the
 * input side too. */
static uint32_t place_at(const struct making *m, const struct tasknet_end *end, enum side side)
{
  const uint32_t place = find(m, end->array);
  if (side == OUT && m->both[end->stream] > 0 && link_of(m, place, end->stream, IN) != TASKNET_NONE)
    return TASKNET_NONE;
  return place;
}

/* The data that a place reads from a stream and that other places wrote. */
static double read_from(const struct making *m, uint32_t place, uint32_t stream)
{
  const uint32_t out = link_of(m, place, stream, OUT), in = link_of(m, place, stream, IN);
  if (out == TASKNET_NONE)
    return 0;
  const double others = m->volume[stream] - (in == TASKNET_NONE ? 0 : m->link[in].amount);
  return m->link[out].amount * others;
}

/* The data that a place writes to a stream, or 0 if no other place reads it. */
static double written_to(const struct making *m, uint32_t place, uint32_t stream)
{
  const uint32_t in = link_of(m, place, stream, IN), out = link_of(m, place, stream, OUT);
  if (in == TASKNET_NONE || (out != TASKNET_NONE && m->units[OUT][stream] == 1))
    return 0;
  return m->link[in].amount;
}

/* True if the stream joins the parts of the unit lane by lane. */
static bool parts_by(const struct making *m, uint32_t place, uint32_t width)
{
  return width > 1 && sum_of(m, place)->parts % width == 0;
}

static bool is_one_to_one(const struct making *m, uint32_t stream)
{
  if (m->units[IN][stream] != 1 || m->units[OUT][stream] != 1 || m->both[stream] != 0)
    return false;
  const struct tasknet_stream *s = &m->n->stream[stream];
  const uint32_t in = find(m, m->n->producer[s->from].array);
  const uint32_t out = find(m, m->n->consumer[s->to].array);
  if (sum_of(m, in)->parts == 1 && sum_of(m, out)->parts == 1)
    return true;
  return parts_by(m, in, s->width) && parts_by(m, out, s->width);
}

/* Key of the queues: the highest communication cost is first. */
static uint64_t order_of(const struct making *m, uint32_t stream)
{
  return ~heap_order_of(m->volume[stream]);
}

/* Queues the stream if it may be one to one.  next_stream() checks this again. */
static void queue_one(struct making *m, uint32_t stream)
{
  if (m->units[IN][stream] == 1 && m->units[OUT][stream] == 1 && m->both[stream] == 0)
    heap_set(&m->one, stream, order_of(m, stream));
}

/* --- the rule of common streams --- */

/* True if the stream can be the common stream of the place: on side IN the place reads from it and
 * does not write to it; on side OUT the place writes to it. */
static bool is_common(const struct making *m, uint32_t place, uint32_t stream, enum side side)
{
  if (side == OUT)
    return !is_gone(m, stream) && link_of(m, place, stream, IN) != TASKNET_NONE;
  return link_of(m, place, stream, OUT) != TASKNET_NONE &&
         link_of(m, place, stream, IN) == TASKNET_NONE;
}

/* Finds the first link of the place, from *@p from on, whose stream is_common().  Removes links of
 * streams that are gone, so that later searches do not pass them again. */
static uint32_t next_common(struct making *m, uint32_t place, uint32_t *from, enum side side)
{
  while (*from != TASKNET_NONE) {
    const uint32_t stream = m->link[*from].stream;
    if (is_gone(m, stream)) {
      *from = m->link[*from].next;
      m->place[place].links--;
      continue;
    }
    if (is_common(m, place, stream, side))
      return *from;
    from = &m->link[*from].next;
  }
  return TASKNET_NONE;
}

/* True if the place has @p stream as a common stream; if @p stream is TASKNET_NONE, true if the
 * place has no common stream at all. */
static bool agrees(struct making *m, uint32_t place, uint32_t stream, enum side side)
{
  if (stream != TASKNET_NONE)
    return is_common(m, place, stream, side);
  return next_common(m, place, &m->place[place].first[!side], side) == TASKNET_NONE;
}

/* Makes the stream a candidate again when the place changes. */
static void add_watch(struct making *m, uint32_t place, uint32_t stream)
{
  uint32_t w = m->free_watch;
  if (w != TASKNET_NONE) {
    m->free_watch = m->watch[w].next;
  } else if (MEM_GROW(m->watch, m->watch_room, (size_t)m->watches + 1, m->e) == OK) {
    w = m->watches++;
  } else {
    m->failed = true;
    return;
  }
  m->watch[w] = (struct watch){stream, m->place[place].watch};
  m->place[place].watch = w;
}

static void wake(struct making *m, uint32_t place)
{
  for (uint32_t w = m->place[place].watch, next; w != TASKNET_NONE; w = next) {
    next = m->watch[w].next;
    const uint32_t stream = m->watch[w].stream;
    if (!is_gone(m, stream))
      heap_set(&m->common, stream, order_of(m, stream));
    m->watch[w].next = m->free_watch;
    m->free_watch = w;
  }
  m->place[place].watch = TASKNET_NONE;
}

/* True if all places on the side agree on a common stream.  Starts at the end that failed last:
 * places that agreed before still agree. */
static bool all_agree(struct making *m, uint32_t stream, enum side side, uint32_t common)
{
  uint32_t count;
  const struct tasknet_end *end = ends_of(m, stream, side, &count);
  for (uint32_t i = 0; i < count; i++) {

    const uint32_t at = (m->cursor[side][stream] + i) % count;
    const uint32_t place = place_at(m, &end[at], side);
    if (place == TASKNET_NONE || agrees(m, place, common, side))
      continue;
    m->cursor[side][stream] = at;
    add_watch(m, place, stream);
    return false;
  }
  return true;
}

/* The place with the fewest links among the first SOME on the side; TASKNET_NONE if there is none.
 */
static uint32_t choose_place(const struct making *m, uint32_t stream, enum side side)
{
  enum { SOME = 8 };
  uint32_t count, best = TASKNET_NONE;
  const struct tasknet_end *end = ends_of(m, stream, side, &count);
  for (uint32_t i = 0, seen = 0; i < count && seen < SOME; i++) {
    const uint32_t place = place_at(m, &end[i], side);
    seen += place != TASKNET_NONE;
    if (place != TASKNET_NONE &&
        (best == TASKNET_NONE || m->place[place].links < m->place[best].links))
      best = place;
  }
  return best;
}

/* True if the side satisfies the rule of common streams.  If not, adds a watch for the stream. */
static bool side_passes(struct making *m, uint32_t stream, enum side side)
{
  const uint32_t place = choose_place(m, stream, side);
  if (place == TASKNET_NONE)
    return true;
  uint32_t l = next_common(m, place, &m->place[place].first[!side], side);
  bool passes = l == TASKNET_NONE && all_agree(m, stream, side, TASKNET_NONE);
  while (l != TASKNET_NONE && !passes) {
    passes = all_agree(m, stream, side, m->link[l].stream);
    l = next_common(m, place, &m->link[l].next, side);
  }
  if (!passes)
    add_watch(m, place, stream);
  return passes;
}

/* Checks the side that failed last first, since it is likely to fail again. */
static bool passes(struct making *m, uint32_t stream)
{
  const enum side first = m->failed_side[stream];
  if (!side_passes(m, stream, first))
    return false;
  m->failed_side[stream] = !first;
  return side_passes(m, stream, !first);
}

/* --- merging --- */

/* Adds a link to a place that has no link on this side of the stream. */
static enum status add_link(struct making *m, uint32_t place, uint32_t link, enum side side)
{
  const uint32_t stream = m->link[link].stream;
  uint32_t pair;
  if (pairs_add(&m->have, place, stream * SIDES + side, &pair, m->e) != OK ||
      MEM_GROW(m->have_link, m->have_room, (size_t)pair + 1, m->e) != OK)
    return FAIL;
  m->have_link[pair] = link;
  m->link[link].next = m->place[place].first[side];
  m->place[place].first[side] = link;
  m->place[place].links++;
  m->units[side][stream]++;
  m->both[stream] += link_of(m, place, stream, !side) != TASKNET_NONE;
  return OK;
}

/* Moves a link from place @p from to place @p to.  The caller moves links of side IN first.  Links
 * of streams that are gone stay, since the link on the other side may have been removed. */
static void move_link(struct making *m, uint32_t from, uint32_t to, uint32_t link, enum side side)
{
  const uint32_t stream = m->link[link].stream, had = link_of(m, to, stream, side);
  struct hierarchy_sum *sum = sum_of(m, to);
  if (is_gone(m, stream))
    return;
  sum->in -= read_from(m, to, stream);
  sum->out -= written_to(m, to, stream);
  m->units[side][stream]--;
  m->both[stream] -= side == IN && link_of(m, from, stream, OUT) != TASKNET_NONE;
  if (had != TASKNET_NONE)
    m->link[had].amount += m->link[link].amount;
  else if (add_link(m, to, link, side) != OK)
    m->failed = true;
  sum->in += read_from(m, to, stream);
  sum->out += written_to(m, to, stream);
  queue_one(m, stream);
}

static void merge_into(struct making *m, uint32_t from, uint32_t to)
{
  wake(m, from);
  m->place[from].parent = to;
  for (enum side side = IN; side < SIDES; side++)
    for (uint32_t l = m->place[from].first[side], next; l != TASKNET_NONE && !m->failed; l = next) {
      next = m->link[l].next;
      move_link(m, from, to, l, side);
    }
}

/* Gathers the places on a side of the stream, after the @p count places gathered before. */
static uint32_t gather(struct making *m, uint32_t stream, enum side side, uint32_t count)
{
  uint32_t ends;
  const struct tasknet_end *end = ends_of(m, stream, side, &ends);
  for (uint32_t i = 0; i < ends; i++) {
    const uint32_t place = place_at(m, &end[i], side);
    if (place == TASKNET_NONE || m->place[place].mark == m->h->groups + 1)
      continue;
    m->place[place].mark = m->h->groups + 1;
    m->gathered[count++] = place;
  }
  return count;
}

static int compare(const void *a, const void *b)
{
  const struct by_compute *x = a, *y = b;
  return RISING(y->compute, x->compute) ?: RISING(x->unit, y->unit);
}

/* Lists the units of the gathered places @p from .. @p to - 1 as members of group @p group. */
static void list_members(struct making *m, uint32_t from, uint32_t to, uint32_t group)
{
  for (uint32_t i = from; i < to; i++) {
    const uint32_t unit = m->place[m->gathered[i]].unit;
    m->sorted[i - from] = (struct by_compute){m->h->sum[unit].compute, unit};
    m->h->sum[unit].parent = group;
  }
  qsort(m->sorted, to - from, sizeof *m->sorted, compare);
  for (uint32_t i = from; i < to; i++)
    m->h->member[m->members++] = m->sorted[i - from].unit;
}

/* Chooses the gathered place with the most links, which takes over the links of the others. */
static uint32_t choose_root(const struct making *m, uint32_t count)
{
  uint32_t root = m->gathered[0];
  for (uint32_t i = 1; i < count; i++)
    if (m->place[m->gathered[i]].links > m->place[root].links)
      root = m->gathered[i];
  return root;
}

/* Computes the sums of a group.  `in` and `out` start with the values of @p root; merging the other
 * places completes them. */
static void sum_up(struct making *m, uint32_t count, uint32_t root, uint32_t group)
{
  const uint32_t width = m->n->stream[m->h->group[group - m->h->arrays].stream].width;
  struct hierarchy_sum sum = *sum_of(m, root);
  sum.compute = 0;
  sum.elements = 0;
  sum.parts = width;
  sum.parent = TASKNET_NONE;
  for (uint32_t i = 0; i < count; i++) {
    sum.compute += sum_of(m, m->gathered[i])->compute;
    sum.elements += sum_of(m, m->gathered[i])->elements;
    if (!parts_by(m, m->gathered[i], width))
      sum.parts = 1;
  }
  m->h->sum[group] = sum;
}

static void make_group(struct making *m, uint32_t stream)
{
  struct hierarchy *h = m->h;
  const uint32_t unit = h->arrays + h->groups;
  const uint32_t ins = gather(m, stream, IN, 0), count = gather(m, stream, OUT, ins);
  h->group[h->groups] = (struct hierarchy_group){stream, (uint32_t)m->members, ins, count - ins};
  list_members(m, 0, ins, unit);
  list_members(m, ins, count, unit);
  h->groups++;
  const uint32_t root = choose_root(m, count), parts = sum_of(m, root)->parts;
  sum_up(m, count, root, unit);
  m->place[root].unit = unit;
  wake(m, root);
  for (uint32_t i = 0; i < count && !m->failed; i++)
    if (m->gathered[i] != root)
      merge_into(m, m->gathered[i], root);
  for (enum side side = IN; side < SIDES && h->sum[unit].parts != parts; side++)
    for (uint32_t l = m->place[root].first[side]; l != TASKNET_NONE; l = m->link[l].next)
      queue_one(m, m->link[l].stream);
}

/* The next stream that becomes a group; TASKNET_NONE if there is none. */
static uint32_t next_stream(struct making *m)
{
  while (heap_count(&m->one) > 0) {
    const uint32_t stream = heap_first(&m->one);
    heap_remove(&m->one, stream);
    if (is_one_to_one(m, stream))
      return stream;
  }
  while (heap_count(&m->common) > 0 && !m->failed) {
    const uint32_t stream = heap_first(&m->common);
    heap_remove(&m->common, stream);
    if (!is_gone(m, stream) && passes(m, stream))
      return stream;
  }
  return TASKNET_NONE;
}

static enum status make_groups(struct making *m)
{
  for (uint32_t s = 0; s < m->n->streams; s++) {
    queue_one(m, s);
    heap_set(&m->common, s, order_of(m, s));
  }
  for (uint32_t s = next_stream(m); s != TASKNET_NONE && !m->failed; s = next_stream(m))
    make_group(m, s);
  return m->failed ? FAIL : OK;
}

/* --- beginning and end --- */

/* The data that an array writes to all lanes of a stream. */
static double amount_written(const struct tasknet *n, const struct tasknet_end *end)
{
  const struct tasknet_array *a = &n->array[end->array];
  if (end->volume >= 0 || !a->varied)
    return tasknet_volume(n, end, 0) * a->count;
  double sum = 0;
  for (uint32_t k = 0; k < a->count; k++)
    sum += tasknet_volume(n, end, k);
  return sum;
}

static enum status add_ends(struct making *m, uint32_t *links, enum side side)
{
  const uint32_t count = side == IN ? m->n->producers : m->n->consumers;
  const struct tasknet_end *end = side == IN ? m->n->producer : m->n->consumer;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t readers = m->n->array[end[i].array].count / m->n->stream[end[i].stream].width;
    m->link[*links] = (struct link){end[i].stream, TASKNET_NONE,
                                    side == IN ? amount_written(m->n, &end[i]) : readers};
    if (add_link(m, end[i].array, (*links)++, side) != OK)
      return FAIL;
  }
  return OK;
}

static enum status begin(struct making *m)
{
  uint32_t links = 0;
  for (uint32_t s = 0; s < m->n->streams; s++)
    m->volume[s] = tasknet_stream_volume(m->n, s);
  for (uint32_t a = 0; a < m->n->arrays; a++) {
    m->place[a] = (struct place){
        .parent = a, .unit = a, .first = {TASKNET_NONE, TASKNET_NONE}, .watch = TASKNET_NONE};
    m->h->sum[a] = (struct hierarchy_sum){.compute = tasknet_array_sum(m->n, a).compute,
                                          .elements = m->n->array[a].count,
                                          .parts = m->n->array[a].count,
                                          .parent = TASKNET_NONE};
  }
  if (add_ends(m, &links, IN) != OK || add_ends(m, &links, OUT) != OK)
    return FAIL;
  for (uint32_t a = 0; a < m->n->arrays; a++)
    for (enum side side = IN; side < SIDES; side++)
      for (uint32_t l = m->place[a].first[side]; l != TASKNET_NONE; l = m->link[l].next) {
        m->h->sum[a].in += side == OUT ? read_from(m, a, m->link[l].stream) : 0;
        m->h->sum[a].out += side == IN ? written_to(m, a, m->link[l].stream) : 0;
      }
  return OK;
}

static enum status reserve(struct making *m)
{
  const struct tasknet *n = m->n;
  struct hierarchy *h = m->h;
  const size_t units = (size_t)n->arrays * 2, ends = (size_t)n->producers + n->consumers;
  const bool done =
      (m->place = mem_array(n->arrays, sizeof *m->place, m->e)) != NULL &&
      (m->link = mem_array(ends, sizeof *m->link, m->e)) != NULL &&
      (m->units[IN] = mem_array(n->streams, sizeof **m->units, m->e)) != NULL &&
      (m->units[OUT] = mem_array(n->streams, sizeof **m->units, m->e)) != NULL &&
      (m->cursor[IN] = mem_array(n->streams, sizeof **m->cursor, m->e)) != NULL &&
      (m->cursor[OUT] = mem_array(n->streams, sizeof **m->cursor, m->e)) != NULL &&
      (m->failed_side = mem_array(n->streams, sizeof *m->failed_side, m->e)) != NULL &&
      (m->both = mem_array(n->streams, sizeof *m->both, m->e)) != NULL &&
      (m->volume = mem_array(n->streams, sizeof *m->volume, m->e)) != NULL &&
      (m->gathered = mem_array(n->arrays, sizeof *m->gathered, m->e)) != NULL &&
      (m->sorted = mem_array(n->arrays, sizeof *m->sorted, m->e)) != NULL &&
      (h->group = mem_array(n->arrays, sizeof *h->group, m->e)) != NULL &&
      (h->member = mem_array(units, sizeof *h->member, m->e)) != NULL &&
      (h->sum = mem_array(units, sizeof *h->sum, m->e)) != NULL &&
      (h->root = mem_array(n->arrays, sizeof *h->root, m->e)) != NULL;
  if (!done || heap_reserve(&m->one, n->streams, m->e) != OK)
    return FAIL;
  return heap_reserve(&m->common, n->streams, m->e);
}

static void clear_making(struct making *m)
{
  void *const owned[] = {m->place,      m->link,   m->watch,      m->have_link,   m->units[IN],
                         m->units[OUT], m->both,   m->cursor[IN], m->cursor[OUT], m->volume,
                         m->gathered,   m->sorted, m->failed_side};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
    free(owned[i]);
  pairs_clear(&m->have);
  heap_clear(&m->one);
  heap_clear(&m->common);
}

enum status hierarchy_make(struct hierarchy *out, const struct tasknet *n, struct err *e)
{
  struct hierarchy h = {.arrays = n->arrays};
  struct making m = {.n = n, .h = &h, .free_watch = TASKNET_NONE, .e = e};
  const enum status status =
      reserve(&m) == OK && begin(&m) == OK && make_groups(&m) == OK ? OK : FAIL;
  for (uint32_t u = 0; status == OK && u < h.arrays + h.groups; u++)
    if (h.sum[u].parent == TASKNET_NONE)
      h.root[h.roots++] = u;
  clear_making(&m);
  if (status == OK)
    *out = h;
  else
    hierarchy_clear(&h);
  return status;
}

void hierarchy_clear(struct hierarchy *h)
{
  free(h->group);
  free(h->member);
  free(h->sum);
  free(h->root);
  *h = (struct hierarchy){0};
}

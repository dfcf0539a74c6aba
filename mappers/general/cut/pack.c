#include "mappers/general/cut/pack.h"

#include <string.h>

struct box {
  uint32_t low[GRID_MAX_DIMS], side[GRID_MAX_DIMS];
};

struct packing {
  const struct graph *g;
  const struct target *m;
  const struct general_plan *plan;
  uint32_t *size;  /* by part */
  uint32_t *first; /* by part: index of its first task in list[] */
  uint32_t *list;  /* tasks, sorted by part, then ascending */
  uint32_t *order; /* parts by descending size, regrouped by each cut */
  uint32_t *from;  /* by sum of sizes: index in the group, plus 1, of the last part added to it;
                      0: no parts have this sum */
  uint32_t *index; /* scratch of graph_part() */
  uint32_t *room;  /* scratch: the parts that are not in a sum */
  uint8_t *in;     /* scratch, by index in a group: the part is in the sum */
  uint32_t *slot;
  bool failed; /* a box could not be cut */
  struct err *e;
};

static uint32_t slots_of(const struct packing *k, const struct box *b)
{
  uint32_t n = k->m->per_host;
  for (uint32_t d = 0; d < k->m->ndims; d++)
    n *= b->side[d];
  return n;
}

/* --- sums of sizes ---------------------------------------------------------------------------- */

/* Adds the sums up to @p most that include parts of one size: the @p count parts from index @p
 * first on.  A new sum with u of these parts includes the first u, and from[] gets the index of the
 * last one, plus 1. */
static void add_size(struct packing *k, uint32_t size, uint32_t first, uint32_t count,
                     uint32_t most)
{
  for (uint32_t s = size; s <= most; s++) {
    const uint32_t before = k->from[s - size];
    const uint32_t used = before == UINT32_MAX || before <= first ? 0 : before - first;
    if (k->from[s] == 0 && before != 0 && used < count)
      k->from[s] = first + used + 1;
  }
}

/* Fills from[] for the numbers up to @p most that are sums of sizes of parts.  The parts are sorted
 * by descending size.  O(most) per size. */
static void find_sums(struct packing *k, const uint32_t *parts, uint32_t count, uint32_t most)
{
  memset(k->from, 0, ((size_t)most + 1) * sizeof *k->from);
  k->from[0] = UINT32_MAX;
  for (uint32_t first = 0, i = 1; i <= count; i++) {
    if (i < count && k->size[parts[i]] == k->size[parts[first]])
      continue;
    add_size(k, k->size[parts[first]], first, i - first, most);
    first = i;
  }
}

/* Moves the parts of a sum to the front.  Returns their number. */
static uint32_t take_sum(const struct packing *k, uint32_t *parts, uint32_t count, uint32_t sum)
{
  uint32_t taken = 0, rest = 0;
  memset(k->in, 0, count);
  for (uint32_t s = sum; s > 0; s -= k->size[parts[k->from[s] - 1]])
    k->in[k->from[s] - 1] = 1;
  for (uint32_t i = 0; i < count; i++)
    if (k->in[i])
      parts[taken++] = parts[i];
    else
      k->room[rest++] = parts[i];
  memcpy(parts + taken, k->room, rest * sizeof *parts);
  return taken;
}

/* --- boxes ------------------------------------------------------------------------------------ */

/* Maps one part onto a box. */
static enum status map_part(struct packing *k, const struct box *b, uint32_t part)
{
  const uint32_t n = k->size[part], per_host = k->m->per_host;
  const uint32_t *tasks = k->list + k->first[part];
  const struct graph_list list = {.task = tasks, .n = n};
  ARENA(mem, k->e);
  struct graph g;
  struct target m;
  uint32_t *slot = arena_array(&mem, n, sizeof *slot);
  target_box(&m, k->m, b->side);
  if (graph_part(&g, k->g, &list, k->index, &mem) != OK)
    return FAIL;
  struct placement p = {.g = &g, .m = &m, .slot = slot, .hops = UINT64_MAX};
  const enum status s = general_part(&p, k->plan, k->e);
  for (uint32_t i = 0; i < n && s == OK; i++)
    k->slot[tasks[i]] =
        target_box_host(k->m, b->low, b->side, slot[i] / per_host) * per_host + slot[i] % per_host;
  return s;
}

/* Finds a cut of a box into two halves that hold all parts, each part in one half.  Tries the axes
 * from the longest side to the shortest, and along an axis the cuts nearest to the middle first.
 * Sets *sum to the number of tasks in the first half.  False if there is no such cut. */
static bool find_cut(const struct packing *k, const struct box *b, uint32_t tasks,
                     struct box half[2], uint32_t *sum)
{
  bool tried[GRID_MAX_DIMS] = {false};
  const uint32_t all = slots_of(k, b);
  for (uint32_t i = 0; i < k->m->ndims; i++) {
    uint32_t axis = UINT32_MAX;
    for (uint32_t d = 0; d < k->m->ndims; d++)
      if (!tried[d] && (axis == UINT32_MAX || b->side[d] > b->side[axis]))
        axis = d;
    tried[axis] = true;
    const uint32_t side = b->side[axis], layer = all / side;
    for (uint32_t step = 0; step + 1 < side; step++) {
      const uint32_t at = step % 2 == 0 ? side / 2 - step / 2 : side / 2 + (step + 1) / 2;
      if (at == 0 || at >= side)
        continue;
      const uint32_t room = at * layer, other = all - room;
      const uint32_t least = tasks > other ? tasks - other : 0, most = tasks < room ? tasks : room;
      for (uint32_t s = most; s >= least && s > 0; s--) {
        if (k->from[s] == 0 || s == tasks)
          continue;
        half[0] = half[1] = *b;
        half[0].side[axis] = at;
        half[1].low[axis] += at;
        half[1].side[axis] -= at;
        *sum = s;
        return true;
      }
    }
  }
  return false;
}

/* Packs the parts of a group, sorted by descending size, into a box. */
static enum status pack(struct packing *k, struct box b, uint32_t *parts, uint32_t count)
{
  struct box half[2];
  uint32_t tasks = 0, sum;
  if (count == 1)
    return map_part(k, &b, parts[0]);
  for (uint32_t i = 0; i < count; i++)
    tasks += k->size[parts[i]];
  find_sums(k, parts, count, tasks);
  if (!find_cut(k, &b, tasks, half, &sum)) {
    k->failed = true;
    return OK;
  }
  const uint32_t taken = take_sum(k, parts, count, sum);
  if (pack(k, half[0], parts, taken) != OK || k->failed)
    return k->failed ? OK : FAIL;
  return pack(k, half[1], parts + taken, count - taken);
}

/* --- all parts -------------------------------------------------------------------------------- */

static void list_parts(struct packing *k, const uint32_t *part, uint32_t parts)
{
  const uint32_t n = k->g->n;
  for (uint32_t v = 0; v < n; v++)
    k->size[part[v]]++;
  for (uint32_t p = 0; p < parts; p++)
    k->first[p + 1] = k->first[p] + k->size[p];
  for (uint32_t v = 0; v < n; v++)
    k->list[k->first[part[v]]++] = v;
  for (uint32_t p = parts; p-- > 0;)
    k->first[p] -= k->size[p];
  memset(k->index, 0xff, n * sizeof *k->index);
  /* counting sort by descending size, with from[] as scratch */
  for (uint32_t p = 0; p < parts; p++)
    k->from[n - k->size[p] + 1]++;
  for (uint32_t i = 0; i < n; i++)
    k->from[i + 1] += k->from[i];
  for (uint32_t p = 0; p < parts; p++)
    k->order[k->from[n - k->size[p]]++] = p;
}

enum status pack_map(struct placement *p, const struct parts *parts,
                     const struct general_plan *plan, bool *packed, struct err *e)
{
  ARENA(mem, e);
  const size_t n = p->g->n, count = parts->count;
  struct packing k = {.g = p->g,
                      .m = p->m,
                      .plan = plan,
                      .size = arena_array(&mem, count, sizeof *k.size),
                      .first = arena_array(&mem, count + 1, sizeof *k.first),
                      .list = arena_array(&mem, n, sizeof *k.list),
                      .order = arena_array(&mem, count, sizeof *k.order),
                      .from = arena_array(&mem, n + 1, sizeof *k.from),
                      .index = arena_array(&mem, n, sizeof *k.index),
                      .room = arena_array(&mem, count, sizeof *k.room),
                      .in = arena_array(&mem, count, 1),
                      .slot = p->slot,
                      .e = e};
  struct box all = {.low = {0}};
  memcpy(all.side, p->m->side, sizeof all.side);
  if (arena_status(&mem) != OK)
    return FAIL;
  list_parts(&k, parts->of, parts->count);
  const enum status s = pack(&k, all, k.order, parts->count);
  *packed = s == OK && !k.failed;
  if (*packed)
    p->hops = placement_hops(p, p->slot);
  return s;
}

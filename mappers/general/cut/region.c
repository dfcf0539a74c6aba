#include "mappers/general/cut/region.h"

#include <assert.h>
#include <string.h>

/* Sorts the groups in the order in which Prim's algorithm adds them to a minimum spanning tree: the
 * groups of a cluster are then consecutive, at any scale of distance.  Fills gap[]. */
static enum status order_groups(struct regions *r, struct err *e)
{
  ARENA(room, e);
  const struct target *m = r->m;
  const uint32_t n = m->groups.count;
  uint16_t *near = arena_array(&room, n, sizeof *near);
  uint8_t *taken = arena_array(&room, n, sizeof *taken);
  if (arena_status(&room) != OK)
    return FAIL;
  memset(near, 0xff, n * sizeof *near);
  for (uint32_t i = 0, next = 0; i < n; i++) {
    const uint16_t *row = m->distance + (size_t)next * n;
    uint32_t least = UINT32_MAX;
    r->order[i] = next;
    r->gap[i] = near[next];
    taken[next] = 1;
    for (uint32_t k = 0; k < n; k++) {
      near[k] = row[k] < near[k] ? row[k] : near[k];
      if (!taken[k] && (least == UINT32_MAX || near[k] < near[least]))
        least = k;
    }
    next = least;
  }
  return OK;
}

enum status regions_new(struct regions *r, const struct target *m, struct arena *mem)
{
  *r = (struct regions){.m = m};
  if (m->ndims > 0)
    return arena_status(mem);
  const uint32_t n = m->groups.count, *first = m->groups.first;
  r->order = arena_array(mem, n, sizeof *r->order);
  r->gap = arena_array(mem, n, sizeof *r->gap);
  r->before = arena_array(mem, (size_t)n + 1, sizeof *r->before);
  if (arena_status(mem) != OK || order_groups(r, mem->e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < n; i++)
    r->before[i + 1] = r->before[i] + first[r->order[i] + 1] - first[r->order[i]];
  return OK;
}

bool regions_are_tree(const struct regions *r)
{
  const struct target *m = r->m;
  for (uint32_t i = 1; i < m->groups.count; i++) {
    const uint16_t *row = m->distance + (size_t)r->order[i] * m->groups.count;
    uint16_t most = 0;
    for (uint32_t k = i; k-- > 0;) {
      most = r->gap[k + 1] > most ? r->gap[k + 1] : most;
      if (row[r->order[k]] != most)
        return false;
    }
  }
  return true;
}

struct region region_all(const struct regions *r)
{
  struct region x = {.to = r->m->groups.count};
  memcpy(x.side, r->m->side, sizeof x.side);
  return x;
}

uint32_t region_slots(const struct regions *r, const struct region *x)
{
  uint32_t n = r->m->per_host;
  if (r->m->ndims == 0)
    return n * (r->before[x->to] - r->before[x->from]);
  for (uint32_t d = 0; d < r->m->ndims; d++)
    n *= x->side[d];
  return n;
}

bool region_is_uniform(const struct regions *r, const struct region *x)
{
  if (r->m->ndims == 0)
    return x->to - x->from == 1;
  for (uint32_t d = 0; d < r->m->ndims; d++)
    if (x->side[d] > 1)
      return false;
  return true;
}

static void split_box(const struct regions *r, struct region half[2])
{
  uint32_t longest = 0;
  for (uint32_t d = 1; d < r->m->ndims; d++)
    if (half[0].side[d] >= half[0].side[longest])
      longest = d;
  const uint32_t first = half[0].side[longest] / 2;
  half[1].low[longest] += first;
  half[1].side[longest] -= first;
  half[0].side[longest] = first;
  half[0].axis = half[1].axis = longest;
}

static void split_run(const struct regions *r, struct region half[2])
{
  const uint32_t from = half[0].from, to = half[0].to;
  const uint64_t middle = (uint64_t)r->before[from] + r->before[to];
  uint32_t at = from + 1;
  uint64_t least = UINT64_MAX;
  for (uint32_t i = from + 1; i < to; i++) {
    const uint64_t twice = 2 * (uint64_t)r->before[i];
    const uint64_t off = twice > middle ? twice - middle : middle - twice;
    const uint16_t gap = r->near_middle ? 0 : r->gap[i], most = r->near_middle ? 0 : r->gap[at];
    if (gap > most || (gap == most && off < least)) {
      at = i;
      least = off;
    }
  }
  half[0].to = half[1].from = at;
}

void region_split(const struct regions *r, const struct region *x, struct region half[2])
{
  half[0] = half[1] = *x;
  if (r->m->ndims > 0)
    split_box(r, half);
  else
    split_run(r, half);
}

/* The distance of the first groups of two runs. */
static uint32_t group_distance(const struct regions *r, const struct region *x,
                               const struct region *y)
{
  return r->m->distance[(size_t)r->order[x->from] * r->m->groups.count + r->order[y->from]];
}

/* Twice the hops between the middles of two boxes, along one axis. */
static uint32_t along(const struct target *m, uint32_t d, const struct region *x,
                      const struct region *y)
{
  const uint32_t a = 2 * x->low[d] + x->side[d], b = 2 * y->low[d] + y->side[d];
  const uint32_t apart = a > b ? a - b : b - a;
  return m->wraps[d] && apart > m->side[d] ? 2 * m->side[d] - apart : apart;
}

uint32_t region_hops(const struct regions *r, const struct region *x, const struct region *y)
{
  uint32_t sum = 0;
  if (r->m->ndims == 0)
    return group_distance(r, x, y);
  for (uint32_t d = 0; d < r->m->ndims; d++)
    sum += along(r->m, d, x, y);
  return sum;
}

int32_t region_farther(const struct regions *r, const struct region half[2], const struct region *x)
{
  const uint32_t d = half[0].axis;
  if (r->m->ndims == 0)
    return (int32_t)group_distance(r, &half[1], x) - (int32_t)group_distance(r, &half[0], x);
  return (int32_t)along(r->m, d, &half[1], x) - (int32_t)along(r->m, d, &half[0], x);
}

uint32_t region_host(const struct regions *r, const struct region *x, uint32_t i)
{
  const struct host_groups *g = &r->m->groups;
  assert(r->m->ndims > 0 || x->to - x->from == 1);
  return r->m->ndims == 0 ? g->member[g->first[r->order[x->from]] + i]
                          : target_box_host(r->m, x->low, x->side, i);
}

/* Forwarding tables by minimal hops and by up/down routing, after OpenSM's routing engines minhop
 * and updn (opensm(8)). */
#include <stdlib.h>

#include "common/arena.h"
#include "common/containers/buckets.h"
#include "common/mem.h"
#include "platforms/fabric/ib.h"

struct routing {
  struct ib *x;
  uint32_t *far; /* by switch: cables to the target; FABRIC_NONE: no route */
  bool *falls;   /* by switch: it has a route to the target that leads only downwards */
  uint32_t *queue;
  uint32_t *load;    /* by out: number of ends that use it */
  uint32_t *by_rise; /* switches from the top downwards, for up/down */
  uint16_t *good;    /* scratch: cables of a switch on shortest routes to the target */
};

/* Breadth-first search from the @p count switches in the queue, whose far[] is set.  Follows routes
 * backwards, over the cables that @p may allows. */
static void search(struct routing *r, uint32_t count, uint32_t *far,
                   bool (*may)(const struct routing *, uint32_t from, uint32_t to))
{
  const struct ib *x = r->x;
  for (uint32_t head = 0; head < count; head++) {
    const uint32_t s = r->queue[head];
    for (uint32_t i = x->out_first[s]; i < x->out_first[s + 1]; i++) {
      const uint32_t from = x->out[i].to;
      if (far[from] != FABRIC_NONE || !may(r, from, s))
        continue;
      far[from] = far[s] + 1;
      r->queue[count++] = from;
    }
  }
}

static bool always(const struct routing *r, uint32_t from, uint32_t to)
{
  (void)r;
  (void)from;
  (void)to;
  return true;
}

/* True if a cable leads upwards: to a greater height, or to the later one of two switches of equal
 * height. */
static bool is_up(const struct routing *r, uint32_t from, uint32_t to)
{
  const uint32_t *height = r->x->height;
  return height[to] != height[from] ? height[to] > height[from] : to > from;
}

static bool is_down(const struct routing *r, uint32_t from, uint32_t to)
{
  return is_up(r, to, from);
}

enum status ib_heights(struct ib *x, struct err *e)
{
  ARENA(mem, e);
  const uint32_t switches = x->f.base.switches;
  struct routing r = {.x = x, .queue = arena_array(&mem, switches, sizeof *r.queue)};
  if (r.queue == NULL || (x->height = mem_array(switches, sizeof *x->height, e)) == NULL)
    return FAIL;
  uint32_t count = 0;
  for (uint32_t s = 0; s < switches; s++)
    x->height[s] = FABRIC_NONE;
  for (uint32_t i = 0; i < x->ends; i++)
    if (x->height[x->home[i]] == FABRIC_NONE) {
      x->height[x->home[i]] = 0;
      r.queue[count++] = x->home[i];
    }
  search(&r, count, x->height, always);
  return OK;
}

static void begin(struct routing *r, uint32_t target)
{
  for (uint32_t s = 0; s < r->x->f.base.switches; s++)
    r->far[s] = FABRIC_NONE;
  r->far[target] = 0;
  r->queue[0] = target;
}

static void find_shortest(struct routing *r, uint32_t target)
{
  begin(r, target);
  search(r, 1, r->far, always);
}

/* First finds the routes that only lead down to the target.  Then the other switches go up, by the
 * shortest way, to a switch that has such a route. */
static void find_up_down(struct routing *r, uint32_t target)
{
  const struct ib *x = r->x;
  const uint32_t switches = x->f.base.switches;
  begin(r, target);
  search(r, 1, r->far, is_down);
  for (uint32_t s = 0; s < switches; s++)
    r->falls[s] = r->far[s] != FABRIC_NONE;
  for (uint32_t k = 0; k < switches; k++) {
    const uint32_t s = r->by_rise[k];
    for (uint32_t i = x->out_first[s]; !r->falls[s] && i < x->out_first[s + 1]; i++) {
      const uint32_t to = x->out[i].to;
      if (is_up(r, s, to) && r->far[to] != FABRIC_NONE && r->far[to] + 1 < r->far[s])
        r->far[s] = r->far[to] + 1;
    }
  }
}

/* True if cable @p i of switch @p s is on a shortest route to the target. */
static bool leads_there(const struct routing *r, enum ib_routing routing, uint32_t s, uint32_t i)
{
  const uint32_t to = r->x->out[i].to;
  if (r->far[to] == FABRIC_NONE || r->far[to] + 1 != r->far[s])
    return false;
  if (routing == IB_MIN_HOP)
    return true;
  return r->falls[s] ? is_down(r, s, to) && r->falls[to] : is_up(r, s, to);
}

/* Gives each of the ends @p end[0..count - 1], which are at one switch, a cable of switch @p s. */
static void assign(struct routing *r, enum ib_routing routing, uint32_t s, const uint32_t *end,
                   uint32_t count)
{
  struct ib *x = r->x;
  uint32_t n = 0;
  uint32_t *load = r->load + x->out_first[s];
  for (uint32_t i = x->out_first[s]; i < x->out_first[s + 1]; i++)
    if (leads_there(r, routing, s, i))
      r->good[n++] = (uint16_t)(i - x->out_first[s]);
  for (uint32_t k = 0; n > 0 && k < count; k++) {
    uint32_t least = 0;
    for (uint32_t i = 1; i < n; i++)
      least = load[r->good[i]] < load[r->good[least]] ? i : least;
    x->next[(size_t)s * x->ends + end[k]] = r->good[least];
    load[r->good[least]]++;
  }
}

/* Routes to the ends @p end[0..count - 1] of a switch.  Switches without a route have no cable
 * there: no host needs them if the check of the routes passes. */
static void route_to(struct routing *r, enum ib_routing routing, const uint32_t *end,
                     uint32_t count)
{
  const struct ib *x = r->x;
  const uint32_t target = x->home[end[0]];
  (routing == IB_MIN_HOP ? find_shortest : find_up_down)(r, target);
  for (uint32_t s = 0; s < x->f.base.switches; s++)
    if (s != target && r->far[s] != FABRIC_NONE)
      assign(r, routing, s, end, count);
}

/* Lists the switches by falling height, then by falling number, so that a switch comes after all
 * switches above it. */
static void sort_by_rise(struct routing *r)
{
  const uint32_t switches = r->x->f.base.switches, *height = r->x->height;
  uint32_t n = 0, highest = 0;
  for (uint32_t s = 0; s < switches; s++)
    if (height[s] != FABRIC_NONE && height[s] > highest)
      highest = height[s];
  for (uint32_t h = highest + 1; h-- > 0;)
    for (uint32_t s = switches; s-- > 0;)
      if (height[s] == h)
        r->by_rise[n++] = s;
}

enum status ib_route_all(struct ib *x, enum ib_routing routing, struct err *e)
{
  const uint32_t switches = x->f.base.switches, outs = x->out_first[switches];
  ARENA(mem, e);
  struct routing r = {.x = x,
                      .far = arena_array(&mem, switches, sizeof *r.far),
                      .falls = arena_array(&mem, switches, sizeof *r.falls),
                      .queue = arena_array(&mem, switches, sizeof *r.queue),
                      .load = arena_array(&mem, outs, sizeof *r.load),
                      .by_rise = arena_array(&mem, switches, sizeof *r.by_rise),
                      .good = arena_array(&mem, outs, sizeof *r.good)};
  uint32_t *end = arena_array(&mem, x->ends, sizeof *end);
  uint32_t *first = arena_array(&mem, (size_t)switches + 2, sizeof *first);
  if (arena_status(&mem) != OK)
    return FAIL;
  sort_by_rise(&r);
  buckets_sort(x->home, x->ends, switches, first, end);
  for (uint32_t t = 0; t < switches; t++)
    if (first[t + 1] > first[t])
      route_to(&r, routing, end + first[t], first[t + 1] - first[t]);
  return OK;
}

#include "mappers/refine/swaps.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "mappers/graph.h"
#include "mappers/refine/fixed.h"
#include "mappers/refine/paths.h"
#include "mappers/refine/timing.h"

/* The smooth maximum is a norm of the loads.  Its power starts at 2^FIRST_SQUARINGS and rises to
 * 2^LAST_SQUARINGS: a low power weighs all links, a high power the most loaded. */
enum { FIRST_SQUARINGS = 2, LAST_SQUARINGS = 4 };

/* Weight of the mean load in the smooth measure.  BLEND_MEAN is the weight in the definition of the
 * blend, which value_of() has as an integer.  LINKLOAD_MEAN prefers few hop-bytes among placements
 * whose most loaded links have nearly the same load. */
#define BLEND_MEAN    1.5
#define LINKLOAD_MEAN 0.25

/* --- traffic ---------------------------------------------------------------------------------- */

static enum status count_arcs(struct swaps *s, const struct matrix *m, struct err *e)
{
  for (size_t i = 0; i < m->count; i++) {
    const struct matrix_entry x = matrix_at(m, i);
    if (!graph_counts(&x))
      continue;
    if (__builtin_add_overflow(s->bytes, x.bytes, &s->bytes))
      return err_set(e, "the bytes of the traffic reach 2^64");
    s->heaviest = x.bytes > s->heaviest ? x.bytes : s->heaviest;
    s->first[x.src + 1]++;
    s->first[x.dst + 1]++;
  }
  for (uint32_t r = 0; r < s->ranks; r++)
    s->first[r + 1] += s->first[r];
  return OK;
}

static enum status take_traffic(struct swaps *s, const struct matrix *m, struct err *e)
{
  ARENA(room, e);
  size_t *next = arena_array(&room, s->ranks, sizeof *next);
  if (next == NULL || graph_check(m, s->ranks, e) != OK ||
      (s->first = arena_array(&s->mem, (size_t)s->ranks + 1, sizeof *s->first)) == NULL ||
      count_arcs(s, m, e) != OK ||
      (s->arc = arena_array(&s->mem, s->first[s->ranks], sizeof *s->arc)) == NULL)
    return FAIL;
  memcpy(next, s->first, s->ranks * sizeof *next);
  for (size_t i = 0; i < m->count; i++) {
    const struct matrix_entry x = matrix_at(m, i);
    if (!graph_counts(&x))
      continue;
    const struct swaps_arc arc = {.rank = x.dst, .pair = s->pairs++, .bytes = x.bytes};
    s->arc[next[x.src]++] = arc;
    s->arc[next[x.dst]] = arc;
    s->arc[next[x.dst]].rank = x.src;
    s->arc[next[x.dst]++].in = 1;
  }
  return OK;
}

/* --- slots and links -------------------------------------------------------------------------- */

static enum status take_hosts(struct swaps *s, const uint32_t *host)
{
  s->slot = arena_array(&s->mem, s->ranks, sizeof *s->slot);
  s->host = arena_array(&s->mem, s->ranks, sizeof *s->host);
  s->at = arena_array(&s->mem, s->slots, sizeof *s->at);
  if (arena_status(&s->mem) != OK)
    return FAIL;
  memset(s->at, 0xff, s->slots * sizeof *s->at);
  for (uint32_t r = 0; r < s->ranks; r++) {
    uint32_t slot = host[r] * s->per_host;
    while (s->at[slot] != SWAPS_NOBODY)
      slot++;
    s->at[slot] = r;
    s->slot[r] = slot;
    s->host[r] = host[r];
  }
  return OK;
}

/* Counts the links.  If their bandwidths differ and the objective is the most loaded link, fills
 * the bandwidths and scales, so that loads count in seconds. */
static enum status compare_links(struct swaps *s, const struct platform *p)
{
  double least = INFINITY, most = 0;
  for (uint32_t i = 0; i < s->ids; i++) {
    if (!platform_has_link(p, i) || platform_is_loopback(p, i))
      continue;
    const struct platform_link l = platform_link(p, i);
    s->links++;
    s->fat = s->fat || l.fat;
    if (s->fixed != NULL && s->fixed[i])
      continue;
    least = !l.fat && l.bandwidth < least ? l.bandwidth : least;
    most = !l.fat && l.bandwidth > most ? l.bandwidth : most;
  }
  if (least >= most || s->objective != OBJECTIVE_LINKLOAD)
    return OK;
  s->bandwidth = arena_array(&s->mem, s->ids, sizeof *s->bandwidth);
  s->scale = arena_array(&s->mem, s->ids, sizeof *s->scale);
  if (arena_status(&s->mem) != OK)
    return FAIL;
  for (uint32_t i = 0; i < s->ids; i++) {
    s->bandwidth[i] = platform_link(p, i).bandwidth;
    s->scale[i] = least / s->bandwidth[i];
  }
  return OK;
}

/* For OBJECTIVE_LINKLOAD, only links count whose loads depend on the mapping. */
static enum status find_fixed(struct swaps *s, const struct mapper_input *in, struct err *e)
{
  bool found;
  if (s->objective != OBJECTIVE_LINKLOAD)
    return OK;
  if ((s->fixed = arena_array(&s->mem, s->ids, 1)) == NULL ||
      fixed_links(s->fixed, &found, in, e) != OK)
    return FAIL;
  s->fixed = found ? s->fixed : NULL;
  return OK;
}

static enum status take_links(struct swaps *s, const struct platform *p)
{
  s->link = arena_array(&s->mem, s->ids, sizeof *s->link);
  s->touched = arena_array(&s->mem, (size_t)s->ids + 1, sizeof *s->touched);
  s->mark = arena_array(&s->mem, s->ids, 1);
  return arena_status(&s->mem) == OK ? compare_links(s, p) : FAIL;
}

/* A key that sorts links by load: the bytes, or the bits of the seconds, whose order is the order
 * of doubles that are not negative. */
static uint64_t key_of(const struct swaps *s, uint32_t link)
{
  if (s->bandwidth == NULL)
    return s->link[link].load;
  const double seconds = (double)s->link[link].load / s->bandwidth[link];
  uint64_t bits;
  memcpy(&bits, &seconds, sizeof bits);
  return bits;
}

static double power_of(const struct swaps *s, uint32_t link, uint64_t load)
{
  double x = (double)load * (s->scale == NULL ? 1 : s->scale[link]) / s->unit;
  for (int i = 0; i < s->squarings; i++)
    x *= x;
  return x;
}

/* --- changes ---------------------------------------------------------------------------------- */

/* Adds bytes along a route to the deltas.  Negative bytes remove traffic. */
static void add_route(struct swaps *s, uint32_t src, uint32_t dst, int64_t bytes)
{
  if (s->objective == OBJECTIVE_HOPBYTES) {
    s->hop_change += bytes * (int64_t)routes_hops(s->routes, src, dst);
    return;
  }
  const struct route r = routes_find(s->routes, src, dst);
  s->hop_change += bytes * (int64_t)r.hops;
  uint32_t n = s->touches;
  for (uint32_t i = 0; i < r.links; i++) {
    const uint32_t l = r.link[i];
    s->link[l].delta += bytes;
    s->touched[n] = l;
    n += !s->mark[l];
    s->mark[l] = 1;
  }
  s->touches = n;
}

/* Moves the arcs of a rank from host @p a to @p b while rank @p other moves the opposite way.
 * @p leave: skips the arc between the two. */
static void move_arcs(struct swaps *s, uint32_t rank, uint32_t a, uint32_t b, uint32_t other,
                      bool leave)
{
  for (size_t i = s->first[rank]; i < s->first[rank + 1]; i++) {
    const struct swaps_arc *x = &s->arc[i];
    const uint32_t old = s->host[x->rank], now = x->rank == other ? a : old;
    const int64_t bytes = (int64_t)x->bytes;
    if (x->rank == other && leave)
      continue;
    if (x->in) {
      add_route(s, old, a, -bytes);
      add_route(s, now, b, bytes);
    } else {
      add_route(s, a, old, -bytes);
      add_route(s, b, now, bytes);
    }
  }
}

/* Returns the change of the sum of powers. */
static double sum_powers(struct swaps *s)
{
  double sum = 0;
  for (uint32_t i = 0; i < s->touches; i++) {
    struct swaps_link *l = &s->link[s->touched[i]];
    l->fresh = l->delta == 0 ? l->power : power_of(s, s->touched[i], l->load + (uint64_t)l->delta);
    sum += l->fresh - l->power;
  }
  return sum;
}

double swaps_try(struct swaps *s, uint32_t rank, uint32_t target)
{
  const uint32_t a = s->host[rank], b = target / s->per_host, other = s->at[target];
  s->rank = rank;
  s->target = target;
  s->hop_change = 0;
  s->power_change = 0;
  if (a == b)
    return 0;
  if (s->objective == OBJECTIVE_TIME)
    return timing_try(s->timing, s);
  move_arcs(s, rank, a, b, other, false);
  if (other != SWAPS_NOBODY)
    move_arcs(s, other, b, a, rank, true);
  if (s->objective == OBJECTIVE_HOPBYTES)
    return (double)s->hop_change;
  if (s->objective == OBJECTIVE_RMATT)
    return paths_try(s->paths, s);
  s->power_change = sum_powers(s);
  return s->hop_weight * (double)s->hop_change + s->slope * s->power_change;
}

void swaps_drop(struct swaps *s)
{
  if (s->timing != NULL)
    timing_drop(s->timing);
  for (uint32_t i = 0; i < s->touches; i++) {
    s->link[s->touched[i]].delta = 0;
    s->mark[s->touched[i]] = 0;
  }
  s->touches = 0;
}

/* Changes the load of a link by its delta, and updates the largest key while a link has it.  When
 * no link has it any more, find_top() scans all links, which takes less than 1 % of the time of a
 * search.  A heap or a tree would be updated for each changed link. */
static void change_load(struct swaps *s, uint32_t link)
{
  struct swaps_link *l = &s->link[link];
  if (l->delta == 0)
    return;
  s->tops -= s->tops > 0 && key_of(s, link) == s->top;
  l->load += (uint64_t)l->delta;
  l->power = l->fresh;
  const uint64_t key = key_of(s, link);
  if (key > s->top) {
    s->top = key;
    s->tops = 1;
  } else {
    s->tops += s->tops > 0 && key == s->top;
  }
}

static void exchange(struct swaps *s)
{
  const uint32_t source = s->slot[s->rank], other = s->at[s->target];
  s->at[source] = other;
  if (other != SWAPS_NOBODY) {
    s->slot[other] = source;
    s->host[other] = source / s->per_host;
  }
  s->at[s->target] = s->rank;
  s->slot[s->rank] = s->target;
  s->host[s->rank] = s->target / s->per_host;
}

void swaps_take(struct swaps *s)
{
  if (s->timing != NULL)
    timing_take(s->timing);
  for (uint32_t i = 0; i < s->touches; i++)
    change_load(s, s->touched[i]);
  swaps_drop(s);
  s->hop_bytes += (uint64_t)s->hop_change;
  s->sum += s->power_change;
  if (s->paths != NULL)
    paths_take(s->paths, s);
  exchange(s);
}

/* --- values ----------------------------------------------------------------------------------- */

/* The largest key of a link. */
static uint64_t find_top(struct swaps *s)
{
  if (s->tops > 0)
    return s->top;
  s->top = 0;
  for (uint32_t i = 0; i < s->ids; i++) {
    const uint64_t key = s->link[i].load == 0 ? 0 : key_of(s, i);
    s->tops = key > s->top ? 1 : s->tops + (key == s->top);
    s->top = key > s->top ? key : s->top;
  }
  return s->top;
}

static swaps_value value_of(const struct swaps *s, uint64_t top, uint64_t hop_bytes)
{
  switch (s->objective) {
  case OBJECTIVE_LINKLOAD:
    return (swaps_value)top << 64 | hop_bytes;
  case OBJECTIVE_BLEND:
    return (swaps_value)top * 2 * s->links + (swaps_value)hop_bytes * 3;
  case OBJECTIVE_RMATT:
    return paths_value(s->paths);
  case OBJECTIVE_TIME:
    return (swaps_value)(timing_value(s->timing) * 1e18);
  default:
    return hop_bytes;
  }
}

swaps_value swaps_now(struct swaps *s)
{
  const bool counts_links = s->objective == OBJECTIVE_LINKLOAD || s->objective == OBJECTIVE_BLEND;
  return value_of(s, counts_links ? find_top(s) : 0, s->hop_bytes);
}

swaps_value swaps_bound(const struct swaps *s)
{
  if (s->per_host > 1 || s->bandwidth != NULL || s->timing != NULL || s->paths != NULL)
    return 0;
  return value_of(s, s->fat || s->fixed != NULL ? 0 : s->heaviest, s->bytes);
}

void swaps_refresh(struct swaps *s, double share)
{
  double most = 0;
  if (s->timing != NULL)
    timing_refresh(s->timing);
  if (s->objective != OBJECTIVE_LINKLOAD && s->objective != OBJECTIVE_BLEND)
    return;
  const int more = (int)(share * (LAST_SQUARINGS - FIRST_SQUARINGS + 1));
  s->squarings = FIRST_SQUARINGS + more > LAST_SQUARINGS ? LAST_SQUARINGS : FIRST_SQUARINGS + more;
  const double power = 1 << s->squarings;
  for (uint32_t i = 0; i < s->ids; i++) {
    const double load = (double)s->link[i].load * (s->scale == NULL ? 1 : s->scale[i]);
    most = load > most ? load : most;
  }
  s->unit = most > 0 ? most : 1;
  s->sum = 0;
  for (uint32_t i = 0; i < s->ids; i++)
    s->sum += s->link[i].power = power_of(s, i, s->link[i].load);
  const double mean = s->objective == OBJECTIVE_BLEND ? BLEND_MEAN : LINKLOAD_MEAN;
  s->hop_weight = s->links == 0 ? 0 : mean / s->links;
  s->slope = s->sum > 0 ? s->unit * pow(s->sum, 1 / power) / (power * s->sum) : 0;
}

/* --- construction ----------------------------------------------------------------------------- */

/* Fills the loads of the initial placement. */
static enum status fill_loads(struct swaps *s, struct err *e)
{
  s->hop_change = 0;
  for (uint32_t r = 0; r < s->ranks; r++)
    for (size_t i = s->first[r]; i < s->first[r + 1]; i++)
      if (!s->arc[i].in)
        add_route(s, s->host[r], s->host[s->arc[i].rank], (int64_t)s->arc[i].bytes);
  for (uint32_t i = 0; i < s->touches; i++) {
    struct swaps_link *l = &s->link[s->touched[i]];
    l->load = (uint64_t)l->delta;
  }
  swaps_drop(s);
  s->hop_bytes = (uint64_t)s->hop_change;
  return routes_check(s->routes, e);
}

static enum status find_routes(struct swaps *s, const struct platform *p, struct err *e)
{
  const uint64_t most = (UINT64_C(1) << 62) / (s->bytes + 1);
  return routes_new(&s->routes, p, most < UINT32_MAX ? (uint32_t)most : UINT32_MAX, s->fixed, e);
}

enum status swaps_new(struct swaps *s, const struct mapper_input *in, enum objective objective,
                      const uint32_t *host, struct err *e)
{
  *s = (struct swaps){.mem = {.e = e},
                      .objective = objective,
                      .ranks = in->ranks,
                      .per_host = in->ranks_per_host < in->ranks ? in->ranks_per_host : in->ranks,
                      .hosts = platform_hosts(in->platform),
                      .capacity = in->capacity};
  s->slots = s->hosts * s->per_host;
  if ((uint64_t)s->hosts * s->per_host > UINT32_MAX / 2)
    return err_set(e, "%" PRIu32 " hosts with %" PRIu32 " ranks each are too many", s->hosts,
                   s->per_host);
  s->ids = platform_link_ids(in->platform);
  if (take_traffic(s, in->traffic, e) != OK || find_fixed(s, in, e) != OK ||
      take_hosts(s, host) != OK || take_links(s, in->platform) != OK ||
      find_routes(s, in->platform, e) != OK || fill_loads(s, e) != OK ||
      (objective == OBJECTIVE_RMATT && paths_new(&s->paths, s, e) != OK) ||
      (objective == OBJECTIVE_TIME && timing_new(&s->timing, s, in, e) != OK)) {
    swaps_clear(s);
    return FAIL;
  }
  swaps_refresh(s, 0);
  return OK;
}

void swaps_clear(struct swaps *s)
{
  routes_free(s->routes);
  paths_free(s->paths);
  timing_free(s->timing);
  arena_clear(&s->mem);
  *s = (struct swaps){0};
}

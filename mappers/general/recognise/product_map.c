/* product_map() of product.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/numeric/rising.h"
#include "mappers/general/anneal/anneal_groups.h"
#include "mappers/general/cut/bisect.h"
#include "mappers/general/recognise/product.h"

enum {
  MOST_DIGITS = 32, /* slot numbers have 32 bits, and digits are at least 2 */
  MOST_AXES = GRID_MAX_DIMS + 1,
  MOST_WEIGHED = 2048, /* limit of the ways to divide the digits among factors */
  MOST_KEPT = 32,      /* limit of the ways with the lowest bounds, which are tried */
  GRID_KEPT = 12,      /* the same on a grid, where the bound is tighter */
  MOST_ANNEALED = 2,   /* limit of the best ways, which are annealed, too */
  MANY = 1024,         /* tasks up to which only one way is annealed */
  ARCS = 50,           /* limit of the arcs of factors in all ways that are tried, per task */
  SWEEPS = 1000,       /* limit of the annealing sweeps of a factor */
  TESTS = 125,         /* limit of the annealing tests of a factor, per task */
  CUTS = 4,            /* first cuts of a factor before annealing */
  SAMPLES = 4,         /* values of a coordinate for which distances are sampled */
  MOST_VALUES = 2048   /* number of values of a coordinate above which the values keep their
                          order */
};

/* A digit of the slot numbers: it counts values of the coordinate of one factor. */
struct digit {
  uint32_t factor, size, stride;
};

/* A way to divide the digits of the slot numbers among the factors. */
struct way {
  uint32_t digits;
  struct digit digit[MOST_DIGITS];
  double hops; /* lower bound of the hops of a task's edges; later the hops of the placement */
};

struct product_search {
  const struct product *f;
  struct placement *p;
  uint64_t seed;
  uint32_t axes; /* of the slot numbers: slots of a host, and the axes of the grid */
  uint32_t side[MOST_AXES];
  uint32_t stride[MOST_AXES];
  uint64_t after[MOST_AXES];   /* product of the sides of the later axes */
  uint32_t left[PRODUCT_MOST]; /* by factor: number of values, divided by the sizes of its digits so
                                  far */
  double *heavy[PRODUCT_MOST]; /* by factor: mean over its tasks of the weight of the heaviest edge,
                                  of the second heaviest, ... */
  uint32_t heavies[PRODUCT_MOST]; /* by factor: entries of heavy[] */
  uint32_t *room, *slot;
  struct way now, best[MOST_KEPT];
  uint32_t count, most, weighed;
};

/* --- the cost of a way ------------------------------------------------------------------------ */

/* The slot of a value of a coordinate if all other coordinates are 0. */
static uint32_t offset_of(const struct way *w, uint32_t factor, uint32_t value)
{
  uint32_t slot = 0;
  for (uint32_t i = 0; i < w->digits; i++) {
    const struct digit *d = &w->digit[i];
    if (d->factor != factor)
      continue;
    slot += value % d->size * d->stride;
    value /= d->size;
  }
  return slot;
}

static void list_offsets(const struct way *w, uint32_t factor, uint32_t n, uint32_t *offset)
{
  for (uint32_t i = 0; i < n; i++)
    offset[i] = offset_of(w, factor, i);
}

static uint32_t hops_between(const struct target *m, uint32_t slot, uint32_t other)
{
  return target_hops(m, slot / m->per_host, other / m->per_host);
}

/* A lower bound of the hops of a task's edges of one factor: as if its heaviest edge led to the
 * nearest slot, the next one to the next slot, and so on. */
static double bound_of(const struct product_search *s, uint32_t factor)
{
  const uint32_t n = s->f->factor[factor].n, samples = n < SAMPLES ? n : SAMPLES;
  uint32_t *offset = s->room, *hops = s->room + n;
  double sum = 0;
  list_offsets(&s->now, factor, n, offset);
  for (uint32_t i = 0; i < samples; i++) {
    for (uint32_t k = 0; k < n; k++)
      hops[k] = hops_between(s->p->m, offset[(uint64_t)i * n / samples], offset[k]);
    qsort(hops, n, sizeof *hops, rising_u32); /* the first is the slot itself */
    for (uint32_t k = 0; k < s->heavies[factor]; k++)
      sum += s->heavy[factor][k] * hops[k + 1];
  }
  return sum / samples;
}

/* Keeps the way if it is among the best.  Of ways with equal bounds, usually mirror images, keeps
 * the first. */
static void weigh(struct product_search *s)
{
  uint32_t i = 0;
  s->weighed++;
  s->now.hops = 0;
  for (uint32_t k = 0; k < s->f->count; k++)
    s->now.hops += bound_of(s, k);
  while (i < s->count && s->best[i].hops < s->now.hops * (1 - 1e-9))
    i++;
  if (i == s->most || (i < s->count && s->best[i].hops <= s->now.hops * (1 + 1e-9)))
    return;
  s->count += s->count < s->most;
  for (uint32_t k = s->count - 1; k > i; k--)
    s->best[k] = s->best[k - 1];
  s->best[i] = s->now;
}

/* --- all ways --------------------------------------------------------------------------------- */

static void share(struct product_search *s, uint32_t axis, uint32_t taken, uint32_t used);

/* Adds a digit of a factor and continues the division. */
static void add_digit(struct product_search *s, uint32_t axis, uint32_t taken, uint32_t used,
                      const struct digit *d)
{
  s->now.digit[s->now.digits++] = *d;
  s->left[d->factor] /= d->size;
  share(s, axis, taken * d->size, used | 1u << d->factor);
  s->left[d->factor] *= d->size;
  s->now.digits--;
}

static uint32_t least_divisor(uint32_t n)
{
  uint32_t d = 2;
  while (d * d <= n && n % d != 0)
    d++;
  return n % d == 0 ? d : n;
}

/* Divides the axes from @p axis on.  The digits of @p axis so far have @p taken values in all, and
 * belong to the factors in the set @p used.  On a grid, a factor gets at most one digit per axis;
 * on other machines, any number of prime digits. */
static void share(struct product_search *s, uint32_t axis, uint32_t taken, uint32_t used)
{
  const bool grid = s->p->m->ndims > 0;
  const uint32_t room = s->side[axis] / taken;
  uint64_t left = 1;
  for (uint32_t k = 0; k < s->f->count; k++)
    left *= s->left[k];
  if (left == 1)
    weigh(s);
  if (left == 1 || left > room * s->after[axis])
    return;
  for (uint32_t k = 0; k < s->f->count; k++) {
    const uint32_t all = s->left[k], least = all == 1 ? 2 : least_divisor(all);
    for (uint32_t size = grid ? all : least; size >= least && size > 1; size--) {
      const struct digit d = {k, size, s->stride[axis] * taken};
      if (all % size == 0 && size <= room && !(grid && used >> k & 1) && s->weighed < MOST_WEIGHED)
        add_digit(s, axis, taken, used, &d);
    }
  }
  if (axis + 1 < s->axes)
    share(s, axis + 1, 1, 0);
}

static void set_axes(struct product_search *s)
{
  const struct target *m = s->p->m;
  uint32_t stride = 1;
  uint64_t after = 1;
  if (m->ndims == 0)
    s->side[s->axes++] = m->slots;
  else if (m->per_host > 1)
    s->side[s->axes++] = m->per_host;
  for (uint32_t d = 0; d < m->ndims; d++)
    s->side[s->axes++] = m->side[d];
  for (uint32_t a = 0; a < s->axes; a++) {
    s->stride[a] = stride;
    stride *= s->side[a];
  }
  for (uint32_t a = s->axes; a-- > 0;) {
    s->after[a] = after;
    after *= s->side[a];
  }
}

/* --- a way ------------------------------------------------------------------------------------ */

/* True if each value is a partner of each other value: then all orders of the values have equal
 * hops. */
static bool is_complete(const struct graph *g)
{
  return g->first[g->n] == (uint64_t)g->n * (g->n - 1);
}

/* Makes a machine of the slots of a factor's values. */
static enum status make_target(struct target *out, const struct target *m, const uint32_t *offset,
                               uint32_t n, struct arena *mem)
{
  const struct host_groups one_each = {.hosts = n,
                                       .count = n,
                                       .of = arena_array(mem, n, sizeof *one_each.of),
                                       .first =
                                           arena_array(mem, (size_t)n + 1, sizeof *one_each.first),
                                       .member = arena_array(mem, n, sizeof *one_each.member)};
  *out = (struct target){.hosts = n,
                         .per_host = 1,
                         .slots = n,
                         .groups = one_each,
                         .distance = arena_array(mem, (size_t)n * n, sizeof *out->distance)};
  if (arena_status(mem) != OK)
    return FAIL;
  for (uint32_t a = 0; a < n; a++) {
    one_each.of[a] = one_each.first[a] = one_each.member[a] = a;
    for (uint32_t b = 0; b < a; b++) {
      const uint16_t hops = (uint16_t)hops_between(m, offset[a], offset[b]);
      out->distance[(size_t)a * n + b] = out->distance[(size_t)b * n + a] = hops;
    }
  }
  one_each.first[n] = n;
  return OK;
}

/* Reorders offset[], by value, to the best placement of the factor. */
static enum status order_values(const struct product_search *s, uint32_t factor, bool anneal,
                                uint32_t *offset, struct err *e)
{
  const struct graph *g = &s->f->factor[factor];
  ARENA(mem, e);
  struct target m;
  uint32_t *at = arena_array(&mem, g->n, sizeof *at), *old = arena_array(&mem, g->n, sizeof *old);
  struct placement p = {.g = g, .m = &m, .slot = at, .hops = UINT64_MAX};
  struct anneal_plan plan = {.start = 0.3, .end = 0.02, .seed = s->seed};
  plan.work = fmin(SWEEPS, (double)TESTS * s->p->g->n / g->n);
  if (make_target(&m, s->p->m, offset, g->n, &mem) != OK ||
      bisect_map(&p, &(struct bisect_plan){.tries = anneal ? CUTS : 1, .seed = s->seed}, e) != OK ||
      (anneal && anneal_groups(&p, &plan, e) != OK))
    return FAIL;
  memcpy(old, offset, g->n * sizeof *old);
  for (uint32_t v = 0; v < g->n; v++)
    offset[v] = old[at[v]];
  return OK;
}

/* Places the tasks by a way, and sets its hops. */
static enum status try_way(struct product_search *s, struct way *w, bool anneal, struct err *e)
{
  const uint32_t n = s->p->g->n;
  memset(s->slot, 0, n * sizeof *s->slot);
  for (uint32_t k = 0; k < s->f->count; k++) {
    const struct graph *g = &s->f->factor[k];
    list_offsets(w, k, g->n, s->room);
    if (!is_complete(g) && g->n <= MOST_VALUES && order_values(s, k, anneal, s->room, e) != OK)
      return FAIL;
    for (uint32_t v = 0; v < n; v++)
      s->slot[v] += s->room[s->f->at[(size_t)v * PRODUCT_MOST + k]];
  }
  w->hops = (double)placement_hops(s->p, s->slot);
  placement_improve(s->p, s->slot);
  return OK;
}

static int by_hops(const void *a, const void *b)
{
  const struct way *x = a, *y = b;
  return RISING(x->hops, y->hops);
}

/* Prunes: true if even the lower bound of this way is not below the hops of the best placement.
 * The bound counts an edge at both ends. */
static bool is_hopeless(const struct product_search *s, const struct way *w)
{
  return w->hops * s->p->g->n / 2 >= (double)s->p->hops;
}

/* Tries the ways with the lowest bounds first, then anneals the best ones. */
static enum status try_ways(struct product_search *s, struct err *e)
{
  enum status status = OK;
  uint32_t tried = 0;
  while (tried < s->count && status == OK && !is_hopeless(s, &s->best[tried]))
    status = try_way(s, &s->best[tried++], false, e);
  s->count = tried;
  qsort(s->best, s->count, sizeof *s->best, by_hops);
  const uint32_t annealed = s->p->g->n > MANY ? MOST_ANNEALED : 1;
  for (uint32_t i = 0; i < s->count && i < annealed && status == OK; i++)
    status = try_way(s, &s->best[i], true, e);
  return status;
}

/* --- all -------------------------------------------------------------------------------------- */

/* The number of ways to keep. */
static uint32_t count_of(const struct product_search *s)
{
  const uint32_t most = s->p->m->ndims > 0 ? GRID_KEPT : MOST_KEPT;
  uint64_t arcs = 1;
  for (uint32_t k = 0; k < s->f->count; k++)
    arcs += is_complete(&s->f->factor[k]) ? 0 : s->f->factor[k].first[s->f->factor[k].n];
  const uint64_t count = (uint64_t)ARCS * s->p->g->n / arcs;
  return count < MOST_ANNEALED ? MOST_ANNEALED : count < most ? (uint32_t)count : most;
}

static int falling(const void *a, const void *b)
{
  return rising_u32(b, a);
}

/* Fills heavy[] for a factor. */
static enum status weigh_edges(struct product_search *s, uint32_t factor, struct arena *mem)
{
  const struct graph *g = &s->f->factor[factor];
  double *heavy = arena_array(mem, g->n, sizeof *heavy);
  if ((s->heavy[factor] = heavy) == NULL)
    return FAIL;
  for (uint32_t v = 0; v < g->n; v++) {
    const uint32_t degree = graph_degree(g, v);
    memcpy(s->room, g->weight + g->first[v], degree * sizeof *s->room);
    qsort(s->room, degree, sizeof *s->room, falling);
    for (uint32_t i = 0; i < degree; i++)
      heavy[i] += (double)s->room[i] / g->n;
    s->heavies[factor] = degree > s->heavies[factor] ? degree : s->heavies[factor];
  }
  return OK;
}

enum status product_map(const struct product *f, struct placement *p, uint64_t seed, struct err *e)
{
  ARENA(mem, e);
  struct product_search s = {.f = f,
                             .p = p,
                             .seed = seed,
                             .room = arena_array(&mem, p->g->n, 2 * sizeof *s.room),
                             .slot = arena_array(&mem, p->g->n, sizeof *s.slot)};
  if (arena_status(&mem) != OK)
    return FAIL;
  s.most = count_of(&s);
  set_axes(&s);
  for (uint32_t k = 0; k < f->count; k++) {
    s.left[k] = f->factor[k].n;
    if (weigh_edges(&s, k, &mem) != OK)
      return FAIL;
  }
  share(&s, 0, 1, 0);
  return try_ways(&s, e);
}

#include "mappers/general/butterfly.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/rng.h"
#include "mappers/general/parallel.h"

enum {
  MOST_BITS = 24,
  SAMPLES = 256, /* edges */
  TESTS = 20000, /* of annealing, of each start */
  STARTS = 3
};

/* Edges lighter than this share of the heaviest are no part of the structure. */
#define LIGHT 0.03

/* Temperatures of annealing, in hops. */
#define FIRST_HEAT 0.1
#define LAST_HEAT  0.005

#define NONE UINT32_MAX

struct cubes {
  const struct graph *g;
  struct parallel p;
  uint8_t *kept;   /* by class */
  uint32_t *cube;  /* by task: its hypercube */
  uint32_t *local; /* by task: its address there */
  uint32_t *queue;
  uint32_t *partner;    /* by task: the cube of its partner elsewhere; its own if it has none */
  uint32_t *name;       /* by cube: bits */
  uint32_t *address;    /* by task */
  uint32_t cubes, bits; /* of local addresses */
  uint32_t *bit_of;     /* by class: its bit in the cube at hand, + 1 */
};

/* --- addresses -------------------------------------------------------------------------------- */

static int rising(const void *a, const void *b)
{
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Keeps the classes of at least half the size of that of the middle edge. */
static void choose_classes(struct cubes *c)
{
  const uint32_t n = c->p.classes;
  uint32_t all = 0, sum = 0, middle = 0;
  memcpy(c->queue, c->p.size, n * sizeof *c->queue);
  qsort(c->queue, n, sizeof *c->queue, rising);
  for (uint32_t i = 0; i < n; i++)
    all += c->queue[i];
  for (uint32_t i = 0; i < n && 2 * sum < all; i++) {
    sum += c->queue[i];
    middle = c->queue[i];
  }
  for (uint32_t i = 0; i < n; i++)
    c->kept[i] = 2 * c->p.size[i] >= middle;
}

static bool is_kept(const struct cubes *c, uint32_t arc)
{
  const uint32_t class = c->p.class[c->p.edge[arc]];
  return class != NONE && c->kept[class];
}

/* Addresses the cube of @p root; false if it is none of c->bits bits. */
static bool walk(struct cubes *c, uint32_t root, uint32_t number)
{
  const struct graph *g = c->g;
  uint32_t count = 1, bits = 0;
  uint32_t used[MOST_BITS];
  bool fits = true;
  c->queue[0] = root;
  c->cube[root] = number;
  c->local[root] = 0;
  for (uint32_t i = 0; i < count && fits; i++) {
    const uint32_t v = c->queue[i];
    uint32_t seen = 0;
    for (uint32_t a = g->first[v]; a < g->first[v + 1] && fits; a++) {
      if (!is_kept(c, a))
        continue;
      const uint32_t class = c->p.class[c->p.edge[a]], u = g->to[a];
      if (c->bit_of[class] == 0 && (fits = bits < MOST_BITS)) {
        used[bits] = class;
        c->bit_of[class] = ++bits;
      }
      const uint32_t mask = fits ? 1u << (c->bit_of[class] - 1) : 0;
      fits = fits && (seen & mask) == 0;
      seen |= mask;
      if (c->cube[u] == NONE && fits) {
        c->cube[u] = number;
        c->local[u] = c->local[v] ^ mask;
        c->queue[count++] = u;
      }
      fits = fits && c->cube[u] == number && c->local[u] == (c->local[v] ^ mask);
    }
  }
  for (uint32_t i = 0; i < bits; i++)
    c->bit_of[used[i]] = 0;
  if (number == 0)
    c->bits = bits;
  return fits && bits == c->bits && count == 1u << bits;
}

static bool find_cubes(struct cubes *c)
{
  uint32_t most = 0;
  for (uint32_t a = 0; a < c->g->first[c->g->n]; a++)
    most = c->g->weight[a] > most ? c->g->weight[a] : most;
  for (uint32_t a = 0; a < c->g->first[c->g->n]; a++)
    c->p.in[c->p.edge[a]] = c->g->weight[a] >= LIGHT * most;
  parallel_find(&c->p);
  choose_classes(c);
  memset(c->cube, 0xff, c->g->n * sizeof *c->cube);
  for (uint32_t v = 0; v < c->g->n; v++)
    if (c->cube[v] == NONE && !walk(c, v, c->cubes++))
      return false;
  return c->bits > 0;
}

/* The cube of each task's one partner outside its own; false if a task has several. */
static bool find_partners(struct cubes *c)
{
  const struct graph *g = c->g;
  for (uint32_t v = 0; v < g->n; v++) {
    c->partner[v] = c->cube[v];
    for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
      const uint32_t there = c->cube[g->to[a]];
      if (!c->p.in[c->p.edge[a]] || there == c->cube[v])
        continue;
      if (c->partner[v] != c->cube[v])
        return false;
      c->partner[v] = there;
    }
  }
  return true;
}

/* The bit of a cube whose flip keeps the partner's cube; c->bits: none, NONE: it is not so. */
static uint32_t spare_bit(const struct cubes *c, const uint32_t *partner_of)
{
  for (uint32_t b = 0; b < c->bits; b++) {
    uint32_t same = 0;
    for (uint32_t a = 0; a < 1u << c->bits; a++)
      same += partner_of[a] == partner_of[a ^ 1u << b];
    if (same == 1u << c->bits)
      return b;
  }
  return c->bits;
}

static uint32_t without_bit(uint32_t address, uint32_t bit)
{
  const uint32_t low = address & ((1u << bit) - 1);
  return low | (address >> 1 & ~((1u << bit) - 1));
}

/* Names the cubes by the addresses of the first cube's tasks whose partners are in them. */
static bool name_cubes(struct cubes *c, uint32_t spare)
{
  memset(c->name, 0xff, c->cubes * sizeof *c->name);
  for (uint32_t v = 0; v < c->g->n; v++) {
    if (c->cube[v] != 0)
      continue;
    const uint32_t name = spare < c->bits ? without_bit(c->local[v], spare) : c->local[v];
    if (c->name[c->partner[v]] != NONE && c->name[c->partner[v]] != name)
      return false;
    c->name[c->partner[v]] = name;
  }
  for (uint32_t k = 0; k < c->cubes; k++)
    if (c->name[k] == NONE)
      return false;
  return true;
}

/* Addresses: the name of the partner's cube, that of its own, and the spare bit. */
static bool join_cubes(struct cubes *c)
{
  const uint32_t size = 1u << c->bits;
  uint32_t width = 0;
  while (1u << width < c->cubes)
    width++;
  if (1u << width != c->cubes || (width != c->bits && width + 1 != c->bits) || !find_partners(c))
    return false;
  uint32_t *partner_of = c->queue;
  for (uint32_t k = 0; k < c->cubes; k++) {
    for (uint32_t v = 0; v < c->g->n; v++)
      if (c->cube[v] == k)
        partner_of[c->local[v]] = c->partner[v];
    const uint32_t spare = width < c->bits ? spare_bit(c, partner_of) : c->bits;
    if ((width < c->bits && spare == c->bits) || (k == 0 && !name_cubes(c, spare)))
      return false;
    for (uint32_t v = 0; v < c->g->n; v++)
      if (c->cube[v] == k)
        c->address[v] = c->name[c->partner[v]] | c->name[k] << width |
                        (spare < c->bits ? (c->local[v] >> spare & 1) << 2 * width : 0);
  }
  return size > 1;
}

/* Are the addresses those of all tasks, each once? */
static bool are_unique(struct cubes *c)
{
  memset(c->queue, 0, c->g->n * sizeof *c->queue);
  for (uint32_t v = 0; v < c->g->n; v++)
    if (c->address[v] >= c->g->n || c->queue[c->address[v]]++ > 0)
      return false;
  return true;
}

static bool find_addresses(struct cubes *c)
{
  if (!find_cubes(c))
    return false;
  if (c->cubes == 1)
    memcpy(c->address, c->local, c->g->n * sizeof *c->address);
  else if (!join_cubes(c))
    return false;
  return are_unique(c);
}

/* --- positions -------------------------------------------------------------------------------- */

/* Edges of one difference of addresses that every task has: their mean hops are in a table.  Of the
 * other edges a sample stands for all. */
struct map {
  const struct target *m;
  uint32_t bits, axis_of[MOST_BITS]; /* of a bit of positions */
  uint32_t row[MOST_BITS];           /* by bit of a position: the bits of an address that it sums */
  uint32_t count;                    /* differences */
  uint32_t difference[MOST_BITS];
  uint32_t image[MOST_BITS]; /* the difference of positions */
  double weight[MOST_BITS];  /* share of all edges */
  uint32_t samples;
  uint32_t address[2][SAMPLES], position[2][SAMPLES]; /* of the ends of each */
  double sample_weight;                               /* share that one stands for */
  double *hops[GRID_MAX_DIMS];                        /* by axis and difference there: mean hops */
  uint32_t shift[GRID_MAX_DIMS];
  double cost[GRID_MAX_DIMS]; /* by axis */
  struct rng rng;
};

static uint32_t position_of(const struct map *x, uint32_t address)
{
  uint32_t p = 0;
  for (uint32_t b = 0; b < x->bits; b++)
    p |= ((uint32_t)__builtin_popcount(x->row[b] & address) & 1) << b;
  return p;
}

/* Hops of the sample along an axis. */
static uint32_t sample_hops(const struct map *x, uint32_t d)
{
  const uint32_t shift = x->shift[d], side = x->m->side[d], mask = side - 1;
  const uint32_t round = x->m->wraps[d] ? side : 2 * side;
  uint32_t sum = 0;
  for (uint32_t i = 0; i < x->samples; i++) {
    const uint32_t a = x->position[0][i] >> shift & mask, b = x->position[1][i] >> shift & mask;
    const uint32_t apart = a > b ? a - b : b - a, other = round - apart;
    sum += apart < other ? apart : other;
  }
  return sum;
}

static double axis_cost(const struct map *x, uint32_t d)
{
  double sum = x->sample_weight * sample_hops(x, d);
  for (uint32_t i = 0; i < x->count; i++)
    sum += x->weight[i] * x->hops[d][x->image[i] >> x->shift[d] & (x->m->side[d] - 1)];
  return sum;
}

static double update_cost(struct map *x, uint32_t d)
{
  const double before = x->cost[d];
  x->cost[d] = axis_cost(x, d);
  return x->cost[d] - before;
}

static void set_positions(struct map *x)
{
  for (uint32_t i = 0; i < x->count; i++)
    x->image[i] = position_of(x, x->difference[i]);
  for (uint32_t i = 0; i < x->samples; i++)
    for (int end = 0; end < 2; end++)
      x->position[end][i] = position_of(x, x->address[end][i]);
  for (uint32_t d = 0; d < x->m->ndims; d++)
    x->cost[d] = axis_cost(x, d);
}

static void exchange_bits(uint32_t *v, uint32_t n, uint32_t a, uint32_t b)
{
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t flip = (v[i] >> a ^ v[i] >> b) & 1;
    v[i] ^= flip << a | flip << b;
  }
}

static void add_bit(uint32_t *v, uint32_t n, uint32_t a, uint32_t b)
{
  for (uint32_t i = 0; i < n; i++)
    v[i] ^= (v[i] >> b & 1) << a;
}

/* Exchanges two bits of all positions, or adds bit b to bit a; either undoes itself. */
static void apply(struct map *x, uint32_t a, uint32_t b, bool swap)
{
  void (*const change)(uint32_t *, uint32_t, uint32_t, uint32_t) = swap ? exchange_bits : add_bit;
  const uint32_t t = x->row[b];
  change(x->image, x->count, a, b);
  change(x->position[0], x->samples, a, b);
  change(x->position[1], x->samples, a, b);
  if (!swap) {
    x->row[a] ^= t;
    return;
  }
  x->row[b] = x->row[a];
  x->row[a] = t;
}

/* The first start has bit i of addresses in bit i of positions, others are mixed. */
static void start(struct map *x, uint32_t number)
{
  for (uint32_t b = 0; b < x->bits; b++)
    x->row[b] = 1u << b;
  for (uint32_t i = 0; i < 4 * x->bits * number; i++) {
    const uint32_t a = (uint32_t)rng_below(&x->rng, x->bits);
    const uint32_t b = (uint32_t)rng_below(&x->rng, x->bits);
    if (a != b)
      apply(x, a, b, i % 2 == 0);
  }
  set_positions(x);
}

/* One change, kept if it is better or by chance; returns what it changes. */
static double test(struct map *x, double heat)
{
  const uint64_t random = rng_next(&x->rng);
  const uint32_t a = (uint32_t)((random & 0xffff) * x->bits >> 16);
  const uint32_t step = (uint32_t)((random >> 16 & 0xffff) * (x->bits - 1) >> 16);
  const uint32_t b = (a + 1 + step) % x->bits;
  const bool swap = random >> 32 & 1, both = swap && x->axis_of[a] != x->axis_of[b];
  const double before[2] = {x->cost[x->axis_of[a]], x->cost[x->axis_of[b]]};
  apply(x, a, b, swap);
  double change = update_cost(x, x->axis_of[a]);
  if (both)
    change += update_cost(x, x->axis_of[b]);
  if (change <= 0 || change <= -heat * log((double)((random >> 33) + 1) * 0x1p-31))
    return change;
  apply(x, a, b, swap);
  x->cost[x->axis_of[a]] = before[0];
  if (both)
    x->cost[x->axis_of[b]] = before[1];
  return 0;
}

/* Anneals the map; the best rows are copied to @p best, whose mean hops are returned. */
static double anneal(struct map *x, uint32_t *best)
{
  double cost = 0, heat = FIRST_HEAT;
  const double step = pow(LAST_HEAT / FIRST_HEAT, 1.0 / TESTS);
  for (uint32_t d = 0; d < x->m->ndims; d++)
    cost += x->cost[d];
  double least = cost;
  memcpy(best, x->row, sizeof x->row);
  for (int i = 0; i < TESTS && x->bits > 1; i++, heat *= step) {
    cost += test(x, heat);
    if (cost >= least - 1e-9)
      continue;
    least = cost;
    memcpy(best, x->row, sizeof x->row);
  }
  return least;
}

/* Sorts the edges that count into differences that all tasks have and others, of which every so
 * many is in the sample.  count[]: scratch, by difference. */
static void sort_edges(struct map *x, const struct cubes *c, uint32_t *count)
{
  const struct graph *g = c->g;
  double all = 0, other = 0;
  uint32_t others = 0, seen = 0;
  memset(count, 0, g->n * sizeof *count);
  for (uint32_t v = 0; v < g->n; v++)
    for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
      count[c->address[v] ^ c->address[g->to[a]]] += c->p.in[c->p.edge[a]];
  for (uint32_t d = 0; d < g->n; d++) {
    if (count[d] != g->n || x->count == MOST_BITS)
      others += count[d];
    else
      x->difference[x->count++] = d;
  }
  const uint32_t every = others / SAMPLES + 1;
  for (uint32_t v = 0; v < g->n; v++)
    for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
      const uint32_t from = c->address[v], to = c->address[g->to[a]];
      uint32_t i = 0;
      if (!c->p.in[c->p.edge[a]])
        continue;
      all += g->weight[a];
      while (i < x->count && x->difference[i] != (from ^ to))
        i++;
      if (i < x->count) {
        x->weight[i] += g->weight[a];
        continue;
      }
      other += g->weight[a];
      if (seen++ % every == 0 && x->samples < SAMPLES) {
        x->address[0][x->samples] = from;
        x->address[1][x->samples++] = to;
      }
    }
  for (uint32_t i = 0; i < x->count; i++)
    x->weight[i] /= all;
  x->sample_weight = x->samples == 0 ? 0 : other / all / x->samples;
}

/* Mean hops along each axis between positions that differ by some bits. */
static void fill_hops(struct map *x, double *table)
{
  for (uint32_t d = 0, shift = 0; d < x->m->ndims; d++) {
    const uint32_t side = x->m->side[d];
    x->shift[d] = shift;
    x->hops[d] = table;
    table += side;
    for (uint32_t b = 1; b < side; b *= 2)
      x->axis_of[shift++] = d;
    for (uint32_t k = 0; k < side; k++) {
      uint64_t sum = 0;
      for (uint32_t at = 0; at < side; at++)
        sum += target_along(x->m, d, at, at ^ k);
      x->hops[d][k] = (double)sum / side;
    }
  }
}

static void find_map(struct map *x, const struct cubes *c, uint32_t *slot)
{
  uint32_t best[MOST_BITS], chosen[MOST_BITS] = {0};
  double least = INFINITY;
  for (uint32_t i = 0; i < STARTS; i++) {
    start(x, i);
    const double cost = anneal(x, best);
    if (cost >= least - 1e-9)
      continue;
    least = cost;
    memcpy(chosen, best, sizeof chosen);
  }
  memcpy(x->row, chosen, sizeof chosen);
  for (uint32_t v = 0; v < c->g->n; v++)
    slot[v] = position_of(x, c->address[v]);
}

/* --- all -------------------------------------------------------------------------------------- */

static bool fits(const struct graph *g, const struct target *m)
{
  if (m->per_host != 1 || m->hosts != g->n || g->n < 4 || g->n > 1u << MOST_BITS)
    return false;
  for (uint32_t d = 0; d < m->ndims; d++)
    if ((m->side[d] & (m->side[d] - 1)) != 0)
      return false;
  return m->ndims > 0;
}

static enum status alloc(struct cubes *c, const struct graph *g, struct err *e)
{
  const uint32_t n = g->n;
  c->g = g;
  if (parallel_new(&c->p, g, e) != OK || (c->kept = mem_array(g->first[n], 1, e)) == NULL ||
      (c->bit_of = mem_array(g->first[n], sizeof *c->bit_of, e)) == NULL ||
      (c->queue = mem_array(n > g->first[n] ? n : g->first[n], sizeof *c->queue, e)) == NULL ||
      (c->cube = mem_array(n, sizeof *c->cube, e)) == NULL ||
      (c->local = mem_array(n, sizeof *c->local, e)) == NULL ||
      (c->partner = mem_array(n, sizeof *c->partner, e)) == NULL ||
      (c->name = mem_array(n, sizeof *c->name, e)) == NULL ||
      (c->address = mem_array(n, sizeof *c->address, e)) == NULL)
    return FAIL;
  return OK;
}

static void clear(struct cubes *c)
{
  parallel_clear(&c->p);
  free(c->kept);
  free(c->bit_of);
  free(c->queue);
  free(c->cube);
  free(c->local);
  free(c->partner);
  free(c->name);
  free(c->address);
}

static enum status map_addresses(const struct cubes *c, struct placement *p, uint64_t seed,
                                 struct err *e)
{
  const struct target *m = p->m;
  struct map *x = mem_array(1, sizeof *x, e);
  double *table = mem_array((size_t)m->hosts + 2 * GRID_MAX_DIMS, sizeof *table, e);
  uint32_t *slot = mem_array(p->g->n, sizeof *slot, e);
  const enum status s = x == NULL || table == NULL || slot == NULL ? FAIL : OK;
  if (s == OK) {
    x->m = m;
    x->bits = (uint32_t)__builtin_ctz(m->hosts);
    x->rng = rng_new(seed, 0);
    sort_edges(x, c, c->queue);
    fill_hops(x, table);
    find_map(x, c, slot);
    placement_improve(p, slot);
  }
  free(x);
  free(table);
  free(slot);
  return s;
}

enum status butterfly_map(struct placement *p, uint64_t seed, struct err *e)
{
  struct cubes c = {.cubes = 0};
  if (!fits(p->g, p->m))
    return OK;
  enum status s = alloc(&c, p->g, e);
  if (s == OK && find_addresses(&c))
    s = map_addresses(&c, p, seed, e);
  clear(&c);
  return s;
}

#include "mappers/general/recognise/linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/arena.h"
#include "common/numeric/rising.h"
#include "common/numeric/rng.h"
#include "mappers/anneal.h"

enum {
  MOST_SIDE_BITS = 7, /* limit of the bits of a side: the table of an axis has 4^bits entries */
  STARTS = 10,        /* limit of the starts of annealing */
  AGAIN = 4,          /* times that the best cost is found before the search ends */
  TESTS = 40000       /* limit of the annealing tests of a start */
};

/* Temperatures of annealing, in hops. */
#define FIRST_HEAT 0.015
#define LAST_HEAT  0.005

/* An axis of the grid: a range of the bits of slot numbers. */
struct axis {
  uint32_t first, bits;
  double *hops;     /* by difference (XOR) of two coordinates: mean hops */
  double *spectrum; /* Walsh transform of the hops of coordinate pairs, divided by the number of
                       pairs */
  double cost;      /* mean hops along the axis */
};

struct linear_search {
  const struct linear_traffic *t;
  uint32_t bits, axes;
  struct axis axis[GRID_MAX_DIMS + 1]; /* the last: slots of a host, without hops */
  uint32_t longest;                    /* bits of the longest axis of hosts */
  uint32_t free;                       /* bits of the slots of a host */
  uint32_t axis_of[LINEAR_MOST_BITS];  /* by bit of a slot number */
  uint32_t row[LINEAR_MOST_BITS];      /* the current map */
  uint32_t image[LINEAR_MOST_BITS];    /* by difference of addresses: difference of slot numbers */
  struct rng rng;
  struct anneal_table table;
};

bool linear_fits(const struct target *m)
{
  uint32_t bits = (uint32_t)__builtin_ctz(m->per_host);
  if (m->per_host != 1u << bits)
    return false;
  for (uint32_t d = 0; d < m->ndims; d++) {
    const uint32_t k = (uint32_t)__builtin_ctz(m->side[d]);
    if (m->side[d] != 1u << k || k > MOST_SIDE_BITS)
      return false;
    bits += k;
  }
  return m->ndims > 0 && bits <= LINEAR_MOST_BITS;
}

uint32_t linear_slot(const uint32_t *row, uint32_t bits, uint32_t address)
{
  uint32_t slot = 0;
  for (uint32_t b = 0; b < bits; b++)
    slot |= ((uint32_t)__builtin_popcount(row[b] & address) & 1) << b;
  return slot;
}

uint32_t linear_transpose(uint32_t v, uint32_t width)
{
  const uint32_t low = (1u << width) - 1;
  return (v & ~(low | low << width)) | (v & low) << width | (v >> width & low);
}

/* --- tables ----------------------------------------------------------------------------------- */

static void fill_axis(struct axis *x, const struct target *m, uint32_t d)
{
  const uint32_t side = m->side[d], all = side * side;
  double *f = x->spectrum;
  for (uint32_t k = 0; k < side; k++) {
    uint64_t sum = 0;
    for (uint32_t at = 0; at < side; at++)
      sum += target_along(m, d, at, at ^ k);
    x->hops[k] = (double)sum / side;
  }
  for (uint32_t i = 0; i < all; i++)
    f[i] = (double)target_along(m, d, i % side, i / side) / all;
  for (uint32_t step = 1; step < all; step *= 2)
    for (uint32_t i = 0; i < all; i++)
      if ((i & step) == 0) {
        const double a = f[i], b = f[i | step];
        f[i] = a + b;
        f[i | step] = a - b;
      }
}

/* Sets up the axes.  Equal axes share their tables. */
static enum status make_tables(struct linear_search *s, const struct target *m, struct arena *mem)
{
  size_t room = 2; /* for the axis without hops */
  uint32_t first = s->free;
  double *next;
  for (uint32_t d = 0; d < m->ndims; d++)
    room += m->side[d] + (size_t)m->side[d] * m->side[d];
  for (uint32_t b = 0; b < s->free; b++)
    s->axis_of[b] = m->ndims;
  if ((next = arena_array(mem, room, sizeof *next)) == NULL)
    return FAIL;
  for (uint32_t d = 0; d < m->ndims; d++) {
    struct axis *x = &s->axis[d];
    uint32_t like = 0;
    x->first = first;
    x->bits = (uint32_t)__builtin_ctz(m->side[d]);
    for (uint32_t b = 0; b < x->bits; b++)
      s->axis_of[first++] = d;
    while (like < d && (m->side[like] != m->side[d] || m->wraps[like] != m->wraps[d]))
      like++;
    s->longest = x->bits > s->longest ? x->bits : s->longest;
    x->hops = like < d ? s->axis[like].hops : next;
    x->spectrum = like < d ? s->axis[like].spectrum : next + m->side[d];
    if (like < d)
      continue;
    next += m->side[d] + (size_t)m->side[d] * m->side[d];
    fill_axis(x, m, d);
  }
  s->axes = m->ndims;
  s->axis[m->ndims].hops = next;
  s->axis[m->ndims].spectrum = next + 1;
  anneal_fill(&s->table);
  return OK;
}

/* --- hops ------------------------------------------------------------------------------------- */

/* Mean hops along an axis between an address and its transpose, over all addresses.  On an axis of
 * k bits, the coordinates of both are 2k sums of address bits.  The mean is the sum of the spectrum
 * over all subsets of these sums that add up to 0, which Gaussian elimination finds. */
static double transposed_hops(const struct linear_search *s, const struct axis *x)
{
  /* independent sums: the lower 32 bits are the address bits; the upper ones are the set of the 2k
   * sums that were added up */
  uint64_t base[2 * MOST_SIDE_BITS];
  uint32_t pivot[2 * MOST_SIDE_BITS], zero[2 * MOST_SIDE_BITS], rank = 0, zeros = 0, now = 0;
  if (s->t->transposed <= 0)
    return 0;
  for (uint32_t i = 0; i < 2 * x->bits; i++) {
    const bool own = i < x->bits;
    const uint32_t row = s->row[x->first + (own ? i : i - x->bits)];
    uint64_t v = (own ? row : linear_transpose(row, s->t->width)) | UINT64_C(1) << (32 + i);
    for (uint32_t j = 0; j < rank; j++)
      v ^= base[j] & -(v >> pivot[j] & 1);
    if ((uint32_t)v == 0) {
      zero[zeros++] = (uint32_t)(v >> 32);
      continue;
    }
    pivot[rank] = (uint32_t)__builtin_ctz((uint32_t)v);
    base[rank++] = v;
  }
  double mean = x->spectrum[0];
  for (uint32_t i = 1; i < 1u << zeros; i++) {
    now ^= zero[__builtin_ctz(i)];
    mean += x->spectrum[now];
  }
  return mean;
}

/* The part of an axis' cost that the differences of addresses cause, by their images. */
static double steps_cost(const struct linear_search *s, const struct axis *x, const uint32_t *image)
{
  double sum = 0;
  for (uint32_t i = 0; i < s->t->count; i++)
    sum += s->t->weight[i] * x->hops[image[i] >> x->first & ((1u << x->bits) - 1)];
  return sum;
}

static double axis_cost(const struct linear_search *s, const struct axis *x)
{
  return steps_cost(s, x, s->image) + s->t->transposed * transposed_hops(s, x);
}

/* Sets the images and the costs of the current map.  Returns its mean hops. */
static double set_costs(struct linear_search *s)
{
  double sum = 0;
  for (uint32_t i = 0; i < s->t->count; i++)
    s->image[i] = linear_slot(s->row, s->bits, s->t->difference[i]);
  for (uint32_t d = 0; d <= s->axes; d++)
    sum += s->axis[d].cost = axis_cost(s, &s->axis[d]);
  return sum;
}

/* --- annealing -------------------------------------------------------------------------------- */

/* Exchanges two rows, or adds row b to row a.  Repeating the change undoes it. */
static void change_rows(uint32_t *row, uint32_t a, uint32_t b, bool swap)
{
  const uint32_t t = row[b];
  row[b] = swap ? row[a] : t;
  row[a] = swap ? t : row[a] ^ t;
}

/* Writes the images after such a change to @p out. */
static void change_images(const struct linear_search *s, uint32_t a, uint32_t b, bool swap,
                          uint32_t *out)
{
  for (uint32_t i = 0; i < s->t->count; i++) {
    const uint32_t v = s->image[i], other = v >> b & 1, flip = swap ? (v >> a & 1) ^ other : other;
    out[i] = v ^ (flip << a | (swap ? flip << b : 0));
  }
}

/* Tests a random change of rows, and makes it if the new cost is within a random limit.  Returns
 * the change of the cost.  The cost of the differences alone rejects most changes. */
static double test(struct linear_search *s, double heat)
{
  const uint64_t random = rng_next(&s->rng);
  const uint32_t a = (uint32_t)((random & 0xffff) * s->bits >> 16);
  const uint32_t step = (uint32_t)((random >> 16 & 0xffff) * (s->bits - 1) >> 16);
  const uint32_t b = (a + 1 + step) % s->bits;
  const bool swap = random >> 32 & 1;
  struct axis *x = &s->axis[s->axis_of[a]], *y = &s->axis[s->axis_of[b]];
  const bool both = swap && x != y;
  const double old = x->cost + (both ? y->cost : 0);
  const double limit = old + anneal_limit(&s->table, heat, random);
  uint32_t image[LINEAR_MOST_BITS];
  change_images(s, a, b, swap, image);
  double first = steps_cost(s, x, image), second = both ? steps_cost(s, y, image) : 0;
  if (first + second > limit)
    return 0;
  change_rows(s->row, a, b, swap);
  first += s->t->transposed * transposed_hops(s, x);
  if (both && first + second <= limit)
    second += s->t->transposed * transposed_hops(s, y);
  if (first + second > limit) {
    change_rows(s->row, a, b, swap);
    return 0;
  }
  memcpy(s->image, image, sizeof image);
  x->cost = first;
  if (both)
    y->cost = second;
  return first + second - old;
}

/* Anneals the rows.  Copies the best rows to @p best and returns their mean hops. */
static double anneal(struct linear_search *s, uint32_t *best)
{
  const uint32_t root = s->bits * s->bits / 3, wanted = root * root * root;
  const uint32_t tests = wanted < TESTS ? wanted : TESTS;
  double cost = set_costs(s), least = cost, heat = FIRST_HEAT;
  const double step = pow(LAST_HEAT / FIRST_HEAT, 1.0 / tests);
  memcpy(best, s->row, sizeof s->row);
  for (uint32_t i = 0; i < tests; i++, heat *= step) {
    cost += test(s, heat);
    if (cost >= least - 1e-9)
      continue;
    least = cost;
    memcpy(best, s->row, sizeof s->row);
  }
  return least;
}

/* Sets the rows of a start.  The first start maps bit i of addresses to bit i of slot numbers;
 * others are random. */
static void start(struct linear_search *s, uint32_t number)
{
  for (uint32_t b = 0; b < s->bits; b++)
    s->row[b] = 1u << b;
  for (uint32_t i = 0; i < 4 * s->bits * number; i++) {
    const uint32_t a = (uint32_t)rng_below(&s->rng, s->bits);
    const uint32_t b = (uint32_t)rng_below(&s->rng, s->bits);
    if (a != b)
      change_rows(s->row, a, b, i % 2 == 0);
  }
}

/* Anneals from several starts, until the best cost has been found AGAIN times: lower costs are rare
 * then. */
static void anneal_all(struct linear_search *s, uint32_t *row)
{
  uint32_t best[LINEAR_MOST_BITS], found = 0;
  double least = INFINITY;
  for (uint32_t i = 0; i < STARTS && found < AGAIN; i++) {
    start(s, i);
    const double cost = anneal(s, best);
    found = cost < least - 1e-9 ? 1 : found + (cost < least + 1e-9);
    if (cost >= least - 1e-9)
      continue;
    least = cost;
    memcpy(row, best, sizeof best);
  }
}

/* --- hypercubes ------------------------------------------------------------------------------- */

struct priced {
  double hops;
  uint32_t row;
};

static int by_hops(const void *a, const void *b)
{
  const struct priced *x = a, *y = b;
  return RISING(x->hops, y->hops) ?: RISING(x->row, y->row);
}

/* On a hypercube, each bit of a slot number is an axis of its own.  The best rows are the cheapest
 * ones that are independent: a basis of least weight, which greedy choice finds. */
static enum status choose_basis(struct linear_search *s, uint32_t *row, struct err *e)
{
  const uint32_t n = 1u << s->bits;
  uint32_t basis[LINEAR_MOST_BITS], rank = 0;
  const struct axis *x = s->axis;
  ARENA(mem, e);
  struct priced *all = arena_array(&mem, n, sizeof *all);
  if (all == NULL)
    return FAIL;
  while (x->bits == 0 && x < s->axis + s->axes)
    x++;
  for (uint32_t v = 0; v < n; v++) {
    s->row[x->first] = v;
    for (uint32_t i = 0; i < s->t->count; i++)
      s->image[i] = ((uint32_t)__builtin_popcount(v & s->t->difference[i]) & 1) << x->first;
    all[v] = (struct priced){axis_cost(s, x), v};
  }
  qsort(all, n, sizeof *all, by_hops);
  for (uint32_t i = 0; i < n && rank < s->bits; i++) {
    uint32_t v = all[i].row;
    for (uint32_t j = 0; j < rank; j++)
      v ^= v & (basis[j] & -basis[j]) ? basis[j] : 0;
    if (v == 0)
      continue;
    basis[rank] = v;
    rank++;
    row[s->bits - rank] = all[i].row; /* the costliest rows go to the slots of a host */
  }
  return OK;
}

/* --- all -------------------------------------------------------------------------------------- */

enum status linear_find(const struct linear_traffic *t, const struct target *m, uint64_t seed,
                        uint32_t *row, struct err *e)
{
  struct linear_search s = {.t = t, .bits = t->bits, .rng = rng_new(seed, 0)};
  s.free = (uint32_t)__builtin_ctz(m->per_host);
  ARENA(mem, e);
  if (make_tables(&s, m, &mem) != OK)
    return FAIL;
  if (s.longest <= 1)
    return choose_basis(&s, row, e);
  anneal_all(&s, row);
  return OK;
}

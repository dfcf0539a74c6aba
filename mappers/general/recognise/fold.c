#include "mappers/general/recognise/fold.h"

#include <math.h>
#include <string.h>

enum {
  DIMS = GRID_MAX_DIMS,
  AXES = FOLD_MOST_AXES,
  ORDERS = 24,      /* orders of the digits of an axis: all of up to four digits, one of more */
  MOST_KEPT = 16,   /* limit of the folds that a search keeps */
  MOST_TRIED = 4096 /* limit of the factorisations */
};

/* The digits of an axis of hosts, lowest first, in a reflected or a plain code. */
struct column {
  uint32_t digits;
  uint8_t axis[AXES]; /* by digit: its virtual axis */
  bool reflected;
};

/* A column and its mean hops, by virtual axis: of a step of the axis' digit by one, and of a step
 * from the last value of the digit to the first. */
struct reading {
  struct column c;
  double step[AXES], wrap[AXES];
};

/* A fold without its hosts. */
struct choice {
  double hops;
  uint32_t factor[DIMS][AXES]; /* by axis of hosts and virtual axis */
  struct column column[DIMS];
  uint8_t digits[AXES];
  uint8_t order[AXES][DIMS]; /* by virtual axis: axes of hosts of its digits, lowest first */
};

struct folding {
  const struct target *m;
  const struct fold_shape *shape;
  uint32_t left[AXES]; /* by virtual axis: part of the side without digits so far */
  struct choice now;
  struct choice *kept;
  uint32_t count, most, tried;
  struct reading (*reading)[2 * ORDERS]; /* by axis of hosts */
  uint32_t readings[DIMS];
};

/* --- positions on an axis of hosts ------------------------------------------------------------ */

/* The coordinate for digits given by virtual axis.  In a reflected code, a digit is reflected if
 * the number that the higher digits form is odd. */
static uint32_t position(const uint32_t *factor, const struct column *c, const uint32_t *digit)
{
  uint32_t at = 0;
  for (uint32_t k = c->digits; k-- > 0;) {
    const uint32_t f = factor[c->axis[k]], v = digit[c->axis[k]];
    at = at * f + (c->reflected && at % 2 == 1 ? f - 1 - v : v);
  }
  return at;
}

static uint32_t size_of(const uint32_t *factor, const struct column *c)
{
  uint32_t n = 1;
  for (uint32_t k = 0; k < c->digits; k++)
    n *= factor[c->axis[k]];
  return n;
}

/* Sets the digits of combination @p i. */
static void set_digits(const uint32_t *factor, const struct column *c, uint32_t i, uint32_t *digit)
{
  for (uint32_t k = 0; k < c->digits; k++) {
    digit[c->axis[k]] = i % factor[c->axis[k]];
    i /= factor[c->axis[k]];
  }
}

/* Sets the mean hops of a reading of axis @p d for the digit of one virtual axis. */
static void measure(const struct folding *s, uint32_t d, struct reading *r, uint32_t axis)
{
  const uint32_t *factor = s->now.factor[d];
  const uint32_t n = size_of(factor, &r->c), f = factor[axis];
  uint64_t step = 0, wrap = 0;
  uint32_t digit[AXES] = {0};
  for (uint32_t i = 0; i < n; i++) {
    set_digits(factor, &r->c, i, digit);
    const uint32_t here = position(factor, &r->c, digit), v = digit[axis];
    digit[axis] = v + 1 < f ? v + 1 : 0;
    const uint32_t hops = target_along(s->m, d, here, position(factor, &r->c, digit));
    step += v + 1 < f ? hops : 0;
    wrap += v + 1 < f ? 0 : hops;
  }
  r->step[axis] = (double)step / (n / f * (f - 1));
  r->wrap[axis] = (double)wrap / (n / f);
}

/* --- orders ----------------------------------------------------------------------------------- */

/* Makes the next permutation in lexicographic order; false after the last. */
static bool permute(uint8_t *v, uint32_t n)
{
  uint32_t i = n;
  while (i > 1 && v[i - 2] >= v[i - 1])
    i--;
  if (i <= 1)
    return false;
  uint32_t k = n - 1;
  while (v[k] <= v[i - 2])
    k--;
  uint8_t t = v[i - 2];
  v[i - 2] = v[k];
  v[k] = t;
  for (uint32_t a = i - 1, b = n - 1; a < b; a++, b--) {
    t = v[a];
    v[a] = v[b];
    v[b] = t;
  }
  return true;
}

/* Lists the readings of axis @p d: orders of its digits, in both codes. */
static void read_column(struct folding *s, uint32_t d)
{
  struct column c = {.digits = 0};
  for (uint32_t a = 0; a < s->shape->naxes; a++)
    if (s->now.factor[d][a] > 1)
      c.axis[c.digits++] = (uint8_t)a;
  s->readings[d] = 0;
  do {
    for (int reflected = 0; reflected < (c.digits > 1 ? 2 : 1); reflected++) {
      struct reading *r = &s->reading[d][s->readings[d]++];
      *r = (struct reading){.c = c};
      r->c.reflected = reflected;
      for (uint32_t k = 0; k < c.digits; k++)
        measure(s, d, r, c.axis[k]);
    }
  } while (c.digits <= 4 && permute(c.axis, c.digits));
}

/* The hops on an axis of hosts by the best reading of its digits, which becomes its column. */
static double best_reading(struct folding *s, uint32_t d, const double steps[][DIMS],
                           const double wraps[][DIMS])
{
  double best = INFINITY;
  for (uint32_t i = 0; i < s->readings[d]; i++) {
    const struct reading *r = &s->reading[d][i];
    double sum = 0;
    for (uint32_t k = 0; k < r->c.digits; k++) {
      const uint32_t a = r->c.axis[k];
      sum += steps[a][d] * r->step[a] + wraps[a][d] * r->wrap[a];
    }
    if (sum >= best)
      continue;
    best = sum;
    s->now.column[d] = r->c;
  }
  return best;
}

/* Sets for each digit of a virtual axis the shares of the steps in which it changes by one, and
 * from its last value to its first.  A change from the last value to the first happens only in the
 * step from the end of a ring to its start, and only if the product of the sides of the higher
 * digits is odd.  For the highest digit this product is 1. */
static void count_steps(const struct folding *s, uint32_t a, double *steps, double *wraps)
{
  const struct choice *c = &s->now;
  const uint32_t side = s->shape->side[a];
  const double all = side - 1 + s->shape->ring[a];
  uint32_t below = 1;
  for (uint32_t k = 0; k < c->digits[a]; k++) {
    const uint32_t d = c->order[a][k], f = c->factor[d][a];
    const uint32_t above = side / below / f;
    steps[d] = (double)above * (f - 1) / all;
    wraps[d] = s->shape->ring[a] && above % 2 == 1 ? 1 / all : 0;
    below *= f;
  }
}

/* Keeps the choice if it is among the best. */
static void keep(struct folding *s)
{
  uint32_t i = s->count < s->most ? s->count++ : s->most;
  for (; i > 0 && s->kept[i - 1].hops > s->now.hops; i--)
    if (i < s->most)
      s->kept[i] = s->kept[i - 1];
  if (i < s->most)
    s->kept[i] = s->now;
}

/* Computes the hops of the choice. */
static void weigh(struct folding *s)
{
  double steps[AXES][DIMS] = {{0}}, wraps[AXES][DIMS] = {{0}};
  uint32_t axes = 0;
  for (uint32_t a = 0; a < s->shape->naxes; a++) {
    axes += s->shape->side[a] > 1;
    if (s->shape->side[a] > 1)
      count_steps(s, a, steps[a], wraps[a]);
  }
  s->now.hops = 0;
  for (uint32_t d = 0; d < s->m->ndims; d++)
    s->now.hops += best_reading(s, d, steps, wraps) / (axes == 0 ? 1 : axes);
  keep(s);
}

/* Tries all orders of the digits of the virtual axes from @p a on. */
static void order_axes(struct folding *s, uint32_t a)
{
  struct choice *c = &s->now;
  if (a >= s->shape->naxes || a >= AXES) {
    weigh(s);
    return;
  }
  c->digits[a] = 0;
  for (uint32_t d = 0; d < s->m->ndims; d++)
    if (c->factor[d][a] > 1)
      c->order[a][c->digits[a]++] = (uint8_t)d;
  const uint32_t n = c->digits[a];
  do
    order_axes(s, a + 1);
  while (n <= 3 && permute(c->order[a], n));
}

/* --- factors ---------------------------------------------------------------------------------- */

/* Prunes mirror images: the factors of axes of hosts with equal sides must be in the order of
 * memcmp(), largest first. */
static bool is_first(const struct folding *s, uint32_t d)
{
  if (d == 0 || s->m->side[d] != s->m->side[d - 1])
    return true;
  return memcmp(s->now.factor[d], s->now.factor[d - 1], sizeof s->now.factor[d]) <= 0;
}

/* True if the digits make up all virtual axes. */
static bool is_whole(const struct folding *s)
{
  for (uint32_t a = 0; a < s->shape->naxes; a++)
    if (s->left[a] != 1)
      return false;
  return true;
}

static void divide(struct folding *s, uint32_t d, uint32_t a, uint32_t room);

static void next_axis(struct folding *s, uint32_t d)
{
  if (!is_first(s, d))
    return;
  if (d + 1 < s->m->ndims) {
    divide(s, d + 1, 0, s->m->side[d + 1]);
    return;
  }
  if (!is_whole(s) || s->tried++ >= MOST_TRIED)
    return;
  for (uint32_t i = 0; i < s->m->ndims; i++)
    read_column(s, i);
  order_axes(s, 0);
}

/* Tries for axis @p d all factors of the virtual axes from @p a on with a product of at most
 * @p room. */
static void divide(struct folding *s, uint32_t d, uint32_t a, uint32_t room)
{
  if (a >= s->shape->naxes || a >= AXES) {
    next_axis(s, d);
    return;
  }
  const uint32_t left = s->left[a];
  for (uint32_t f = left < room ? left : room; f >= 1; f--) {
    if (left % f != 0)
      continue;
    s->now.factor[d][a] = f;
    s->left[a] = left / f;
    divide(s, d, a + 1, room / f);
  }
  s->left[a] = left;
}

/* --- hosts ------------------------------------------------------------------------------------ */

/* Computes the digits of coordinate @p at of virtual axis @p a, by axis of hosts. */
static void split(const struct choice *c, uint32_t a, uint32_t side, uint32_t at,
                  uint32_t digit[][AXES])
{
  uint32_t block = side, prefix = 0;
  for (uint32_t k = c->digits[a]; k-- > 0;) {
    const uint32_t d = c->order[a][k], f = c->factor[d][a];
    block /= f;
    const uint32_t v = at / block % f;
    digit[d][a] = prefix % 2 == 1 ? f - 1 - v : v;
    prefix = prefix * f + v;
  }
}

static enum status list_hosts(const struct folding *s, const struct choice *c, struct fold *out,
                              struct arena *mem)
{
  uint32_t cells = 1, digit[DIMS][AXES] = {{0}};
  for (uint32_t a = 0; a < s->shape->naxes; a++)
    cells *= s->shape->side[a];
  if ((out->host = arena_array(mem, cells, sizeof *out->host)) == NULL)
    return FAIL;
  out->hops = c->hops;
  for (uint32_t i = 0; i < cells; i++) {
    uint32_t rest = i, host = 0;
    for (uint32_t a = 0; a < s->shape->naxes; a++) {
      split(c, a, s->shape->side[a], rest % s->shape->side[a], digit);
      rest /= s->shape->side[a];
    }
    for (uint32_t d = s->m->ndims; d-- > 0;)
      host = host * s->m->side[d] + position(c->factor[d], &c->column[d], digit[d]);
    out->host[i] = host;
  }
  return OK;
}

enum status fold_find(const struct target *m, const struct fold_shape *shape, struct fold *out,
                      uint32_t most, uint32_t *count, struct arena *mem)
{
  ARENA(room, mem->e);
  struct folding s = {.m = m,
                      .shape = shape,
                      .kept = arena_array(&room, MOST_KEPT, sizeof *s.kept),
                      .most = most < MOST_KEPT ? most : MOST_KEPT,
                      .reading = arena_array(&room, m->ndims, sizeof *s.reading)};
  *count = 0;
  if (arena_status(&room) != OK)
    return FAIL;
  for (uint32_t a = 0; a < shape->naxes; a++)
    s.left[a] = shape->side[a];
  divide(&s, 0, 0, m->side[0]);
  for (; *count < s.count; ++*count)
    if (list_hosts(&s, &s.kept[*count], &out[*count], mem) != OK)
      return FAIL;
  return OK;
}

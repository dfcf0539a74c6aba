#include "mappers/general/cut.h"

#include <stdbool.h>
#include <stddef.h>

struct box {
  uint32_t low[CUT_MOST_AXES], side[CUT_MOST_AXES];
};

struct cutting {
  const struct cut_grid *grid;
  const double *x;
  uint32_t stride;
  const uint8_t *column;
  uint32_t *cell;
};

/* Is task @p a before @p b on a column?  Ties go to the lower task. */
static bool before(const struct cutting *c, uint8_t column, uint32_t a, uint32_t b)
{
  const double x = c->x[(size_t)a * c->stride + column], y = c->x[(size_t)b * c->stride + column];
  return x < y || (x == y && a < b);
}

static void swap(uint32_t *v, uint32_t i, uint32_t k)
{
  const uint32_t t = v[i];
  v[i] = v[k];
  v[k] = t;
}

/* The median of the first, the middle and the last, to the front. */
static void choose_pivot(const struct cutting *c, uint8_t column, uint32_t *v, uint32_t n)
{
  const uint32_t middle = n / 2;
  if (before(c, column, v[middle], v[0]))
    swap(v, middle, 0);
  if (before(c, column, v[n - 1], v[0]))
    swap(v, n - 1, 0);
  if (before(c, column, v[n - 1], v[middle]))
    swap(v, n - 1, middle);
  swap(v, 0, middle);
}

/* Quickselect: the @p k tasks that are first on the column come to the front. */
static void select_first(const struct cutting *c, uint8_t column, uint32_t *v, uint32_t n,
                         uint32_t k)
{
  while (n > 1 && k > 0 && k < n) {
    uint32_t low = 1, high = n - 1;
    choose_pivot(c, column, v, n);
    for (;;) {
      while (low <= high && before(c, column, v[low], v[0]))
        low++;
      while (low <= high && before(c, column, v[0], v[high]))
        high--;
      if (low >= high)
        break;
      swap(v, low++, high--);
    }
    swap(v, 0, high);
    if (k <= high) {
      n = high;
    } else {
      v += high + 1;
      n -= high + 1;
      k -= high + 1;
    }
  }
}

static uint64_t volume(const struct cut_grid *g, const struct box *b)
{
  uint64_t v = 1;
  for (uint32_t a = 0; a < g->naxes; a++)
    v *= b->side[a];
  return v;
}

static uint32_t cell_of(const struct cut_grid *g, const struct box *b)
{
  uint32_t cell = 0;
  for (uint32_t a = g->naxes; a-- > 0;)
    cell = cell * g->side[a] + b->low[a];
  return cell;
}

static void cut(const struct cutting *c, struct box b, uint32_t *list, uint32_t n)
{
  const struct cut_grid *g = c->grid;
  uint32_t axis = 0;
  for (uint32_t a = 1; a < g->naxes; a++)
    if (b.side[a] > b.side[axis])
      axis = a;
  if (b.side[axis] == 1 || n == 0) {
    for (uint32_t i = 0; i < n; i++)
      c->cell[list[i]] = cell_of(g, &b);
    return;
  }
  struct box first = b;
  const uint64_t all = volume(g, &b) * g->room;
  first.side[axis] = b.side[axis] / 2;
  b.low[axis] += first.side[axis];
  b.side[axis] -= first.side[axis];
  const uint64_t part = volume(g, &first) * g->room;
  const uint32_t count = (uint32_t)((n * part + all - 1) / all);
  select_first(c, c->column[axis], list, n, count);
  cut(c, first, list, count);
  cut(c, b, list + count, n - count);
}

void cut_tasks(const struct cut_grid *g, const double *x, uint32_t stride, const uint8_t *column,
               uint32_t *list, uint32_t n, uint32_t *cell)
{
  const struct cutting c = {.grid = g, .x = x, .stride = stride, .column = column, .cell = cell};
  struct box all = {.low = {0}};
  for (uint32_t a = 0; a < g->naxes; a++)
    all.side[a] = g->side[a];
  cut(&c, all, list, n);
}

#include "mappers/general/cut/median_cut.h"

#include <stdbool.h>
#include <stddef.h>

struct box {
  uint32_t low[MEDIAN_CUT_MOST_AXES], side[MEDIAN_CUT_MOST_AXES];
};

struct cutting {
  const struct median_cut_grid *grid;
  const double *x; /* columns, each by task */
  size_t tasks;    /* length of a column */
  const uint8_t *column;
  uint32_t *cell;
};

/* True if task @p a is before @p b on a column.  Ties go to the lower task. */
static inline bool before(const double *x, uint32_t a, uint32_t b)
{
  return (x[a] < x[b]) | ((x[a] == x[b]) & (a < b));
}

static void swap(uint32_t *v, uint32_t i, uint32_t k)
{
  const uint32_t t = v[i];
  v[i] = v[k];
  v[k] = t;
}

/* Moves the median of the first, the middle and the last task to the front. */
static void choose_pivot(const double *x, uint32_t *v, uint32_t n)
{
  const uint32_t middle = n / 2;
  if (before(x, v[middle], v[0]))
    swap(v, middle, 0);
  if (before(x, v[n - 1], v[0]))
    swap(v, n - 1, 0);
  if (before(x, v[n - 1], v[middle]))
    swap(v, n - 1, middle);
  swap(v, 0, middle);
}

/* Partitions the tasks by the first one: tasks before it, itself, tasks behind it.  Has no branch
 * that depends on coordinates.  Returns the number of tasks before it. */
static uint32_t part(const double *x, uint32_t *v, uint32_t n)
{
  uint32_t count = 0;
  for (uint32_t i = 1; i < n; i++) {
    const uint32_t task = v[i];
    v[i] = v[count + 1];
    v[count + 1] = task;
    count += before(x, task, v[0]);
  }
  swap(v, 0, count);
  return count;
}

/* Quickselect: moves the @p k first tasks on the column to the front. */
static void select_first(const double *x, uint32_t *v, uint32_t n, uint32_t k)
{
  while (n > 1 && k > 0 && k < n) {
    choose_pivot(x, v, n);
    const uint32_t low = part(x, v, n);
    if (k <= low) {
      n = low;
    } else {
      v += low + 1;
      n -= low + 1;
      k -= low + 1;
    }
  }
}

static uint64_t volume(const struct median_cut_grid *g, const struct box *b)
{
  uint64_t v = 1;
  for (uint32_t a = 0; a < g->naxes; a++)
    v *= b->side[a];
  return v;
}

static uint32_t cell_of(const struct median_cut_grid *g, const struct box *b)
{
  uint32_t cell = 0;
  for (uint32_t a = g->naxes; a-- > 0;)
    cell = cell * g->side[a] + b->low[a];
  return cell;
}

static void cut(const struct cutting *c, struct box b, uint32_t *list, uint32_t n)
{
  const struct median_cut_grid *g = c->grid;
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
  select_first(c->x + c->column[axis] * c->tasks, list, n, count);
  cut(c, first, list, count);
  cut(c, b, list + count, n - count);
}

void median_cut(const struct median_cut_grid *g, const double *x, const uint8_t *column,
                uint32_t *list, uint32_t n, uint32_t *cell)
{
  const struct cutting c = {.grid = g, .x = x, .tasks = n, .column = column, .cell = cell};
  struct box all = {.low = {0}};
  for (uint32_t a = 0; a < g->naxes; a++)
    all.side[a] = g->side[a];
  for (uint32_t v = 0; v < n; v++)
    list[v] = v;
  cut(&c, all, list, n);
}

void median_cut_match(const struct median_cut_grid *g, const double *extent, uint32_t columns,
                      uint8_t *column)
{
  bool matched[MEDIAN_CUT_MOST_AXES] = {false}, used[MEDIAN_CUT_MOST_AXES] = {false};
  for (uint32_t i = 0; i < g->naxes; i++) {
    uint32_t axis = UINT32_MAX, widest = UINT32_MAX;
    for (uint32_t a = 0; a < g->naxes; a++)
      if (!matched[a] && (axis == UINT32_MAX || g->side[a] > g->side[axis]))
        axis = a;
    for (uint32_t c = 0; c < columns; c++)
      if (!used[c] && (widest == UINT32_MAX || extent[c] > extent[widest]))
        widest = c;
    matched[axis] = true;
    if (widest != UINT32_MAX)
      used[widest] = true;
    column[axis] = (uint8_t)(widest != UINT32_MAX ? widest : i % columns);
  }
}

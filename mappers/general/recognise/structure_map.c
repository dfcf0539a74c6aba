#include <string.h>

#include "mappers/general/cut/median_cut.h"
#include "mappers/general/recognise/structure.h"

enum { MOST_FOLDS = 8 };

struct work {
  const struct structure *s;
  struct placement *p;
  const struct graph *g;
  const struct target *m;
  uint32_t *slot, *fill, *list, *cell;
  double *x;
  struct err *e;
};

static uint32_t cell_of(const struct structure *s, uint32_t v)
{
  uint32_t cell = 0;
  for (uint32_t a = s->shape.naxes; a-- > 0;)
    cell = cell * s->shape.side[a] + s->at[(size_t)v * FOLD_MOST_AXES + a];
  return cell;
}

/* Places the tasks by a fold. */
static void try_fold(struct work *w, const struct fold *fold)
{
  for (uint32_t v = 0; v < w->g->n; v++)
    w->slot[v] = fold->host[cell_of(w->s, v)];
  placement_improve(w->p, w->slot);
}

/* Tries the best folds. */
static enum status try_folds(struct work *w, uint32_t *count)
{
  ARENA(mem, w->e);
  struct fold fold[MOST_FOLDS];
  if (w->m->per_host > 1) {
    *count = 0;
    return OK;
  }
  if (fold_find(w->m, &w->s->shape, fold, MOST_FOLDS, count, &mem) != OK)
    return FAIL;
  for (uint32_t i = 0; i < *count; i++)
    try_fold(w, &fold[i]);
  return OK;
}

/* Cuts the coordinates into boxes of the machine.  Axes are matched by length. */
static void try_cut(struct work *w)
{
  const struct fold_shape *shape = &w->s->shape;
  struct cut_grid grid = {.naxes = w->m->ndims, .room = w->m->per_host};
  uint8_t column[CUT_MOST_AXES] = {0};
  bool used[FOLD_MOST_AXES] = {false}, filled[CUT_MOST_AXES] = {false};
  if (w->m->ndims > CUT_MOST_AXES || shape->naxes > w->m->ndims)
    return;
  memcpy(grid.side, w->m->side, grid.naxes * sizeof *grid.side);
  for (uint32_t i = 0; i < grid.naxes; i++) {
    uint32_t d = UINT32_MAX, a = UINT32_MAX;
    for (uint32_t k = 0; k < grid.naxes; k++)
      if (!filled[k] && (d == UINT32_MAX || grid.side[k] > grid.side[d]))
        d = k;
    for (uint32_t k = 0; k < shape->naxes; k++)
      if (!used[k] && (a == UINT32_MAX || shape->side[k] > shape->side[a]))
        a = k;
    filled[d] = true;
    if (a != UINT32_MAX)
      used[a] = true;
    column[d] = (uint8_t)(a != UINT32_MAX ? a : i % shape->naxes);
  }
  for (uint32_t v = 0; v < w->g->n; v++) {
    w->list[v] = v;
    for (uint32_t a = 0; a < shape->naxes; a++)
      w->x[(size_t)a * w->g->n + v] = w->s->at[(size_t)v * FOLD_MOST_AXES + a];
  }
  cut_tasks(&grid, w->x, column, w->list, w->g->n, w->cell);
  memset(w->fill, 0, w->m->hosts * sizeof *w->fill);
  for (uint32_t v = 0; v < w->g->n; v++)
    w->slot[v] = w->cell[v] * w->m->per_host + w->fill[w->cell[v]]++;
  placement_improve(w->p, w->slot);
}

enum status structure_map(const struct structure *s, struct placement *p, struct err *e)
{
  ARENA(mem, e);
  const uint32_t n = p->g->n;
  struct work w = {.s = s,
                   .p = p,
                   .g = p->g,
                   .m = p->m,
                   .slot = arena_array(&mem, n, sizeof *w.slot),
                   .fill = arena_array(&mem, p->m->hosts, sizeof *w.fill),
                   .list = arena_array(&mem, n, sizeof *w.list),
                   .cell = arena_array(&mem, n, sizeof *w.cell),
                   .x = arena_array(&mem, (size_t)n * FOLD_MOST_AXES, sizeof *w.x),
                   .e = e};
  uint32_t folds = 0;
  if (arena_status(&mem) != OK || try_folds(&w, &folds) != OK)
    return FAIL;
  if (folds == 0)
    try_cut(&w);
  return OK;
}

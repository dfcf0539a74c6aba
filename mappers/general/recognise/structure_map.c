/* structure_map() of structure.h. */
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

/* Tries the best folds.  With several ranks per host, there are none. */
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

/* Cuts the coordinates into boxes of the machine. */
static void try_cut(struct work *w)
{
  const struct fold_shape *shape = &w->s->shape;
  const uint32_t n = w->g->n;
  struct median_cut_grid grid = {.naxes = w->m->ndims, .room = w->m->per_host};
  uint8_t column[MEDIAN_CUT_MOST_AXES];
  double extent[FOLD_MOST_AXES];
  if (w->m->ndims > MEDIAN_CUT_MOST_AXES || shape->naxes > w->m->ndims)
    return;
  memcpy(grid.side, w->m->side, grid.naxes * sizeof *grid.side);
  for (uint32_t a = 0; a < shape->naxes; a++) {
    extent[a] = shape->side[a];
    for (uint32_t v = 0; v < n; v++)
      w->x[(size_t)a * n + v] = w->s->at[(size_t)v * FOLD_MOST_AXES + a];
  }
  median_cut_match(&grid, extent, shape->naxes, column);
  median_cut(&grid, w->x, column, w->list, n, w->cell);
  target_slots(w->m, w->cell, n, w->fill, w->slot);
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

/** @file cut.h
 *  Tasks with coordinates onto the cells of a grid by median cuts.
 */
#ifndef MAPPERS_GENERAL_CUT_H
#define MAPPERS_GENERAL_CUT_H

#include <stdint.h>

enum { CUT_MOST_AXES = 6 };

/** A grid of cells, each of which takes @p room tasks. */
struct cut_grid {
  uint32_t naxes;
  uint32_t side[CUT_MOST_AXES];
  uint32_t room;
};

/** Gives each of the @p n tasks of list[], which are reordered, a cell: halves the grid across its
 *  longest side, and the tasks by their coordinate on that axis; tasks beyond a half's room are
 *  none, and free cells are spread.  @p x: columns of @p n, by task; @p column: of each axis.
 *  O(n log n). */
void cut_tasks(const struct cut_grid *g, const double *x, const uint8_t *column, uint32_t *list,
               uint32_t n, uint32_t *cell);

#endif

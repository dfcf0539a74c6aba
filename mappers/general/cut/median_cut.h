/** @file median_cut.h
 *  Assigns tasks with coordinates to the cells of a grid by median cuts.
 */
#ifndef MAPPERS_GENERAL_CUT_MEDIAN_CUT_H
#define MAPPERS_GENERAL_CUT_MEDIAN_CUT_H

#include <stdint.h>

enum { CUT_MOST_AXES = 6 };

/** A grid of cells, each with room for @p room tasks. */
struct cut_grid {
  uint32_t naxes;
  uint32_t side[CUT_MOST_AXES];
  uint32_t room;
};

/** Assigns a cell to each of the @p n tasks of list[], which is reordered.  Halves the grid across
 *  its longest side, and the tasks by their coordinate on that axis in proportion to the room, so
 *  that free cells are spread.  No half gets more tasks than it has room for.  @p x: columns of
 *  length @p n, by task; column[]: by axis; cell[]: by task.  O(n log n). */
void cut_tasks(const struct cut_grid *g, const double *x, const uint8_t *column, uint32_t *list,
               uint32_t n, uint32_t *cell);

#endif

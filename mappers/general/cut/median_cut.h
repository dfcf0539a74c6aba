/** @file median_cut.h
 *  Assigns tasks with coordinates to the cells of a grid by median cuts.
 */
#pragma once

#include <stdint.h>

enum { MEDIAN_CUT_MOST_AXES = 6 };

/** A grid of cells, each with room for @p room tasks. */
struct median_cut_grid {
  uint32_t naxes;
  uint32_t side[MEDIAN_CUT_MOST_AXES];
  uint32_t room;
};

/** Assigns a cell to each of @p n tasks.  Halves the grid across its longest side, and the tasks by
 *  their coordinates on that axis in proportion to the room, so that free cells are spread; then
 *  halves the halves.  No half gets more tasks than it has room for.  @p x: columns of length @p n,
 *  by task; column[]: by axis, its column; list[]: scratch of length @p n; cell[]: by task.
 *  O(n log n). */
void median_cut(const struct median_cut_grid *g, const double *x, const uint8_t *column,
                uint32_t *list, uint32_t n, uint32_t *cell);

/** Assigns @p columns columns, at least one, to the axes: the column of the largest extent to the
 *  longest axis, and so on.  Ties go to the lower number.  If there are more axes than columns,
 *  axes share columns. */
void median_cut_match(const struct median_cut_grid *g, const double *extent, uint32_t columns,
                      uint8_t *column);

/** @file fold.h
 *  Folds of a virtual grid onto a grid of hosts.  The coordinate on each virtual axis is split into
 *  digits, and each digit is assigned to an axis of hosts.  Digits form reflected mixed-radix
 *  codes, so that a step along a virtual axis changes one digit by one.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/arena.h"
#include "mappers/general/target.h"

/** Limit of the axes of a virtual grid. */
enum { FOLD_MOST_AXES = 6 };

struct fold_shape {
  uint32_t naxes;
  uint32_t side[FOLD_MOST_AXES];
  bool ring[FOLD_MOST_AXES]; /**< the ends of the axis are neighbours */
};

struct fold {
  double hops;    /**< estimated mean hops of a step, averaged over the virtual axes */
  uint32_t *host; /**< by cell of the virtual grid, first axis fastest */
};

/** Finds up to @p most folds of a shape onto the grid @p m, at most 16, best first.  Hosts may stay
 *  free.  *count is 0 if there is no fold. */
enum status fold_find(const struct target *m, const struct fold_shape *shape, struct fold *out,
                      uint32_t most, uint32_t *count, struct arena *mem);

/** @file fold.h
 *  Folds of a virtual grid onto a grid of hosts: every axis of the virtual grid is split into
 *  digits, each of which goes to an axis of hosts.  Digits are those of reflected mixed-radix
 *  codes, so that a step along a virtual axis changes one digit by one.
 */
#ifndef MAPPERS_GENERAL_FOLD_H
#define MAPPERS_GENERAL_FOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "mappers/general/target.h"

/** Most axes of a virtual grid. */
enum { FOLD_MOST_AXES = 6 };

struct fold_shape {
  uint32_t naxes;
  uint32_t side[FOLD_MOST_AXES];
  bool ring[FOLD_MOST_AXES]; /**< the ends of the axis are neighbours too */
};

struct fold {
  double hops;    /**< in the mean over the axes' steps, as estimated */
  uint32_t *host; /**< by cell of the virtual grid, the first axis fastest; owned */
};

/** Finds up to @p most folds of a shape onto the machine, a grid, the best first; some hosts may be
 *  left free.  *count is 0 if there is none.  The caller's: fold_clear() for each. */
enum status fold_find(const struct target *m, const struct fold_shape *shape, struct fold *out,
                      uint32_t most, uint32_t *count, struct err *e);

/** Accepts a zeroed one. */
void fold_clear(struct fold *f);

#endif

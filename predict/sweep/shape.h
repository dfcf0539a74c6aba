/** @file shape.h
 *  Private to predict/sweep/: recognises mappings of a program that differ only in the names of
 *  hosts and links.  A simulation cannot distinguish them, unless hosts or links are also used by
 *  something besides the program.
 */
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "platforms/mapping/mapping.h"
#include "platforms/platform.h"

/** Upper limit of ranks for which shapes are computed; the work grows with the square of the
 *  ranks. */
enum { SHAPE_RANKS = 512 };

/** A 64-bit hash of the speeds of the ranks' hosts and of the routes between all ranks, with hosts
 *  and links numbered in order of appearance.  Mappings with the same number of ranks that differ
 *  only in names have the same hash; others hardly ever. 0 if there are more than SHAPE_RANKS
 *  ranks. */
enum status shape_of(const struct platform *p, const struct mapping *m, uint64_t *out,
                     struct err *e);

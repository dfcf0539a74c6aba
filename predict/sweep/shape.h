/** @file shape.h
 *  Private to predict/sweep/: which mappings of a program are the same but for the names of hosts
 *  and links.  A simulation cannot tell these apart, unless something besides the program uses
 *  hosts or links.
 */
#ifndef PREDICT_SWEEP_SHAPE_H
#define PREDICT_SWEEP_SHAPE_H

#include <stdint.h>

#include "common/err.h"
#include "platforms/mapping/mapping.h"
#include "platforms/platform.h"

/** Ranks up to which shapes are told; the work is the square of the ranks. */
enum { SHAPE_RANKS = 512 };

/** A hash of 64 bits of the speeds of the ranks' hosts and of the routes between all ranks, with
 *  hosts and links numbered as they occur: two mappings of as many ranks that are the same but for
 *  names have the same, others hardly ever.  Beyond SHAPE_RANKS ranks it is 0. */
enum status shape_of(const struct platform *p, const struct mapping *m, uint64_t *out,
                     struct err *e);

#endif

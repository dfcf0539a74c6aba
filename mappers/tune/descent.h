/** @file descent.h
 *  Anneals a mapping by a score that takes much less time than a simulation, with the changes of
 *  moves.h.
 */
#pragma once

#include "mappers/tune/moves.h"

struct descent {
  struct moves *moves;
  double (*score)(void *data, const uint32_t *at); /**< of the mapping with rank r in slot at[r] */
  /** Called for the start, and for each change that is accepted, after score(); tells `moves` which
   *  pairs cost time (moves_blame()).  NULL: no MOVE_BLAMED. */
  enum status (*blame)(void *data, struct moves *moves, struct err *e);
  void *data;
  double heat;    /**< first heat, which falls linearly to 0; a relative worsening below heat^2 is
                       accepted */
  uint32_t steps; /**< changes to score */
};

/** Replaces @p at by the mapping with the least score that it finds, and sets *least to that score.
 *  @p at has moves_slots() entries and is unchanged on failure. */
enum status descent_run(const struct descent *d, struct rng *r, uint32_t *at, double *least,
                        struct err *e);

/** @file thresholds.h
 *  Thresholds of annealing.  A change is accepted with probability exp(-change / heat): if change
 *  <= heat * -log(u) for a random u.
 */
#ifndef MAPPERS_GENERAL_ANNEAL_THRESHOLDS_H
#define MAPPERS_GENERAL_ANNEAL_THRESHOLDS_H

#include <stdint.h>

enum { THRESHOLDS_BITS = 10 };

/** -log(u) for evenly spaced u. */
struct thresholds {
  double minus_log[1 << THRESHOLDS_BITS];
};

void thresholds_fill(struct thresholds *t);

/** The threshold for the upper bits of @p random, in units of the heat. */
static inline double thresholds_at(const struct thresholds *t, uint64_t random)
{
  return t->minus_log[random >> (64 - THRESHOLDS_BITS)];
}

#endif

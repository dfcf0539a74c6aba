/** @file thresholds.h
 *  By how much a step of annealing may make things worse: a change is taken with probability
 *  exp(-change / heat), which is to say if it is at most heat * -log(u) of a random u.
 */
#ifndef MAPPERS_GENERAL_THRESHOLDS_H
#define MAPPERS_GENERAL_THRESHOLDS_H

#include <stdint.h>

enum { THRESHOLDS_BITS = 10 };

/** -log(u) of evenly spread u. */
struct thresholds {
  double minus_log[1 << THRESHOLDS_BITS];
};

void thresholds_fill(struct thresholds *t);

/** One of them, by the upper bits of @p random, in units of the heat. */
static inline double thresholds_at(const struct thresholds *t, uint64_t random)
{
  return t->minus_log[random >> (64 - THRESHOLDS_BITS)];
}

#endif

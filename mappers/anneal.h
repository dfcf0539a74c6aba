/** @file anneal.h
 *  Simulated annealing: the cooling schedule and the acceptance of changes.  A change of the
 *  objective is accepted with probability exp(-change / heat), that is if change <= heat * -log(u)
 *  for a number u drawn uniformly from 0 to 1.
 */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/numeric/rng.h"

/** The heat after @p part (0 to 1) of the work.  It falls geometrically from @p first to first *
 *  @p last. */
static inline double anneal_heat(double first, double last, double part)
{
  return first * pow(last, part);
}

/** Draws the largest change that is accepted, at least 0. */
static inline double anneal_draw(double heat, struct rng *rng)
{
  return -heat * log(1 - rng_double(rng));
}

enum { ANNEAL_BITS = 10 };

/** -log(u) for evenly spaced u, for inner loops. */
struct anneal_table {
  double minus_log[1 << ANNEAL_BITS];
};

void anneal_fill(struct anneal_table *t);

/** The largest change that is accepted, chosen by the upper bits of @p random. */
static inline double anneal_limit(const struct anneal_table *t, double heat, uint64_t random)
{
  return heat * t->minus_log[random >> (64 - ANNEAL_BITS)];
}

struct anneal_plan {
  double work; /**< per task, in tests of an exchange; other steps count as the tests that take the
                    same time; rounded down */
  double start, end; /**< first and last heat, in mean changes of a test */
  uint64_t seed;
};

/** Annealing in sweeps. */
struct anneal_sweeps {
  const struct anneal_plan *plan;
  double unit;        /**< the mean change of a test */
  double work;        /**< the plan's work as an integer, at least 1 */
  double done;        /**< work done; the caller adds to it after each sweep */
  uint64_t exchanges; /**< exchanges made; the caller counts them */
  bool last;          /**< the final sweep has begun */
  struct anneal_table table;
};

void anneal_begin(struct anneal_sweeps *s, const struct anneal_plan *plan, double unit);

/** Sets the heat of the next sweep.  The final sweep has heat 0.  Returns false after the final
 *  sweep, or if the first eighth of the work, where the heat is greatest, made no exchange: later
 *  sweeps would make few. */
bool anneal_next(struct anneal_sweeps *s, double *heat);

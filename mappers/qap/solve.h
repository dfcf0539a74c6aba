/** @file solve.h
 *  Solves a quadratic assignment problem: runs several searches with different random streams in
 *  threads, and returns the best assignment.
 */
#pragma once

#include "mappers/qap/instance.h"
#include "mappers/qap/methods/method.h"

struct solve_options {
  const struct method *method;
  uint64_t seed;
  double seconds;   /**< CPU time limit of each search; 0: `work` is the limit */
  uint64_t work;    /**< limit of swaps evaluated by all searches together; 0: depends on n */
  uint32_t starts;  /**< number of searches; 0: 4, or the number of threads if `seconds` is set */
  uint32_t threads; /**< 0: the default of OpenMP */
};

/** Writes the location of each facility to @p at, q->n entries.  @p q must have passed qap_check().
 *  Unless `seconds` is set, the result does not depend on the number of threads. */
enum status solve(const struct qap *q, const struct solve_options *o, uint32_t *at, struct err *e);

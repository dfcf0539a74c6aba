/** @file solve.h
 *  Solves a quadratic assignment problem: several searches from different random streams, in
 *  threads, of which the best wins.
 */
#ifndef MAPPERS_QAP_SOLVE_H
#define MAPPERS_QAP_SOLVE_H

#include "mappers/qap/instance.h"
#include "mappers/qap/method.h"

struct solve_options {
  const struct method *method;
  uint64_t seed;
  double seconds;   /**< CPU time of each search; 0: `work` counts instead */
  uint64_t work;    /**< swaps that all searches look at together; 0: by the size */
  uint32_t starts;  /**< searches; 0: as many as threads if `seconds`, else 4 */
  uint32_t threads; /**< 0: OpenMP's choice */
};

/** Writes the location of each facility to @p at, q->n entries; @p q has passed qap_check().
 *  Without `seconds` the same at any number of threads. */
enum status solve(const struct qap *q, const struct solve_options *o, uint32_t *at, struct err *e);

#endif

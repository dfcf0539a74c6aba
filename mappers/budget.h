/** @file budget.h
 *  The budget of a search: either CPU time of its thread, so that other programs on the machine
 *  affect the result little, or an amount of work, so that the result is reproducible.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct budget {
  double seconds; /**< CPU seconds from budget_start() on; 0: `work` is the limit */
  uint64_t work;  /**< number of swaps to evaluate */
  uint64_t spent; /**< swaps evaluated so far */
  /** Swaps between two readings of the clock: 200,000 unless the caller changes it.  They take
   *  0.1 ms in a tabu search, which evaluates several at a time, and 0.3 ms in annealing. */
  uint64_t stride;
  /* private */
  uint64_t next_look;
  double start, share;
};

/** A budget of @p seconds of CPU time if that is above 0, or of @p work swaps.  Call it in the
 *  thread that spends the budget. */
struct budget budget_start(double seconds, uint64_t work);

/** Adds @p work evaluated swaps.  Returns false if the budget is used up. */
bool budget_spend(struct budget *b, uint64_t work);

/** The used part of the budget, at most 1.  A budget of time returns the value of its last reading
 *  of the clock. */
double budget_share(const struct budget *b);

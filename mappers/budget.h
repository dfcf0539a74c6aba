/** @file budget.h
 *  How long a search lasts: CPU time of its thread, so that other programs on the machine change
 *  the result little, or an amount of work, so that nothing does.
 */
#ifndef MAPPERS_BUDGET_H
#define MAPPERS_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

struct budget {
  double seconds;  /**< CPU seconds from budget_start() on; 0: `work` counts instead */
  uint64_t work;   /**< swaps looked at */
  uint64_t spent;  /**< so far */
  uint64_t stride; /**< swaps between two looks at the clock: 200,000 of O(1) take 0.1 ms */
  /* private */
  uint64_t next_look;
  double start, share;
};

/** Of @p seconds if they are above 0, else of @p work.  In the thread that spends it. */
struct budget budget_start(double seconds, uint64_t work);

/** Notes that @p work swaps were looked at; false: the budget is used up. */
bool budget_spend(struct budget *b, uint64_t work);

/** The part that is used up, 1 at the end; by time, as of the last look at the clock. */
double budget_share(const struct budget *b);

#endif

/** @file batch.h
 *  Many simulations that share the work: in this process, or in several that take the next one
 *  nobody has begun.  Their answers are values, which do not depend on who found them.
 */
#ifndef CAMPAIGN_BATCH_H
#define CAMPAIGN_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

struct batch {
  /** Leaves what is known of item @p i at @p answer, a zeroed value without pointers of its own. */
  void (*run)(const void *arg, uint32_t i, void *answer);
  const void *arg;
  uint32_t items;
  size_t answer_size;
  bool again; /**< a process may run several items: see struct engine */
};

/** Runs all items, @p at_once processes at a time, or in this one if that is 1 and it may run them
 *  all.  @p answers has room for all.  Fails if a process ends without the answer it owes. */
enum status batch_run(const struct batch *b, uint32_t at_once, void *answers, struct err *e);

#endif

/** @file batch.h
 *  Runs many independent simulations, in this process or in several processes that share the work.
 *  The answers are values and do not depend on which process computed them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

struct batch {
  /** Computes item @p i and writes its answer to @p answer, which is zeroed.  The answer is copied
   *  between processes: it must not contain pointers. */
  void (*run)(const void *arg, uint32_t i, void *answer);
  const void *arg;
  uint32_t items;
  size_t answer_size;
  bool again; /**< one process may run several items, see runs_again of struct engine */
};

/** Runs all items, with at most @p at_once processes in parallel.  Without `again` each item has a
 *  process.  With `again` a process runs several items; if @p at_once or the number of items is 1,
 *  the calling process runs them all, and a crash of an item ends it.  @p answers has room for all
 *  answers.  Fails if a process ends without the answers of its items. */
enum status batch_run(const struct batch *b, uint32_t at_once, void *answers, struct err *e);

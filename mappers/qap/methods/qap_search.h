/** @file qap_search.h
 *  The state of one search for a good assignment: its random stream, its budget and the best
 *  assignment found.  A method (method.h) runs it.
 */
#pragma once

#include <stdint.h>

#include "common/arena.h"
#include "common/numeric/rng.h"
#include "mappers/budget.h"
#include "mappers/qap/form.h"

struct qap_search {
  const struct form *form;
  struct rng rng;
  struct budget budget;
  uint32_t *best;     /**< the best assignment so far, in the form's numbers */
  int64_t best_value; /**< in the form's unit */
};

/** Sets `best` to a random assignment. */
enum status qap_search_new(struct qap_search *s, const struct form *f, struct rng rng,
                           struct budget budget, struct arena *mem);

/** Writes a random assignment. */
void qap_search_random(struct qap_search *s, uint32_t *at);

/** Copies @p at to `best` if @p value is below best_value. */
void qap_search_offer(struct qap_search *s, const uint32_t *at, int64_t value);

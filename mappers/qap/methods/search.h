/** @file search.h
 *  The state of one search for a good assignment: its random stream, its budget and the best
 *  assignment found.  A method (method.h) runs it.
 */
#ifndef MAPPERS_QAP_METHODS_SEARCH_H
#define MAPPERS_QAP_METHODS_SEARCH_H

#include <stdint.h>

#include "common/err.h"
#include "common/numeric/rng.h"
#include "mappers/budget.h"
#include "mappers/qap/form.h"

struct search {
  const struct form *form;
  struct rng rng;
  struct budget budget;
  uint32_t *best;     /**< the best assignment so far, in the form's numbers; owned */
  int64_t best_value; /**< in the form's unit */
};

/** Sets `best` to a random assignment.  The caller frees it with search_clear(). */
enum status search_new(struct search *s, const struct form *f, struct rng rng, struct budget budget,
                       struct err *e);

/** Accepts a zeroed struct. */
void search_clear(struct search *s);

/** Writes a random assignment. */
void search_random(struct search *s, uint32_t *at);

/** Copies @p at to `best` if @p value is below best_value. */
void search_offer(struct search *s, const uint32_t *at, int64_t value);

#endif

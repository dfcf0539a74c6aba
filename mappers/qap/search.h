/** @file search.h
 *  One search for a good assignment, from its own random stream and within its own budget.  Methods
 *  (method.h) are functions of it.
 */
#ifndef MAPPERS_QAP_SEARCH_H
#define MAPPERS_QAP_SEARCH_H

#include <stdint.h>

#include "common/err.h"
#include "common/rng.h"
#include "mappers/budget.h"
#include "mappers/qap/form.h"

struct search {
  const struct form *form;
  struct rng rng;
  struct budget budget;
  uint32_t *best;     /**< the best assignment so far, in the form's numbers; owned */
  int64_t best_value; /**< in the form's unit */
};

/** The best is a random assignment.  The caller's: search_clear(). */
enum status search_new(struct search *s, const struct form *f, struct rng rng, struct budget budget,
                       struct err *e);

/** Accepts a zeroed one. */
void search_clear(struct search *s);

/** Writes a random assignment. */
void search_random(struct search *s, uint32_t *at);

/** Keeps a copy of @p at if @p value is the best. */
void search_offer(struct search *s, const uint32_t *at, int64_t value);

#endif

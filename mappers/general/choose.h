/** @file choose.h
 *  Chooses one of several mappings: by simulated time, by estimated
 *  time, or by blend.
 */
#ifndef MAPPERS_GENERAL_CHOOSE_H
#define MAPPERS_GENERAL_CHOOSE_H

#include "mappers/general/general.h"
#include "mappers/mapper.h"

enum choose_by {
  CHOOSE_TIME,     /**< simulated time; estimated time (estimate.h) without a simulator */
  CHOOSE_BLEND,    /**< the objective blend (refine/objective.h) */
  CHOOSE_HOPBYTES, /**< the general mapping, no other candidate */
  CHOOSE_QUICK     /**< the same, by a quick plan */
};

struct choose_plan {
  struct general_plan general;
  enum choose_by by;
  double budget; /**< simulated iterations of the program */
};

/** Chooses among candidates (candidates.h).  For CHOOSE_TIME with a simulator, it simulates the
 *  candidates with the least estimates for a part of the program, and the fastest of them for a
 *  longer part.  Candidates whose times differ by chaos only rank by their estimates.  The caller
 *  frees *out with mapping_clear(). */
enum status choose_mapping(struct mapping *out, const struct mapper_input *in,
                           const struct choose_plan *plan, struct err *e);

/** Simulates @p n mappings, at most 8, by rank their hosts, for at most @p budget iterations in
 * all.  *best is the first one; a later one replaces it if its time is less by more than 1 %.  0 if
 * the budget is too small.  @p in needs a simulator. */
enum status choose_fastest(const struct mapper_input *in, const uint32_t *const *host, uint32_t n,
                           double budget, uint32_t *best, struct err *e);

#endif

/** @file choose.h
 *  Chooses one of several mappings: by simulated time, by estimated time, or by blend.
 */
#pragma once

#include "mappers/general/general.h"
#include "mappers/mapper.h"

enum choose_by {
  CHOOSE_TIME,     /**< simulated time; estimated time (estimate.h) without a simulator */
  CHOOSE_BLEND,    /**< the objective blend (refine/objective.h) */
  CHOOSE_HOPBYTES, /**< no choice: the general mapping */
  CHOOSE_QUICK     /**< no choice: the general mapping by a quick plan */
};

struct choose_plan {
  struct general_plan general;
  enum choose_by by;
  double budget; /**< limit of the simulated iterations of the program, in all; 0: 10, or 640 /
                      ranks if that is more */
};

/** Chooses among candidates (candidates.h) by CHOOSE_TIME or CHOOSE_BLEND.  With a simulator,
 *  CHOOSE_TIME simulates the candidates with the least estimates for a part of the program, and the
 *  fastest of them for a longer part.  Where the difference of two times is rounding
 *  (TRIALS_CHAOS), the estimates decide.  A program that is too large to simulate gets the
 *  candidate with the least hop-bytes among those whose estimates exceed the least by at most 5 %.
 *  The caller frees *out with mapping_clear(). */
enum status choose_mapping(struct mapping *out, const struct mapper_input *in,
                           const struct choose_plan *plan, struct err *e);

/** Chooses among @p n mappings, at most 8, by simulations of at most @p budget iterations in all.
 *  host[i][r] is the host of rank r in mapping i.  *best begins as 0; a later mapping replaces it
 *  if its time is less by more than 1 %.  *best stays 0 if the budget is too small.  @p in needs a
 *  simulator. */
enum status choose_fastest(const struct mapper_input *in, const uint32_t *const *host, uint32_t n,
                           double budget, uint32_t *best, struct err *e);

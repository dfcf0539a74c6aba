/** @file tabu.h
 *  A walk of Taillard's robust tabu search (Robust taboo search for the quadratic assignment
 *  problem, Parallel Computing 17, 1991).  Each step takes the best swap that is not tabu, even if
 *  it worsens the value.  A swap is tabu if it moves both facilities back to locations that they
 *  left fewer than a random number of steps ago, unless it leads to the best value of the walk.
 */
#pragma once

#include "mappers/qap/methods/qap_search.h"
#include "mappers/qap/tables.h"

struct tabu {
  struct qap_search *search;
  struct tables tables;
  uint32_t *best;     /**< best assignment of the walk */
  int64_t best_value; /**< its value */
  int32_t *left;      /**< [u * n + location]: facility u is barred from it up to this step */
  int32_t *until;     /**< [u * tables.stride + v]: the swap is tabu up to this step */
  int32_t step;
};

/** The arrays belong to @p mem.  Also fails if an earlier request of @p mem has failed. */
enum status tabu_new(struct tabu *t, struct qap_search *s, struct arena *mem);

/** Starts a walk at @p at with an empty tabu list.  NULL: starts where the last walk ended. */
void tabu_start(struct tabu *t, const uint32_t *at);

/** Walks until @p patience steps in a row have not improved the walk's best assignment, then offers
 *  that assignment to the search.  Returns false if the budget is used up. */
bool tabu_walk(struct tabu *t, uint64_t patience);

/** Takes the best swap until no swap improves the value, then offers the assignment to the search.
 *  Returns false if the budget is used up. */
bool tabu_descend(struct tabu *t);

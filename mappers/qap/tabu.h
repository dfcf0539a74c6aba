/** @file tabu.h
 *  A walk of Taillard's robust tabu search: at each step the best swap that is not tabu, even for
 *  the worse; a swap is tabu while both facilities would return to locations that they left within
 *  a random number of steps, unless it gives the best value seen.  (Taillard, Robust taboo search
 *  for the quadratic assignment problem, Parallel Computing 17, 1991.)
 */
#ifndef MAPPERS_QAP_TABU_H
#define MAPPERS_QAP_TABU_H

#include "mappers/qap/search.h"
#include "mappers/qap/tables.h"

struct tabu {
  struct search *search;
  struct tables tables;
  uint32_t *best;     /**< best assignment of the walk; owned, as all below */
  int64_t best_value; /**< its value */
  int32_t *left;      /**< [u * n + location]: facility u is tabu there up to this step */
  int32_t *until;     /**< [u * n + v]: the swap is tabu up to this step */
  int32_t step;
};

/** The caller's: tabu_clear(), also after a failure. */
enum status tabu_new(struct tabu *t, struct search *s, struct err *e);

/** Accepts a zeroed one. */
void tabu_clear(struct tabu *t);

/** Starts a walk at @p at, or at where the last walk ended if it is NULL, with an empty list. */
void tabu_start(struct tabu *t, const uint32_t *at);

/** Goes on until @p patience steps have brought nothing better than the walk's best; offers that to
 *  the search.  False: the budget is used up. */
bool tabu_walk(struct tabu *t, uint64_t patience);

/** Swaps downhill, best first, until no swap improves; likewise. */
bool tabu_descend(struct tabu *t);

#endif

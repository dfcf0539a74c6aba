/** @file guess.h
 *  A guess at the simulated time of a mapping from the loads of the links.  It is fast enough to
 *  score many changes before one of them is simulated.
 */
#pragma once

#include "mappers/mapper.h"

struct guess;

/** Four norms of the seconds that each link takes for its bytes: sums of their first, second,
 * fourth and sixteenth powers; then the estimated time (mappers/estimate.h).  With equal links, the
 * first measures hop-bytes, and the fourth nearly the fullest link. */
#define GUESS_NORMS 5

/** Sets *out to NULL if the platform or the traffic is too large.  The caller frees *out with
 *  guess_free(). */
enum status guess_new(struct guess **out, const struct mapper_input *in, struct err *e);

/** Accepts NULL. */
void guess_free(struct guess *l);

/** The approximate number of steps of one score. */
uint64_t guess_work(const struct guess *l, uint32_t norm);

/** The score by norm @p norm of the mapping with rank r in slot @p at[r].  Scores by one norm are
 *  comparable.  INFINITY: no memory. */
double guess_score(struct guess *l, const uint32_t *at, uint32_t norm);

/** @file guess.h
 *  Scores of a mapping that stand for its simulated time.  They are fast enough to score many
 *  changes before one of them is simulated.
 */
#pragma once

#include "mappers/mapper.h"

struct guess;

/** Number of scores, the norms.  Norms 0 to 3 are the sums over the links of the first, second,
 *  fourth and 16th powers of the seconds that each takes for its bytes; with equal links, norm 0
 *  measures hop-bytes, and norm 3 nearly the fullest link.  The last norm is the estimated time
 *  (mappers/estimate.h). */
#define GUESS_NORMS 5

/** Sets *out to NULL if the platform or the traffic is too large.  The caller frees *out with
 *  guess_free(). */
enum status guess_new(struct guess **out, const struct mapper_input *in, struct err *e);

/** Accepts NULL. */
void guess_free(struct guess *l);

/** The approximate number of steps of one score. */
uint64_t guess_work(const struct guess *l, uint32_t norm);

/** The score by norm @p norm of the mapping with rank r in slot @p at[r]: less is better.
 *  INFINITY: out of memory. */
double guess_score(struct guess *l, const uint32_t *at, uint32_t norm);

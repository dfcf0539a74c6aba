/** @file guess.h
 *  What a mapping puts on the links, as a guess at its simulated time: cheap enough to look at many
 *  changes before one of them is simulated.
 */
#ifndef MAPPERS_TUNE_GUESS_H
#define MAPPERS_TUNE_GUESS_H

#include "mappers/mapper.h"

struct guess;

/** Ways to sum up the seconds that each link takes for its bytes: the sums of their first, second,
 *  fourth and sixteenth powers.  The first is hop-bytes, the last near the fullest link. */
#define GUESS_NORMS 4

/** *out is NULL if the platform or the traffic is too large.  The caller's: guess_free(). */
enum status guess_new(struct guess **out, const struct mapper_input *in, struct err *e);

/** Accepts NULL. */
void guess_free(struct guess *l);

/** Steps that one score takes, about. */
uint64_t guess_work(const struct guess *l);

/** The sum by norm @p norm of the mapping that gives rank r slot @p at[r]; comparable between
 *  mappings. */
double guess_score(struct guess *l, const uint32_t *at, uint32_t norm);

#endif

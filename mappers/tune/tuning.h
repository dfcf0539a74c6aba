/** @file tuning.h
 *  Searches for the mapping with the least simulated time: simulates start mappings, then changes
 *  of the best ones.
 */
#pragma once

#include "mappers/tune/trials.h"

struct tuning;

/** @p t must outlive *out.  The caller frees *out with tuning_free(). */
enum status tuning_new(struct tuning **out, struct trials *t, uint64_t seed, struct err *e);

/** Accepts NULL. */
void tuning_free(struct tuning *s);

/** Adds a start mapping.  Ignores duplicates.  If @p optional, it is not simulated when the budget
 *  is small and its estimated time is long. */
enum status tuning_add(struct tuning *s, const struct mapping *m, bool optional, struct err *e);

/** Simulates the start mappings, then searches until the runs or the time of the trials is used up.
 */
enum status tuning_run(struct tuning *s, struct err *e);

/** The slot of each rank in the best mapping. */
const uint32_t *tuning_best(const struct tuning *s);

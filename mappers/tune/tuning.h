/** @file tuning.h
 *  Searches for the mapping of the least simulated time by testing changes.
 */
#pragma once

#include "mappers/tune/trials.h"

struct tuning;

/** @p t must outlive *out.  The caller frees *out with tuning_free(). */
enum status tuning_new(struct tuning **out, struct trials *t, uint64_t seed, struct err *e);

/** Accepts NULL. */
void tuning_free(struct tuning *s);

/** Adds a start mapping.  Ignores duplicates.  @p optional: it is not simulated if the budget is
 *  small and its estimated time is long. */
enum status tuning_add(struct tuning *s, const struct mapping *m, bool optional, struct err *e);

/** Simulates the start mappings, then searches until the work or the time is used up. */
enum status tuning_run(struct tuning *s, struct err *e);

/** The slot of each rank in the best mapping. */
const uint32_t *tuning_best(const struct tuning *s);

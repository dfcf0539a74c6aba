/** @file bisections.h
 *  Maps by `bisect` with several seeds.  On regular programs and networks, many cuts have the same
 *  cost; which of them a bisection takes changes the fullest link by a factor of up to two.
 */
#pragma once

#include "mappers/mapper.h"

/** Makes the mappings of 8 seeds, from @p seed on, and sets *out to the one with the least
 *  estimated time (estimate.h); the first of equal ones.  The caller frees it with
 *  mapping_clear(). */
enum status bisections_map(struct mapping *out, const struct mapper_input *in, uint64_t seed,
                           struct err *e);

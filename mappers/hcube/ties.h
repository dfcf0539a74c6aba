/** @file ties.h
 *  Chooses among matchings of equal weight.
 *
 *  Two joined pairs of cubes can be joined well again if each cube of one has arcs with a cube of
 *  the other: the two joints lie *side by side*, opposite each other in a cycle of four cubes.
 *  What a matching is worth to the next stage is the sum of such sides, which no weights of single
 *  joints express.  A matching is therefore grown from a first joint, each next one where most
 *  sides are gained and fewest lost, and the matching of greatest weight that has most of it is
 *  taken.
 */
#ifndef MAPPERS_HCUBE_TIES_H
#define MAPPERS_HCUBE_TIES_H

#include "common/rng.h"
#include "mappers/hcube/cubes.h"

/** The first matching of greatest weight; cubes that are left are paired in order. */
enum status ties_first(const struct stage *s, uint32_t *mate, struct err *e);

/** One that serves the next stages; @p rng settles what is left open. */
enum status ties_grown(const struct stage *s, struct rng *rng, uint32_t *mate, struct err *e);

#endif

/** @file ties.h
 *  Chooses among matchings of equal weight.
 *
 *  Two pairs of cubes can be joined well in the next stage if each cube of one pair has arcs with a
 *  cube of the other pair.  Then the joints of the two pairs lie *side by side*: they are opposite
 *  arcs in a cycle of four cubes.  Such a pair of joints is a *side*.  The value of a matching for
 *  the next stage is the number of its sides, which weights of single joints cannot express.  So a
 *  matching is grown from a first joint; each step takes the joint that gains most sides and loses
 *  fewest.  The result is the maximum-weight matching that contains most joints of the grown
 *  matching.
 */
#pragma once

#include "common/numeric/rng.h"
#include "mappers/hcube/cubes.h"

/** Writes the maximum-weight matching that blossom_match() returns for the order of the joints to
 *  @p mate, then pairs the unmatched cubes in order. */
enum status ties_first(const struct stage *s, uint32_t *mate, struct err *e);

/** Writes the maximum-weight matching closest to a grown matching to @p mate, then pairs the
 *  unmatched cubes in order.  @p rng breaks remaining ties. */
enum status ties_grown(const struct stage *s, struct rng *rng, uint32_t *mate, struct err *e);

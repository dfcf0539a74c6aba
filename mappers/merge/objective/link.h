/** @file link.h
 *  The merge step for minlink: finds the combination of patterns with the fewest bytes on the most
 *  loaded link.  If merge_case.exact, the result equals a trial of all
 *  combinations with mopt_eval_link(); if not, it is the local optimum of descent.h.
 *
 *  Loads are prefix sums of differences along each axis.  The loads of the traffic within a group
 *  are computed once for each pattern.  Their maximum is a lower bound that skips combinations.
 */
#pragma once

#include "mappers/merge/case.h"

/** Scratch of one thread. */
struct merge_link;

/** The caller frees it with merge_link_free().  NULL with @p e filled on failure. */
struct merge_link *merge_link_new(struct err *e);

/** Accepts NULL. */
void merge_link_free(struct merge_link *l);

/** Writes the join found for the groups of @p p to @p out.  @p team has the scratch of @p size
 *  threads, which share the work; the result does not depend on @p size.  O(combinations * (flows +
 *  cells) * axes). */
enum status merge_link_search(struct merge_link **team, int size, const struct merge_case *c,
                              const struct merge_grid *g, const struct merge_pair *p,
                              struct merge_join *out, struct err *e);

/** @file cost.h
 *  The merge step for mincost: finds the combination of patterns with the smallest sum of bytes
 *  times hops.  Gives the result of trying all with mopt_eval_cost(), but much faster.
 *
 *  Hops are a sum over axes.  A small table holds the cost of the traffic for each axis of the
 *  merged group, each axis of either group that may lie along it, and each reflection.  The value
 *  of a combination is a sum of entries of that table.
 */
#pragma once

#include "mappers/merge/case.h"

/** Scratch of one thread. */
struct merge_cost;

/** On failure returns NULL and fills @p e. */
struct merge_cost *merge_cost_new(struct err *e);

/** Accepts NULL. */
void merge_cost_free(struct merge_cost *s);

/** Writes the best join of the groups of @p p to @p out.  Time: number of flows times axes, plus
 *  combinations times axes. */
enum status merge_cost_search(struct merge_cost *s, const struct merge_case *c,
                              const struct merge_grid *g, const struct merge_pair *p,
                              struct merge_join *out, struct err *e);

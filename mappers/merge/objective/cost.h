/** @file cost.h
 *  The merge step for mincost: finds the combination of patterns with the smallest sum of bytes
 *  times hops.  If merge_case.exact, the result equals a trial of all
 *  combinations with mopt_eval_cost(); if not, it is the local optimum of descent.h.
 *
 *  Hops are a sum over axes.  A small table holds the cost of the traffic for each axis of the
 *  merged group, each axis of either group that may lie along it, and each reflection.  The value
 *  of a combination is a sum of entries of that table.
 */
#pragma once

#include "mappers/merge/case.h"

/** Scratch of one thread. */
struct merge_cost;

/** The caller frees it with merge_cost_free().  NULL with @p e filled on failure. */
struct merge_cost *merge_cost_new(struct err *e);

/** Accepts NULL. */
void merge_cost_free(struct merge_cost *s);

/** Writes the join found for the groups of @p p to @p out.  O((flows + combinations) * axes). */
enum status merge_cost_search(struct merge_cost *s, const struct merge_case *c,
                              const struct merge_grid *g, const struct merge_pair *p,
                              struct merge_join *out, struct err *e);

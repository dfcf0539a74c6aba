/** @file cost.h
 *  The merge step for mincost: the combination of patterns with the smallest sum of bytes times
 *  hops.  The same answer as trying all with mopt_eval_cost(), much sooner.
 *
 *  Hops are a sum over axes.  So a small table has the cost of the traffic for each axis of the
 *  merged group, each axis of either group that may lie along it and each reflection; the value of
 *  a combination is a sum of look-ups.
 */
#ifndef MAPPERS_MERGE_OBJECTIVE_COST_H
#define MAPPERS_MERGE_OBJECTIVE_COST_H

#include "mappers/merge/case.h"

/** Scratch of one thread. */
struct merge_cost;

/** NULL with @p e filled on failure. */
struct merge_cost *merge_cost_new(struct err *e);

/** Accepts NULL. */
void merge_cost_free(struct merge_cost *s);

/** The best way to join the groups of @p p.  Time: the flows times the axes, and for each
 *  combination the axes. */
enum status merge_cost_search(struct merge_cost *s, const struct merge_case *c,
                              const struct merge_grid *g, const struct merge_pair *p,
                              struct merge_join *out, struct err *e);

#endif

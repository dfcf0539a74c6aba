/** @file link.h
 *  The merge step for minlink: the combination of patterns whose most loaded link has the fewest
 *  bytes.  The same answer as trying all with mopt_eval_link(), much sooner.
 *
 *  Loads are prefix sums of differences along each axis (lane.h).  Those of a group's inner traffic
 *  are computed once for each pattern, and give a lower bound that skips combinations.
 */
#ifndef MAPPERS_MERGE_OBJECTIVE_LINK_H
#define MAPPERS_MERGE_OBJECTIVE_LINK_H

#include "mappers/merge/case.h"

/** Scratch of one thread. */
struct merge_link;

/** NULL with @p e filled on failure. */
struct merge_link *merge_link_new(struct err *e);

/** Accepts NULL. */
void merge_link_free(struct merge_link *l);

/** The best way to join the groups of @p p.  @p team is the scratch of @p size threads, which
 *  share the work; the result does not depend on their number.  Time: for each combination, its
 *  flows and cells, times the axes. */
enum status merge_link_search(struct merge_link **team, int size, const struct merge_case *c,
                              const struct merge_grid *g, const struct merge_pair *p,
                              struct merge_join *out, struct err *e);

#endif

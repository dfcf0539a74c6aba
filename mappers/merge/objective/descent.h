/** @file descent.h
 *  The merge step for a pair with too many combinations to try them all: steepest descent from the
 *  two groups as they are.  A step exchanges two axes of one group, or reflects an axis of the
 *  second or the axis of the merge in the first.  The result is a local optimum and deterministic.
 */
#ifndef MAPPERS_MERGE_OBJECTIVE_DESCENT_H
#define MAPPERS_MERGE_OBJECTIVE_DESCENT_H

#include "mappers/merge/case.h"

/** The value of a join, or anything above @p limit if the value is above it. */
typedef uint64_t merge_descent_value(void *context, const struct merge_join *j, uint64_t limit);

/** Writes the join found to @p out.  Time: for each step, axes squared calls of @p value. */
void merge_descent(const struct merge_case *c, merge_descent_value *value, void *context,
                   struct merge_join *out);

#endif

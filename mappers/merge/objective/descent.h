/** @file descent.h
 *  The merge step for a pair with too many combinations to try: steepest descent that starts with
 *  both groups as they are.  A step exchanges two axes of one group, reflects an axis of the second
 *  group, or reflects the axis of the merge in the first group.  The result is a local optimum and
 *  deterministic.
 */
#pragma once

#include "mappers/merge/case.h"

/** The value of a join.  If it is above @p limit, may return any number above @p limit. */
typedef uint64_t merge_descent_value(void *context, const struct merge_join *j, uint64_t limit);

/** Writes the join found to @p out.  Each step takes O(axes squared) calls of @p value. */
void merge_descent(const struct merge_case *c, merge_descent_value *value, void *context,
                   struct merge_join *out);

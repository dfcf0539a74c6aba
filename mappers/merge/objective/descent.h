/** @file descent.h
 *  The merge step for a pair with too many combinations to try: steepest descent from the identity
 *  patterns of both groups.  A step exchanges two axes of one group, reflects an axis of the second
 *  group, or reflects the axis of the merge in the first group.  The result is a local optimum and
 *  deterministic.
 */
#pragma once

#include "mappers/merge/case.h"

/** The value of a join, or any number above @p limit if the value is above @p limit. */
typedef uint64_t merge_descent_value(void *context, const struct merge_join *j, uint64_t limit);

/** Writes the join found to @p out.  Each step takes O(axes squared) calls of @p value. */
void merge_descent(const struct merge_case *c, merge_descent_value *value, void *context,
                   struct merge_join *out);

/** @file merge_descent.h
 *  The merge step where a pair has too many combinations to try them all: descent from the two
 *  groups as they are, by the best of these changes, as long as one makes the value smaller: two
 *  axes of one group change places, an axis of the second is reflected, or the axis of the merge in
 *  the first.  A local optimum, the same each time.
 */
#ifndef MAPPERS_MERGE_OBJECTIVE_DESCENT_H
#define MAPPERS_MERGE_OBJECTIVE_DESCENT_H

#include "mappers/merge/case.h"

/** The value of a join; may return anything above @p limit once it is above. */
typedef uint64_t merge_descent_value(void *context, const struct merge_join *j, uint64_t limit);

/** Time: for each step, axes squared values. */
void merge_descent(const struct merge_case *c, merge_descent_value *value, void *context,
                   struct merge_join *out);

#endif

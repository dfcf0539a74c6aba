/** @file grouping.h
 *  Maps ranks to nodes in two steps: cuts the ranks into groups, one per node, with few bytes
 *  between groups; then maps the groups to hosts as if each were a rank.
 */
#pragma once

#include <stdbool.h>

#include "mappers/general/general.h"
#include "mappers/mapper.h"

/** Makes the mapping with as few groups of at most in->ranks_per_host ranks as possible.  With
 *  @p digits, the ranks of a group differ in some digits of their numbers only (tune/digits.h).
 *  Without, groups by cuts or by digits, the better ones, are annealed.  Sets *found to false, and
 *  leaves *out unchanged, if that is one group, or more than INSIDE_MOST_CORES.  The caller frees
 *  *out with mapping_clear().  O(ranks^2 log ranks) up to 512 slots, O(arcs log ranks) above. */
enum status grouping_map(struct mapping *out, const struct mapper_input *in,
                         const struct general_plan *plan, bool digits, bool *found, struct err *e);

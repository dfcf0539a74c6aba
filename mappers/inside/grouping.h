/** @file grouping.h
 *  Maps ranks to nodes in two steps: cuts the ranks into groups of a node, with the least bytes
 *  between groups, and maps the groups to hosts as ranks of their own.
 */
#ifndef MAPPERS_INSIDE_GROUPING_H
#define MAPPERS_INSIDE_GROUPING_H

#include <stdbool.h>

#include "mappers/general/general.h"
#include "mappers/mapper.h"

/** Makes the mapping by as few groups of in->ranks_per_host ranks as the ranks need.  *found is
 * false, and *out unchanged, if there would be one group only or more than INSIDE_MOST_CORES.  The
 * caller frees *out with mapping_clear().  O(ranks^2 log ranks) up to 512 slots, then O(arcs log
 * ranks). */
enum status grouping_map(struct mapping *out, const struct mapper_input *in,
                         const struct general_plan *plan, bool *found, struct err *e);

#endif

/** @file select.h
 *  The selection step: chooses the pairs of groups to merge.
 *
 *  Source: Asano and Kise, "SFMOPT", section 2.2: takes the pair with the largest Comm, then the
 *  pair with the largest Comm of the remaining groups, until none is left.  Ties go to the lower
 *  group, then to the lower partner.  Pairs that exchange nothing are taken last.  First come pairs
 *  of a group that exchanges bytes with other groups and a group that exchanges none, so that two
 *  groups that belong to different places are not tied together; then all other pairs.  If sides
 *  are not powers of two, groups differ in shape: only shapes that fit are paired, and only as
 *  often as the plan needs the resulting shape.
 */
#pragma once

#include "mappers/merge/comm.h"
#include "mappers/merge/plan.h"

#define MERGE_SELECT_NONE UINT32_MAX

/** Two groups, first the longer one along the axis of the iteration, or if equal the lower one; or
 *  a group that stays alone (second is MERGE_SELECT_NONE). */
struct merge_pair {
  uint32_t first, second;
  uint32_t shape; /**< shape of the merged group */
};

/** Pairs the groups of @p c, which have the shapes @p shape.  Writes *count pairs, sorted by their
 *  lower groups, to pair[], which has room for one entry per group.  Reorders the entries within
 *  the rows of @p c.  Time: usually the entries of @p c times the logarithm of the number of
 *  groups; a row is searched again whenever its best partner has been paired with another group. */
enum status merge_select_pairs(struct merge_comm *c, const uint8_t *shape,
                               const struct merge_step *step, struct merge_pair *pair,
                               uint32_t *count, struct err *e);

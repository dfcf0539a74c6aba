/** @file select.h
 *  The selection step: chooses the pairs of groups to merge.
 *
 *  Source: Asano and Kise, "SFMOPT", section 2.2: takes the pair with the largest Comm, then the
 *  largest of the remaining groups, until none is left.  Ties go to the lower group, then to the
 *  lower partner.  Pairs that exchange nothing are taken last.  Among them, a group that exchanges
 *  bytes with other groups is first paired with a group that exchanges none: an idle partner does
 *  not tie it to a group that should be elsewhere.  If sides are not powers of two, groups differ
 *  in shape: only shapes that fit are paired, and only as often as the plan needs the resulting
 *  shape.
 */
#pragma once

#include "mappers/merge/comm.h"
#include "mappers/merge/plan.h"

#define MERGE_SELECT_NONE UINT32_MAX

/** Two groups, the longer one along the axis first, or of equal ones the lower; or a group that
 *  stays alone (second is MERGE_SELECT_NONE). */
struct merge_pair {
  uint32_t first, second;
  uint32_t shape; /**< of the merged group */
};

/** Pairs the groups of @p c, which have the shapes @p shape.  pair[] has room for one entry for
 *  each group; *count are filled, sorted by their lower groups.  Reorders the entries within the
 *  rows of @p c.  Time: usually linear in @p c, times the logarithm of the groups; a row is
 *  searched again whenever its best partner has been paired with another group. */
enum status merge_select_pairs(struct merge_comm *c, const uint8_t *shape,
                               const struct merge_step *step, struct merge_pair *pair,
                               uint32_t *count, struct err *e);

/** @file select.h
 *  The selection step: which groups are merged with which.
 *
 *  Source: Asano and Kise, "SFMOPT", section 2.2: the pair with the largest Comm first, then
 *  the largest of the groups left, and so on.  Ties go to the lower group, then to the lower
 *  partner; but of pairs that exchange nothing those come first in which one group exchanges bytes
 *  with others and one with nobody: an idle partner does not bind a group to one that belongs
 *  elsewhere.  If sides are no powers of two, groups differ in shape: only those that fit are
 *  paired, and no more of a shape than the plan needs.
 */
#ifndef MAPPERS_MERGE_SELECT_H
#define MAPPERS_MERGE_SELECT_H

#include "mappers/merge/comm.h"
#include "mappers/merge/plan.h"

#define MERGE_SELECT_NONE UINT32_MAX

/** Two groups, the longer one along the axis first, else the lower one; or a group that stays alone
 *  (second is MERGE_SELECT_NONE). */
struct merge_pair {
  uint32_t first, second;
  uint32_t shape; /**< of the merged group */
};

/** Pairs the groups of @p c, whose shapes are in @p shape: pair[] is as long as the
 *  groups, *count are filled, in the order of their lower groups.  Reorders the entries within the
 *  rows of @p c.  Time: usually linear in @p c, times the logarithm of the groups; a row is
 *  searched again each time its best partner is paired with another. */
enum status merge_select_pairs(struct merge_comm *c, const uint8_t *shape,
                               const struct merge_step *step, struct merge_pair *pair,
                               uint32_t *count, struct err *e);

#endif

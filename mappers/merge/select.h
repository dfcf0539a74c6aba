/** @file merge_select.h
 *  The selection step: which groups are merged with which.
 *
 *  Source: Asano and Kise, "SFMOPT", section 2.2: the pair with the largest Comm first, both taken
 *  off the list, and so on.  Ties go to the lower group, then to the lower partner; but of pairs
 *  that exchange nothing those come first of which one group talks to others and one to nobody:
 *  a group without a partner is better off beside an idle one than tied to a group that belongs
 *  elsewhere.  Where sides are no powers of two, groups differ in shape: only those that fit are
 *  paired, and no more of a kind than the plan needs.
 */
#ifndef MAPPERS_MERGE_SELECT_H
#define MAPPERS_MERGE_SELECT_H

#include "mappers/merge/comm.h"
#include "mappers/merge/plan.h"

#define MERGE_SELECT_NONE UINT32_MAX

/** Two groups, the longer one along the axis, else the lower one, first; or one that is left as it
 *  is (second is MERGE_SELECT_NONE). */
struct merge_pair {
  uint32_t first, second;
  uint32_t shape; /**< afterwards */
};

/** Pairs the groups of @p c, whose shapes are in @p shape: pair[] has room for all, *count are
 *  filled, in the order of their lower groups.  @p c's rows lose entries that no longer matter
 *  here; they are moved behind the others, not dropped.  Time: usually linear in @p c, with a
 *  logarithm of the groups; a row is searched again each time its best partner has gone. */
enum status merge_select_pairs(struct merge_comm *c, const uint8_t *shape,
                               const struct merge_step *step, struct merge_pair *pair,
                               uint32_t *count, struct err *e);

#endif

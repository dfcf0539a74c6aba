/** @file hierarchy.h
 *  The hierarchy of a task network (4.3.4 of the paper): a tree of groups.  Each group consists of
 *  one stream and the units on its two sides.  Heavy communication is deep in the tree.
 *
 *  A *unit* is an array or a group.  Units 0..arrays - 1 are the arrays; the groups follow in the
 *  order of their creation.
 *
 *  Streams become groups one by one.  First come one-to-one streams, the one with the highest
 *  communication cost first; equal costs are ordered by stream number.  A stream is one to one if
 *  it has one unit on each side and either both units are single, or it joins the parts of both
 *  lane by lane.  A task is single; the parts of an array are its elements.  The parts of a group
 *  are the lanes of its stream if the stream divides all of its units into parts; if not, the group
 *  is single.  For example, a stream from a task to an array is not one to one, and a stream that
 *  joins two arrays element by element is.  If no stream is one to one, the next group is made by
 *  the stream with the highest cost that satisfies this rule: all units on its input side are fed
 *  by one common stream, or none of them is fed; all units on its output side feed one common
 *  stream, or none of them feeds any.
 *
 *  Two cases are not defined in the paper.  Here a stream with all ends in one unit is removed, and
 *  a unit on both sides of a stream counts on the input side only.
 */
#pragma once

#include "tasks/tasknet.h"

struct hierarchy_group {
  uint32_t stream; /**< stream that made the group */
  uint32_t member; /**< first of its units in hierarchy.member: input side, then output side, each
                      sorted by falling C, then by number */
  uint32_t ins, outs; /**< number of units on the input side and on the output side */
};

/** Sums over the elements of a unit. */
struct hierarchy_sum {
  double compute; /**< C: work */
  double in;      /**< I: data that its elements read from streams and that other units wrote */
  double out; /**< O: data that its elements write to streams that other units read, counted once
                 per stream */
  uint32_t elements; /**< number of elements */
  uint32_t parts;    /**< number of equal parts without streams between them; 1: single */
  uint32_t parent;   /**< group that contains it; TASKNET_NONE: a root */
};

/** Owned: hierarchy_clear(). */
struct hierarchy {
  uint32_t arrays, groups;
  struct hierarchy_group *group; /**< index: unit - arrays */
  uint32_t *member;
  struct hierarchy_sum *sum; /**< by unit */
  uint32_t *root;            /**< units outside any group, sorted by number */
  uint32_t roots;
};

/** Builds the hierarchy.  Near O((arrays + ends) log ends + lanes), independent of the number of
 *  elements with equal costs. */
enum status hierarchy_make(struct hierarchy *out, const struct tasknet *n, struct err *e);

void hierarchy_clear(struct hierarchy *h);

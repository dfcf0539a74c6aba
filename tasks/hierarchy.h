/** @file hierarchy.h
 *  The hierarchy of a task network (4.3.4 of the paper): a tree of groups, each made of one
 *  stream and what stands at its two sides, so that much communication is deep in the tree.
 *
 *  A *unit* is an array or a group.  Units 0..arrays - 1 are the arrays, the others the groups
 *  in the order in which they were made.
 *
 *  While there is one, a stream that is one to one becomes a group: first those of most
 *  communication cost, of equal ones the one with the lower number.  It is one to one if it has
 *  one unit on each side, both of them single; or both made of parts that it joins lane by
 *  lane.  A task is single, an array has its elements as parts; a group has as parts the lanes
 *  of its stream if that parts all of its units, else it is single.  So a stream from a task to
 *  an array is not one to one, and one that joins two arrays element by element is.  If there
 *  is none, the stream of most cost becomes a group whose input side is all fed by one common
 *  stream, or by none, and whose output side all feeds one common stream, or none.
 *
 *  Where the paper is silent: a stream with all ends in one unit is gone; a unit on both sides
 *  of a stream counts on its input side only.
 */
#ifndef TASKS_HIERARCHY_H
#define TASKS_HIERARCHY_H

#include "tasks/tasknet.h"

struct hierarchy_group {
  uint32_t stream;    /**< that made it */
  uint32_t member;    /**< its units are hierarchy.member[member] ..: input side, then output side,
                           each by falling C, equal ones by number */
  uint32_t ins, outs; /**< units on the input side and on the output side */
};

/** Sums over the elements of a unit. */
struct hierarchy_sum {
  double compute; /**< C */
  double in;      /**< I: what its elements read from streams, without what others of them wrote */
  double out;     /**< O: what its elements write to streams that others read, once a stream */
  uint32_t elements; /**< how many */
  uint32_t parts;    /**< alike, with no stream between two of them; 1: single */
  uint32_t parent;   /**< the group that it is in; TASKNET_NONE: it is a root */
};

/** Owned: hierarchy_clear(). */
struct hierarchy {
  uint32_t arrays, groups;
  struct hierarchy_group *group; /**< by unit - arrays */
  uint32_t *member;
  struct hierarchy_sum *sum; /**< by unit */
  uint32_t *root;            /**< units that are in no group, by number */
  uint32_t roots;
};

/** Near O((arrays + ends) log ends + lanes); elements of equal costs do not matter. */
enum status hierarchy_make(struct hierarchy *out, const struct tasknet *n, struct err *e);

void hierarchy_clear(struct hierarchy *h);

/** The group of a unit; NULL: it is an array. */
static inline const struct hierarchy_group *hierarchy_group_of(const struct hierarchy *h,
                                                               uint32_t unit)
{
  return unit < h->arrays ? NULL : &h->group[unit - h->arrays];
}

#endif

/** @file global.h
 *  Global scheduling (4.4 of the paper): from the root of the hierarchy of hosts down, each
 *  group of hosts hands what it was given to its children, by falling mean speed of their
 *  hosts.  A group of tasks is handed out side by side: the input side of its stream and the
 *  output side each by the same share, the largest unit first; a unit that is too large is
 *  descended into, an array is cut where the sum comes closest, and a task is handed over even
 *  if it is too large.
 *
 *  Where the paper is silent: a child's share is its speed among those of the children that
 *  have not been served yet, of what is left; so the last one gets all the rest.  Within a unit
 *  that is descended into, both sides give the same share, the amount that is wanted / what is
 *  left of the unit: at the outermost unit that is P(Hi) / P(H).  Roots of a hierarchy that has
 *  several count as one side.  Arrays are cut from the front.
 */
#ifndef MAPPERS_SCHEDULE_GLOBAL_H
#define MAPPERS_SCHEDULE_GLOBAL_H

#include "common/err.h"
#include "tasks/hosts.h"
#include "tasks/tasknet.h"

/** Writes the leaf of each element, a number of h->group, to @p leaf.  @p tolerance is the
 *  paper's L, as a share of what a child should get.  Near O((units + members) * depth * log). */
enum status global_place(const struct tasknet *n, const struct hosts *h, double tolerance,
                         uint32_t *leaf, struct err *e);

#endif

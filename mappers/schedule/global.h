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
 *
 *  More than the paper: leaves may be closed, which then get nothing, as if they were not there.
 */
#ifndef MAPPERS_SCHEDULE_GLOBAL_H
#define MAPPERS_SCHEDULE_GLOBAL_H

#include <stdbool.h>

#include "common/err.h"
#include "tasks/hosts.h"
#include "tasks/tasknet.h"

/** The hierarchy of a network's tasks, to be handed out again and again. */
struct global;

/** @p tolerance is the paper's L, as a share of what a child should get.  What is pointed to
 *  outlives it.  On success the caller's: global_free(). */
enum status global_new(struct global **out, const struct tasknet *n, const struct hosts *h,
                       double tolerance, struct err *e);

/** Accepts NULL. */
void global_free(struct global *g);

/** Writes the leaf of each element, a number of h->group, to @p leaf.  @p open: by group of hosts,
 *  of which leaves are looked at: does it get work? One does at least.  Near O((units + members) *
 *  depth * log). */
enum status global_place(struct global *g, const bool *open, uint32_t *leaf, struct err *e);

#endif

/** @file global.h
 *  Global scheduling (4.4 of the paper): starting at the root of the hierarchy of hosts, each group
 *  of hosts distributes its tasks to its children, in order of falling mean speed of their hosts.
 *  Each child Hi gets the share P(Hi) / P(H) of its parent's work (step 2), where P is the sum of
 *  the speeds of all hosts, and the last child gets the rest.  A group of tasks is distributed by
 *  side: the input side and the output side of its stream give the same share, largest unit first.
 *  A unit that is too large is descended into, an array is cut where the sum is closest to the
 *  amount wanted, and a single task is given even if it is too large.
 *
 *  In a unit that is descended into, the paper repeats step 2 and ends when the child has the
 *  amount wanted (3 d iii).  Both hold together only for the first child.  Here both sides of the
 *  unit give the same share, the amount wanted / the work left of the unit, so that the amount is
 *  met.  With global_rules.every, both sides give P(Hi) / P(H) of all of their work, and the amount
 *  is missed.
 *
 *  Rules that the paper does not define: the last child gets the rest.  If a hierarchy has several
 *  roots, they count as one side.  Arrays are cut from the front.
 *
 *  Extension of the paper: leaves may be closed.  A closed leaf gets no work, as if it did not
 *  exist.
 */
#pragma once

#include <stdbool.h>

#include "common/arena.h"
#include "tasks/hosts.h"
#include "tasks/tasknet.h"

/** The hierarchy of a network's tasks; can be distributed repeatedly. */
struct global;

struct global_rules {
  double tolerance; /**< the paper's L, relative to the amount that a child should get */
  bool every;       /**< P(Hi) / P(H) in every unit that is descended into */
};

/** The objects passed must outlive *out.  The caller calls global_clear() before it clears @p mem,
 *  also if a failed call has set *out. */
enum status global_new(struct global **out, const struct tasknet *n, const struct hosts *h,
                       const struct global_rules *rules, struct arena *mem);

/** Accepts NULL. */
void global_clear(struct global *g);

/** Writes the leaf of each element, an index of h->group, to @p leaf.  @p open: by group of hosts,
 *  read for leaves only: the leaf gets work.  At least one leaf must be open.  Near O((units +
 *  members) * depth * log). */
enum status global_place(struct global *g, const bool *open, uint32_t *leaf, struct err *e);

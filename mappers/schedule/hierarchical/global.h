/** @file global.h
 *  Global scheduling (4.4 of the paper): starting at the root of the hierarchy of hosts, each group
 *  of hosts distributes its tasks to its children, in order of falling mean speed of their hosts.
 *  Each child Hi gets the share P(Hi) / P(H) of its parent's work (step 2), where P is the sum of
 *  the speeds of all hosts, and the last child gets the rest.  A group of tasks is distributed by
 *  side: the input side and the output side of its stream give equal shares, largest unit first.
 *  A unit with more work than the child should still get is divided if it is a group, by the same
 *  rule; an array is cut where the sum is closest to that amount; a single task is given as a
 *  whole.
 *
 *  In a group that is divided, the paper repeats step 2 and ends when the child has its amount (3 d
 *  iii).  Sharing by step 2 and ending at the amount agree only for the first child.  Here both
 *  sides of the group give the share (amount the child should still get) / (work left in the
 *  group), so that the child gets its amount.  With global_rules.every, both sides give P(Hi) /
 *  P(H) of all of their work, and the child gets another amount.
 *
 *  Rules that the paper does not define: the last child gets the rest; several roots of a hierarchy
 *  of tasks count as one side; arrays are cut from the front.
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
  bool every;       /**< every group that is divided gives P(Hi) / P(H) of its work */
};

/** The objects passed must outlive *out.  The caller sets *out to NULL before the call, and calls
 *  global_clear() on it before it clears @p mem, also after a failure. */
enum status global_new(struct global **out, const struct tasknet *n, const struct hosts *h,
                       const struct global_rules *rules, struct arena *mem);

/** Accepts NULL. */
void global_clear(struct global *g);

/** Writes the leaf of each element, an index of h->group, to @p leaf.  open[i] is true if leaf i
 *  may get work; entries of other groups of hosts are not read.  At least one leaf must be open.
 *  Time: near (units + members) * depth, times the logarithm of the units. */
enum status global_place(struct global *g, const bool *open, uint32_t *leaf, struct err *e);

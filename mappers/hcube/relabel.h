/** @file relabel.h
 *  Places one k-cube beside another: finds the relabelling of one cube, a permutation of its
 *  address bits and an inversion of some of them, that maximises the weight of the arcs between
 *  equal labels of the two cubes, or minimises the sum of weight times differing bits.
 */
#ifndef MAPPERS_HCUBE_RELABEL_H
#define MAPPERS_HCUBE_RELABEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

#define RELABEL_MAX_BITS 20

/** An arc from label @p a of the fixed cube to label @p b of the relabelled cube. */
struct relabel_arc {
  uint32_t a, b;
  uint64_t weight; /**< above 0 */
};

struct relabelling {
  uint8_t from[RELABEL_MAX_BITS]; /**< bit i of the new label is bit from[i] of the old one, */
  uint32_t flip;                  /**< inverted if bit i is set here */
  uint64_t value;                 /**< weight on equal labels, or weight times differing bits */
  bool exact;                     /**< proven optimal; false: the search was cut short */
};

/** The new label of @p label in a cube of @p bits bits. */
static inline uint32_t relabel_apply(const struct relabelling *r, uint32_t bits, uint32_t label)
{
  uint32_t to = 0;
  for (uint32_t i = 0; i < bits; i++)
    to |= (label >> r->from[i] & 1) << i;
  return to ^ r->flip;
}

/** Scratch memory.  Initialise with zeros, free with relabel_scratch_clear(). */
struct relabel_scratch {
  struct relabel_arc *arc;
  uint32_t *list;
  struct relabel_anchor *anchor;
  size_t arcs_room, list_room, anchor_room;
};

void relabel_scratch_clear(struct relabel_scratch *s);

/** Maximises the weight on equal labels by branch and bound over anchors (arcs that must match) and
 *  over bits.  The search ends after reading each arc 256 times plus 2^20 arcs, and returns the
 *  best relabelling found; graphs of bounded degree do not reach this limit.  Needs at least one
 *  arc and no two arcs between the same labels. */
enum status relabel_most_equal(const struct relabel_arc *arc, size_t arcs, uint32_t bits,
                               struct relabel_scratch *s, struct relabelling *out, struct err *e);

/** Minimises the sum of weight times differing bits, exactly: an assignment of bits to bits.
 *  O(arcs bits^2 + bits^3). */
void relabel_least_bits(const struct relabel_arc *arc, size_t arcs, uint32_t bits,
                        struct relabelling *out);

#endif

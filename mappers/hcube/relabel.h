/** @file relabel.h
 *  Relabels one of two k-cubes to match the other.  A relabelling permutes the k address bits and
 *  inverts some of them.  It maximises the weight of the arcs between equal labels of the two
 *  cubes, or minimises the sum over the arcs of weight times Hamming distance of the labels.
 */
#pragma once

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
  uint8_t from[RELABEL_MAX_BITS]; /**< bit i of the new label is bit from[i] of the old label */
  uint32_t flip;                  /**< bits of the new label that are inverted afterwards */
  uint64_t value;                 /**< the maximised weight, or the minimised sum */
  bool exact;                     /**< true: proven to be optimal */
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

/** Maximises the weight of the arcs between equal labels, by branch and bound over bits.  With
 *  fewer than 2^bits arcs it also branches over anchors: arcs whose labels must become equal.  The
 *  search stops after about 256 * arcs + 2^20 reads of arcs, and does not try all anchors if there
 *  are more than 790 arcs; in both cases out->exact is false and *out is the best relabelling
 *  found.
 *  @p arcs must be at least 1, and at most one arc may join the same two labels. */
enum status relabel_most_equal(const struct relabel_arc *arc, size_t arcs, uint32_t bits,
                               struct relabel_scratch *s, struct relabelling *out, struct err *e);

/** Minimises the sum of weight times Hamming distance: solves the assignment of old to new bits
 *  exactly.  O(arcs bits^2 + bits^3). */
void relabel_least_bits(const struct relabel_arc *arc, size_t arcs, uint32_t bits,
                        struct relabelling *out);

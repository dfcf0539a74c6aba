/** @file relabel.h
 *  How to put one k-cube beside another of the same size: the relabelling of one, a permutation of
 *  its address bits and an inversion of any of them, that puts most weight of the arcs between the
 *  two on equal labels; or that leaves the least weight times bits that differ.
 */
#ifndef MAPPERS_HCUBE_RELABEL_H
#define MAPPERS_HCUBE_RELABEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

#define RELABEL_MAX_BITS 20

/** An arc from label @p a of the cube that stays to label @p b of the one that is relabelled. */
struct relabel_arc {
  uint32_t a, b;
  uint64_t weight; /**< above 0 */
};

struct relabelling {
  uint8_t from[RELABEL_MAX_BITS]; /**< bit i of the new label is bit from[i] of the old one, */
  uint32_t flip;                  /**< inverted if bit i is set here */
  uint64_t value;                 /**< weight on equal labels; or weight times bits that differ */
  bool exact;                     /**< no relabelling is better; else the search was cut short */
};

/** The label under which @p label of a cube of @p bits bits stands afterwards. */
static inline uint32_t relabel_apply(const struct relabelling *r, uint32_t bits, uint32_t label)
{
  uint32_t to = 0;
  for (uint32_t i = 0; i < bits; i++)
    to |= (label >> r->from[i] & 1) << i;
  return to ^ r->flip;
}

/** Scratch memory; zeroed at first, ended by relabel_scratch_clear(). */
struct relabel_scratch {
  struct relabel_arc *arc;
  uint32_t *list;
  struct relabel_anchor *anchor;
  size_t arcs_room, list_room, anchor_room;
};

void relabel_scratch_clear(struct relabel_scratch *s);

/** Most weight on equal labels, by branch and bound over arcs that are to match and over bits.  The
 *  search ends after 256 looks at each arc and 2^20 more, which graphs of bounded degree do not
 *  reach; from then on the best found stands.  At least one arc; no two between the same labels. */
enum status relabel_most_equal(const struct relabel_arc *arc, size_t arcs, uint32_t bits,
                               struct relabel_scratch *s, struct relabelling *out, struct err *e);

/** Least weight times bits that differ, exactly, in O(arcs bits^2 + bits^3): an assignment of bits
 *  to bits. */
void relabel_least_bits(const struct relabel_arc *arc, size_t arcs, uint32_t bits,
                        struct relabelling *out);

#endif

/** @file blossom.h
 *  Matching of greatest weight in a general graph, exactly: Edmonds' primal-dual method with one
 *  alternating tree at a time (Galil, "Efficient algorithms for finding maximum matching in
 *  graphs", 1986), on integers.
 *
 *  Weights are positive, so that a matching of greatest weight, its free vertices paired in any
 *  way, is a perfect matching of greatest weight in the complete graph whose other pairs weigh 0.
 */
#ifndef MAPPERS_HCUBE_BLOSSOM_H
#define MAPPERS_HCUBE_BLOSSOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

#define BLOSSOM_FREE       UINT32_MAX
#define BLOSSOM_MAX_WEIGHT (INT64_MAX / 16)

struct blossom_arc {
  uint32_t a, b;  /**< different */
  int64_t weight; /**< 1 to BLOSSOM_MAX_WEIGHT */
};

/** Writes to @p mate the partner of each of @p n vertices, or BLOSSOM_FREE.  If @p tight is not
 *  NULL, tight[i] says whether the dual solution allows arc i: every matching of greatest weight
 *  consists of such arcs.  Of equal matchings the result depends on the order of the arcs.
 *  O(n m log m) and less on sparse graphs, whose trees stay small. */
enum status blossom_match(uint32_t n, const struct blossom_arc *arc, size_t arcs, uint32_t *mate,
                          bool *tight, struct err *e);

#endif

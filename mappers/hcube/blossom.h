/** @file blossom.h
 *  Exact maximum-weight matching in a general graph: Edmonds' primal-dual method with one
 *  alternating tree at a time (Galil, "Efficient algorithms for finding maximum matching in
 *  graphs", 1986), on integers.
 *
 *  Weights are positive.  A maximum-weight matching whose free vertices are paired arbitrarily is
 *  therefore a maximum-weight perfect matching of the complete graph, where missing arcs have
 *  weight 0.
 */
#pragma once

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
 *  NULL, sets tight[i] if arc i has no slack in the dual solution; every maximum-weight matching
 *  consists of tight arcs.  The order of the arcs decides which of several maximum-weight matchings
 *  is found.  O(n m log m), and less on sparse graphs, because their trees stay small. */
enum status blossom_match(uint32_t n, const struct blossom_arc *arc, size_t arcs, uint32_t *mate,
                          bool *tight, struct err *e);

/** @file counter.h
 *  Private to traces/: counts messages and bytes by pair of ranks, to make a matrix.  Each source
 *  rank has its own hash table, so that reading rank by rank stays in the cache.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/matrix/matrix.h"

struct counter_row;

/** Pairs and their counts; call counter_init() first. */
struct counter {
  struct counter_row *row; /**< by source; owned */
  uint32_t ranks;
  size_t pairs;
  size_t cells; /**< number allocated, in all rows */
};

/** Makes a counter without pairs.  Free with counter_clear(). */
enum status counter_init(struct counter *c, uint32_t ranks, struct err *e);

/** Frees the counts; accepts a zeroed counter. */
void counter_clear(struct counter *c);

/** Adds x->messages (> 0) and x->bytes to the pair (x->src, x->dst).  Fails for more than
 *  MATRIX_PAIRS_MAX pairs, and if memory runs out.  O(1). */
enum status counter_add(struct counter *c, const struct matrix_entry *x, struct err *e);

/** Makes a matrix of the counts, which do not change.  Free with matrix_clear(). */
enum status counter_matrix(const struct counter *c, struct matrix *m, struct err *e);

/** @file counter.h
 *  Counts messages and bytes by pair of ranks: what a matrix is made from.  A table a source, so
 *  that a reader that goes from rank to rank finds what it needs side by side.  Private to traces/.
 */
#ifndef TRACES_MATRIX_COUNTER_H
#define TRACES_MATRIX_COUNTER_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/matrix/matrix.h"

struct counter_row;

/** Zeroed, it counts nothing: counter_init() makes it ready. */
struct counter {
  struct counter_row *row; /**< by source; owned */
  uint32_t ranks;
  size_t pairs;
  size_t cells; /**< allocated, of all rows */
};

enum status counter_init(struct counter *c, uint32_t ranks, struct err *e);

/** Accepts what is zeroed. */
void counter_clear(struct counter *c);

/** Adds @p x->messages (> 0) and @p x->bytes to the pair.  Constant time.  Refuses more than
 *  MATRIX_PAIRS_MAX pairs, and what the machine's memory cannot hold. */
enum status counter_add(struct counter *c, const struct matrix_entry *x, struct err *e);

/** Makes a matrix of the counts.  The counter stays the caller's. */
enum status counter_matrix(const struct counter *c, struct matrix *m, struct err *e);

#endif

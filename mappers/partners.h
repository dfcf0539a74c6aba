/** @file partners.h
 *  The traffic matrix as an undirected graph: the partners of each rank and the bytes exchanged
 *  with each, the sum of both directions.  Messages of a rank to itself and pairs without bytes are
 *  left out.
 */
#ifndef MAPPERS_GREEDY_PARTNERS_H
#define MAPPERS_GREEDY_PARTNERS_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/matrix/matrix.h"

struct partner {
  uint32_t rank;
  uint64_t bytes; /**< sum of both directions, > 0 */
};

struct partners {
  uint32_t ranks;
  size_t *first;           /**< rank r has partner[first[r]] to partner[first[r + 1] - 1]; owned */
  struct partner *partner; /**< sorted by rank within a row, without duplicates; owned */
};

/** Builds the graph of ranks 0..@p ranks-1.  Fails if the matrix names another rank.  Time and
 *  memory are linear in ranks and entries.  The caller frees it with partners_clear(). */
enum status partners_new(struct partners *out, const struct matrix *traffic, uint32_t ranks,
                         struct err *e);

/** Accepts a zeroed struct. */
void partners_clear(struct partners *p);

#endif

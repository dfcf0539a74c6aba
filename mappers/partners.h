/** @file partners.h
 *  The traffic matrix as an undirected graph: the partners of each rank and the bytes exchanged in
 *  both directions together.  Messages of a rank to itself and pairs without bytes are left out.
 */
#ifndef MAPPERS_GREEDY_PARTNERS_H
#define MAPPERS_GREEDY_PARTNERS_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/matrix/matrix.h"

struct partner {
  uint32_t rank;
  uint64_t bytes; /**< both ways together, > 0 */
};

struct partners {
  uint32_t ranks;
  size_t *first;           /**< rank r has partner[first[r]] to partner[first[r + 1] - 1]; owned */
  struct partner *partner; /**< those of one rank sorted by rank, each once; owned */
};

/** The graph on ranks 0..@p ranks-1.  Fails if the matrix names another rank.  Time and memory:
 *  linear in ranks and entries.  The caller's: partners_clear(). */
enum status partners_new(struct partners *out, const struct matrix *traffic, uint32_t ranks,
                         struct err *e);

/** Accepts a zeroed one. */
void partners_clear(struct partners *p);

#endif

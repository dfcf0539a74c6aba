/** @file comm.h
 *  The traffic between groups of tasks, each pair once: Comm(G1,G2), the bytes in both directions.
 *
 *  Source: Asano and Kise, "SFMOPT", section 2.2, equation (1).
 */
#ifndef MAPPERS_MERGE_COMM_H
#define MAPPERS_MERGE_COMM_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/matrix/matrix.h"

/** Row g has the groups above g with which g exchanges messages, unordered.  Bytes may be 0. */
struct merge_comm {
  uint32_t groups;
  size_t *row; /**< groups + 1 offsets; owned, as the others */
  uint32_t *peer;
  uint64_t *bytes;
};

/** Each task a group of its own.  Task t sends entries row[t] to row[t + 1] - 1 of @p m, below 2^63
 *  bytes in all.  The result does not depend on @p threads.  Time and memory: linear in the
 *  entries.  On success @p c is the caller's: merge_comm_clear(). */
enum status merge_comm_new(struct merge_comm *c, uint32_t tasks, const struct matrix *m,
                           const size_t *row, int threads, struct err *e);

/** Merges the groups: g becomes a part of the new group parent[g] < @p groups.  Linear time; memory
 *  besides: no more than the new entries' if these are dense, else that of the old ones.  @p c is
 *  untouched on failure. */
enum status merge_comm_contract(struct merge_comm *c, const uint32_t *parent, uint32_t groups,
                                struct err *e);

/** Accepts a zeroed one. */
void merge_comm_clear(struct merge_comm *c);

#endif

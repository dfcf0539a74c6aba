/** @file comm.h
 *  The traffic between groups of tasks: for each unordered pair, Comm(G1,G2), the sum of bytes in
 *  both directions.
 *
 *  Source: Asano and Kise, "SFMOPT", section 2.2, equation (1).
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/matrix/matrix.h"

/** Row g lists the groups of higher number that exchange messages with group g, in any order. Bytes
 *  may be 0. */
struct merge_comm {
  uint32_t groups;
  size_t *row; /**< groups + 1 offsets; all arrays are owned */
  uint32_t *peer;
  uint64_t *bytes;
};

/** Makes each task a group.  Entries row[t] to row[t + 1] - 1 of @p m are the traffic that task t
 *  sends; all entries together have less than 2^63 bytes.  The result does not depend on
 *  @p threads.  Time and memory: linear in the entries.  On success the caller frees @p c with
 *  merge_comm_clear(). */
enum status merge_comm_new(struct merge_comm *c, uint32_t tasks, const struct matrix *m,
                           const size_t *row, int threads, struct err *e);

/** Merges the groups: group g becomes a part of the new group parent[g] < @p groups.  Linear time.
 *  Additional memory: the new entries if they are dense; if not, at most the size of the old
 *  entries.  @p c is unchanged on failure. */
enum status merge_comm_contract(struct merge_comm *c, const uint32_t *parent, uint32_t groups,
                                struct err *e);

/** Accepts a zeroed struct. */
void merge_comm_clear(struct merge_comm *c);

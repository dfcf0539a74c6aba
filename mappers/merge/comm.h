/** @file merge_comm.h
 *  What groups of tasks exchange, each pair of groups once: Comm(G1,G2), the bytes both ways.
 *
 *  Source: Asano and Kise, "SFMOPT", section 2.2, equation (1).
 */
#ifndef MAPPERS_MERGE_COMM_H
#define MAPPERS_MERGE_COMM_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/matrix/matrix.h"

/** Row g has the groups above g with which g exchanges messages, in no order.  Bytes may be 0. */
struct merge_comm {
  uint32_t groups;
  size_t *row; /**< groups + 1 offsets; owned, as the others */
  uint32_t *peer;
  uint64_t *bytes;
};

/** Of single tasks.  What task t sends is entry[row[t]] to entry[row[t + 1] - 1], by rising
 *  destination, below 2^63 bytes in all.  @p threads change nothing.  Time and memory: linear in
 *  the entries. */
enum status merge_comm_new(struct merge_comm *c, uint32_t tasks, const struct matrix_entry *entry,
                           const size_t *row, int threads, struct err *e);

/** Makes group g a part of group parent[g], of which there are @p groups. */
enum status merge_comm_contract(struct merge_comm *c, const uint32_t *parent, uint32_t groups,
                                struct err *e);

/** Accepts a zeroed one. */
void merge_comm_clear(struct merge_comm *c);

#endif

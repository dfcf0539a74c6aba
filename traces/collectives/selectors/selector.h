/** @file selector.h
 *  Private to traces/: selectors, which pick the algorithm of a collective by ranks, bytes and
 *  ranks per node, as an MPI library does.  Each library has a file.
 */
#pragma once

#include "traces/collectives/lower.h"

/** A library's pick for calls with fewer ranks and fewer bytes than the row.  Rows are sorted by
 *  ranks, then by bytes.  The last row of each number of ranks has bytes SELECTOR_ANY, the last row
 *  of a table also ranks SELECTOR_ANY. */
struct selector_row {
  uint32_t ranks, bytes;
  uint8_t pick; /**< number of the algorithm; each library has its own numbers */
};

#define SELECTOR_ANY UINT32_MAX

/** The first row with more ranks than @p ranks and more bytes than @p bytes.  A library with
 *  inclusive bounds passes numbers that are smaller by 1. */
const struct selector_row *selector_find(const struct selector_row *rows, uint32_t ranks,
                                         uint64_t bytes);

/** Bytes of the parts of all ranks together, with elements of @p size bytes. */
uint64_t selector_total(const struct lowering *l, uint64_t size);

/** Bytes of a block of a gather: recv_bytes on the root, send_bytes on other ranks. */
uint64_t selector_gathered(const struct lowering *l);

/** Bytes of a block of a scatter: send_bytes on the root, recv_bytes on other ranks. */
uint64_t selector_scattered(const struct lowering *l);

/** Selector number @p i (from 0) of a collective; NULL past the last. */
const struct lower_algorithm *selector_at(enum action_kind kind, size_t i);

/** A library's selectors, in the order of action kinds from ACTION_BARRIER; NULL for collectives
 *  without one. */
typedef const struct lower_algorithm *const selector_set[COLLECTIVE_KINDS];

/** Calls ROW(KIND, NAME, LIBRARY) for each collective with selectors: ACTION_KIND, whose selectors
 *  are lower_NAME_LIBRARY. */
#define SELECTOR_EACH(ROW, LIBRARY)                                                                \
  ROW(BARRIER, barrier, LIBRARY)                                                                   \
  ROW(BCAST, bcast, LIBRARY)                                                                       \
  ROW(REDUCE, reduce, LIBRARY)                                                                     \
  ROW(ALLREDUCE, allreduce, LIBRARY)                                                               \
  ROW(ALLTOALL, alltoall, LIBRARY)                                                                 \
  ROW(ALLTOALLV, alltoallv, LIBRARY)                                                               \
  ROW(GATHER, gather, LIBRARY)                                                                     \
  ROW(SCATTER, scatter, LIBRARY)                                                                   \
  ROW(ALLGATHER, allgather, LIBRARY)                                                               \
  ROW(ALLGATHERV, allgatherv, LIBRARY)                                                             \
  ROW(REDUCESCATTER, reduce_scatter, LIBRARY)

#define SELECTOR_MEMBER(KIND, NAME, LIBRARY)                                                       \
  [ACTION_##KIND - ACTION_BARRIER] = &lower_##NAME##_##LIBRARY,

extern selector_set selector_ompi, selector_mpich, selector_mvapich2, selector_impi;

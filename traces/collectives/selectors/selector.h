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

/** Members of the set of a library with selectors named lower_COLLECTIVE_LIBRARY. */
#define SELECTOR_SET(LIBRARY)                                                                      \
  SELECTOR_MEMBER(BARRIER, barrier_##LIBRARY), SELECTOR_MEMBER(BCAST, bcast_##LIBRARY),            \
      SELECTOR_MEMBER(REDUCE, reduce_##LIBRARY), SELECTOR_MEMBER(ALLREDUCE, allreduce_##LIBRARY),  \
      SELECTOR_MEMBER(ALLTOALL, alltoall_##LIBRARY),                                               \
      SELECTOR_MEMBER(ALLTOALLV, alltoallv_##LIBRARY), SELECTOR_MEMBER(GATHER, gather_##LIBRARY),  \
      SELECTOR_MEMBER(SCATTER, scatter_##LIBRARY),                                                 \
      SELECTOR_MEMBER(ALLGATHER, allgather_##LIBRARY),                                             \
      SELECTOR_MEMBER(ALLGATHERV, allgatherv_##LIBRARY),                                           \
      SELECTOR_MEMBER(REDUCESCATTER, reduce_scatter_##LIBRARY)
#define SELECTOR_MEMBER(KIND, NAME) [ACTION_##KIND - ACTION_BARRIER] = &lower_##NAME

extern selector_set selector_ompi, selector_mpich, selector_mvapich2, selector_impi;

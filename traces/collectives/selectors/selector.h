/** @file selector.h
 *  Private to traces/: selectors, which pick the algorithm of a collective by ranks, bytes and
 * ranks a node, as an MPI library does.  Each library has a file with its rules and, where these
 * are tables, one with the tables.
 */
#ifndef TRACES_COLLECTIVES_SELECTOR_H
#define TRACES_COLLECTIVES_SELECTOR_H

#include "traces/collectives/lower.h"

/** What a library takes below that many ranks and bytes.  Tables hold blocks of equal ranks, in
 *  ascending order of ranks and, within a block, of bytes; each block, and the table, ends with
 *  SELECTOR_ANY. */
struct selector_row {
  uint32_t ranks, bytes;
  uint8_t pick; /**< number of the algorithm; the library says which that is */
};

#define SELECTOR_ANY UINT32_MAX

/** The first row with more than @p ranks and @p bytes; so a library whose bounds are "up to" passes
 *  numbers that are smaller by 1. */
const struct selector_row *selector_find(const struct selector_row *rows, uint32_t ranks,
                                         uint64_t bytes);

/** Bytes of all parts that ranks receive, of elements of @p size bytes. */
uint64_t selector_total(const struct lowering *l, uint64_t size);

/** Bytes of a block as the root of a gather receives it, and as the others send it. */
uint64_t selector_gathered(const struct lowering *l);

/** Bytes of a block as the root of a scatter sends it, and as the others receive it. */
uint64_t selector_scattered(const struct lowering *l);

/** Row @p i (from 0) of the selectors of a collective; NULL past the last. */
const struct lower_algorithm *selector_at(enum action_kind kind, size_t i);

/** The collectives that a library has a selector of, in the order of action kinds from
 *  ACTION_BARRIER; NULL: it has none. */
typedef const struct lower_algorithm *const selector_set[COLLECTIVE_KINDS];

/** The members of the set of a library whose selectors are called lower_COLLECTIVE_LIBRARY. */
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

#endif

/** @file lower.h
 *  Private to traces/: what a collective algorithm is.  An algorithm is a pure function from a
 *  step number to the operation that one rank performs at that step, so that lowering needs no
 *  memory, however many messages a collective has.
 */
#ifndef TRACES_COLLECTIVES_LOWER_H
#define TRACES_COLLECTIVES_LOWER_H

#include <stdbool.h>
#include <stdint.h>

#include "traces/collectives/collective.h"
#include "traces/op.h"

/** One collective as one rank sees it: an action with its sizes in bytes.  Ranks are those within
 *  its communicator; program.c makes ranks of the world of them. */
struct lowering {
  uint32_t rank, ranks, root;
  uint64_t send_bytes;                    /**< of the block sent to, or contributed by, one rank */
  uint64_t recv_bytes;                    /**< of the block received from one rank */
  const int32_t *sendcounts, *recvcounts; /**< elements a rank, or NULL */
  uint64_t send_size, recv_size;          /**< bytes of an element */
};

/** The request of a nonblocking operation: the program puts in the real handle.  A WAITALL without
 *  requests waits for all those that the collective has open. */
#define LOWER_REQUEST 0u

/** A part of an algorithm; parts run one after another. */
struct lower_part {
  uint64_t (*steps)(const struct lowering *l);
  /** Step @p i (below steps()) of the part; false if the rank does nothing then. */
  bool (*step)(const struct lowering *l, uint64_t i, struct op *op);
};

#define LOWER_MAX_PARTS 2

struct lower_algorithm {
  struct collective_algorithm row;
  const struct lower_part *part[LOWER_MAX_PARTS];
  /** For a selector: picks the algorithm that runs; the parts are empty. */
  const struct lower_algorithm *(*select)(const struct lowering *l);
};

/** Row @p i of the algorithms of @p kind; NULL past the last. */
const struct lower_algorithm *lower_algorithm(enum action_kind kind, size_t i);

/* Tags of the collectives' messages: distinct, below 0, one each where SMPI has one
 * (src/smpi/include/private.hpp).  Every communicator has LOWER_TAGS of its own below the world's,
 * so that its messages match no others between the same two ranks. */
enum {
  LOWER_TAG_REDUCE = -14,
  LOWER_TAG_SCATTER,
  LOWER_TAG_SCATTERV,
  LOWER_TAG_GATHER,
  LOWER_TAG_ALLGATHER,
  LOWER_TAG_ALLGATHERV,
  LOWER_TAG_BARRIER,
  LOWER_TAG_SCAN,
  LOWER_TAG_REDUCESCATTER,
  LOWER_TAG_ALLTOALLV,
  LOWER_TAG_ALLTOALL,
  LOWER_TAG_GATHERV,
  LOWER_TAG_BCAST,
  LOWER_TAG_ALLREDUCE,
  LOWER_TAGS = 14
};

/* lower_op.c: the operations that the algorithms are made of; each returns true. */
bool lower_send(struct op *op, uint32_t peer, int32_t tag, uint64_t bytes);
bool lower_recv(struct op *op, uint32_t peer, int32_t tag, uint64_t bytes);
bool lower_isend(struct op *op, uint32_t peer, int32_t tag, uint64_t bytes);
bool lower_irecv(struct op *op, uint32_t peer, int32_t tag, uint64_t bytes);
bool lower_waitall(struct op *op);

/** A send and a receive at once, in 3 steps: SMPI's Request::sendrecv.  Between a rank and itself
 *  it is a copy, that is, nothing. */
struct lower_exchange {
  uint32_t self, dst, src;
  int32_t tag;
  uint64_t send_bytes, recv_bytes;
};
#define LOWER_EXCHANGE_STEPS 3u
bool lower_exchange(const struct lower_exchange *x, uint64_t step, struct op *op);

/** The smallest n with 2^n >= ranks. */
uint32_t lower_rounds(uint32_t ranks);

/* The parts, by file. */
extern const struct lower_part lower_barrier_linear, lower_barrier_bruck,
    lower_barrier_recursivedoubling;                                       /* lower_barrier.c */
extern const struct lower_part lower_bcast_binomial, lower_bcast_flattree; /* lower_tree.c */
extern const struct lower_part lower_reduce_linear, lower_reduce_binomial; /* lower_tree.c */
extern const struct lower_part lower_gather, lower_gatherv, lower_scatter, lower_scatterv,
    lower_scatterv_of_recvcounts, lower_scan;                                   /* lower_linear.c */
extern const struct lower_part lower_allgather_linear, lower_allgatherv_linear; /* lower_linear.c */
extern const struct lower_part lower_allgather_ring;                            /* lower_linear.c */
extern const struct lower_part lower_alltoall_linear, lower_alltoall_pair, lower_alltoall_bruck,
    lower_alltoall_ring; /* lower_alltoall.c */
extern const struct lower_part lower_alltoallv_linear, lower_alltoallv_pair,
    lower_alltoallv_ring;                           /* lower_alltoall.c */
extern const struct lower_part lower_allreduce_rdb; /* lower_rdb.c */
extern const struct lower_part lower_reducescatter_pair, lower_reducescatter_rdb,
    lower_reduce_of_recvcounts; /* lower_rdb.c */

#endif

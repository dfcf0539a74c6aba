/** @file lower.h
 *  Private to traces/: the interface of collective algorithms.  An algorithm is a pure function
 *  from a step number to the operation that one rank performs at that step, so that lowering needs
 *  no memory, however many messages a collective has.
 */
#ifndef TRACES_COLLECTIVES_LOWER_H
#define TRACES_COLLECTIVES_LOWER_H

#include <stdbool.h>
#include <stdint.h>

#include "traces/collectives/collective.h"
#include "traces/op.h"

/** One collective as one rank sees it: an action with its sizes in bytes.  Ranks are member numbers
 *  of its communicator; call.c translates them to ranks of the world. */
struct lowering {
  uint32_t rank, ranks, root;
  uint64_t send_bytes;                    /**< of the block sent to, or contributed by, one rank */
  uint64_t recv_bytes;                    /**< of the block received from one rank */
  const int32_t *sendcounts, *recvcounts; /**< elements for each rank, or NULL */
  uint64_t send_size, recv_size;          /**< bytes of an element */
};

/** The request of a nonblocking operation: program.c replaces it by a handle, and fills in a
 *  WAITALL, which waits for all pending requests of the collective. */
#define LOWER_REQUEST 0u

/** A part of an algorithm; parts run one after another. */
struct lower_part {
  /** Upper bound of the rank's operations in the part. */
  uint64_t (*steps)(const struct lowering *l);
  /** Gives the operation of step @p i (below steps()); false if the step has none. */
  bool (*step)(const struct lowering *l, uint64_t i, struct op *op);
};

#define LOWER_MAX_PARTS 2

struct lower_algorithm {
  struct collective_algorithm row;
  const struct lower_part *part[LOWER_MAX_PARTS];
  /** For a selector: picks the algorithm that runs; the parts are empty. */
  const struct lower_algorithm *(*select)(const struct lowering *l);
};

/** As collective_algorithm(), with the steps. */
const struct lower_algorithm *lower_algorithm(enum action_kind kind, size_t i);

/* Tags of collectives' messages: distinct, negative, one for each tag of SMPI
 * (src/smpi/include/private.hpp).  Each communicator has LOWER_TAGS tags of its own, below those of
 * the world, so that its messages cannot match others between the same two ranks. */
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

/* The operations that algorithms consist of: each fills in *op and returns true.  The nonblocking
 * ones use LOWER_REQUEST. */
bool lower_send(struct op *op, uint32_t peer, int32_t tag, uint64_t bytes);
bool lower_recv(struct op *op, uint32_t peer, int32_t tag, uint64_t bytes);
bool lower_isend(struct op *op, uint32_t peer, int32_t tag, uint64_t bytes);
bool lower_irecv(struct op *op, uint32_t peer, int32_t tag, uint64_t bytes);
bool lower_waitall(struct op *op);

/** A send and a receive at once, in 3 steps, as SMPI's Request::sendrecv. */
struct lower_exchange {
  uint32_t self, dst, src;
  int32_t tag;
  uint64_t send_bytes, recv_bytes;
};
#define LOWER_EXCHANGE_STEPS 3u

/** Gives the operation of @p step (below LOWER_EXCHANGE_STEPS); false if self is both dst and src:
 *  a local copy takes no operation. */
bool lower_exchange(const struct lower_exchange *x, uint64_t step, struct op *op);

/** The smallest n with 2^n >= ranks. */
uint32_t lower_rounds(uint32_t ranks);

/* The parts, by file. */
extern const struct lower_part lower_barrier_linear, lower_barrier_bruck,
    lower_barrier_recursivedoubling;                                       /* barrier.c */
extern const struct lower_part lower_bcast_binomial, lower_bcast_flattree; /* tree.c */
extern const struct lower_part lower_reduce_linear, lower_reduce_binomial; /* tree.c */
extern const struct lower_part lower_gather, lower_gatherv, lower_scatter, lower_scatterv,
    lower_scatterv_of_recvcounts, lower_scan;                                   /* linear.c */
extern const struct lower_part lower_allgather_linear, lower_allgatherv_linear; /* linear.c */
extern const struct lower_part lower_allgather_ring;                            /* linear.c */
extern const struct lower_part lower_alltoall_linear, lower_alltoall_pair, lower_alltoall_bruck,
    lower_alltoall_ring; /* alltoall.c */
extern const struct lower_part lower_alltoallv_linear, lower_alltoallv_pair,
    lower_alltoallv_ring;                           /* alltoall.c */
extern const struct lower_part lower_allreduce_rdb; /* rdb.c */
extern const struct lower_part lower_reducescatter_pair, lower_reducescatter_rdb,
    lower_reduce_of_recvcounts; /* rdb.c */

#endif

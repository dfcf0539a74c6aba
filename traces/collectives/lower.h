/** @file lower.h
 *  Private to traces/: the interface of collective algorithms.  An algorithm is a pure function
 *  from a step number to the operation that one rank performs at that step, or a list of pieces
 *  that are algorithms, so that lowering needs no memory, however many messages a collective has.
 *  Each collective has a folder, which its v form and exscan share; rows.c there (linear.c of scan)
 *  lists its algorithms.
 */
#ifndef TRACES_COLLECTIVES_LOWER_H
#define TRACES_COLLECTIVES_LOWER_H

#include <stdbool.h>
#include <stdint.h>

#include "traces/collectives/collective.h"
#include "traces/op.h"

/** The ranks that an algorithm works on.  Groups nest: see lower_enter(). */
enum lower_group {
  LOWER_ALL,     /**< the whole communicator */
  LOWER_NODE,    /**< its members on the rank's host, in order */
  LOWER_LEADERS, /**< the first member of each host, in order */
  LOWER_SELF,    /**< the rank alone */
  LOWER_POSTED,  /**< no group: nonblocking collectives, which are on all, have its tags */
  LOWER_GROUPS
};

struct neighbours;
struct nodes;

/** One collective as one rank sees it: an action with its sizes in bytes.  Ranks are numbers of the
 *  group; call.c translates them to ranks of the world. */
struct lowering {
  uint32_t rank, ranks, root;
  uint64_t count;                         /**< elements: of a reduction or bcast, or sent to one */
  uint64_t send_bytes;                    /**< of the block sent to, or contributed by, one rank */
  uint64_t recv_bytes;                    /**< of the block received from one rank */
  const int32_t *sendcounts, *recvcounts; /**< elements for each rank, or NULL */
  uint64_t send_size, recv_size;          /**< bytes of an element */
  const struct collectives *choice;       /**< the algorithms of collectives that this one calls */
  const struct neighbours *neighbours;    /**< of a neighbourhood collective, else NULL: the counts
                                               are of destinations and sources */
  const struct nodes *nodes; /**< who shares a host, of the communicator; NULL: nobody does */
  uint32_t member;           /**< the rank's number in the communicator */
  enum lower_group group;
  uint32_t depth;         /**< of group: 0 for LOWER_ALL */
  uint64_t prepared;      /**< a bit for each group whose ranks have found out who shares a host */
  uint32_t first, stride; /**< stride not 0: rank i is rank first + i * stride of the group */
  bool *asks_hosts; /**< NULL, or set when an algorithm asks who shares a host; the caller's */
  /** What a selector tells the algorithm in two levels that it picks: how leaders, and how the
   *  ranks of a node, do their part (SMPI's MV2_*_function and MV2_*_intra_function).  NULL: as the
   *  algorithm does it when it is called by its own name. */
  const struct lower_algorithm *between, *within;
};

/** The request of a nonblocking operation: program.c replaces it by a handle, and fills in a
 *  WAITALL, which waits for all pending requests of the collective. */
#define LOWER_REQUEST 0u

/** An algorithm is either a leaf, with steps, or it is put together from pieces, which run one
 *  after another.  A selector has one piece: what it picks. */
struct lower_algorithm {
  struct collective_algorithm row;
  /** Leaf: upper bound of the rank's operations. */
  uint64_t (*steps)(const struct lowering *l);
  /** Leaf: gives the operation of step @p i (below steps()); false if the step has none. */
  bool (*step)(const struct lowering *l, uint64_t i, struct op *op);
  /** Gives piece @p k, NULL past the last, for the collective *sub: a copy of *l, which the piece
   *  may change.  Its value depends on the arguments alone.  A rank without a part in a piece
   *  gets lower_nothing. */
  const struct lower_algorithm *(*piece)(const struct lowering *l, uint32_t k,
                                         struct lowering *sub);
};

/** A leaf without steps. */
extern const struct lower_algorithm lower_nothing;

/** How deep algorithms are nested at most. */
#define LOWER_MAX_DEPTH 12

/** A communicator of which nothing is known about hosts does this before the first algorithm that
 *  asks: Comm::init_smp() of src/smpi/mpi/smpi_comm.cpp. */
extern const struct lower_algorithm lower_prepare;

/** lower_prepare, or lower_nothing if the group of @p l is prepared. */
const struct lower_algorithm *lower_prepared(const struct lowering *l);

/** As collective_algorithm(), with the steps; NULL past the last. */
const struct lower_algorithm *lower_algorithm(enum action_kind kind, size_t i);

/** The algorithm that l->choice names for @p kind: what colls::bcast(), .. call in SMPI. */
const struct lower_algorithm *lower_chosen(const struct lowering *l, enum action_kind kind);

/** What a selector picks in the end for the collective @p l: follows single pieces. */
const struct lower_algorithm *lower_picked(const struct lower_algorithm *a, struct lowering *l);

/* Tags of collectives' messages: distinct, negative, one for each tag of SMPI
 * (src/smpi/include/private.hpp).  Each communicator has tags of its own, below those of the world,
 * and so have its nodes and its leaders: messages of one cannot match those of another. */
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
/** Waits for one: the @p n th (from 0) nonblocking operation since the last lower_waitall(). */
bool lower_wait(struct op *op, uint32_t n);

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

/** Bytes of the block for or from rank @p i: its count, or the same for all. */
uint64_t lower_bytes_to(const struct lowering *l, uint32_t i);
uint64_t lower_bytes_from(const struct lowering *l, uint32_t i);

/** Is @p n a power of two?  @p n is not 0. */
static inline bool lower_power_of_two(uint32_t n)
{
  return (n & (n - 1)) == 0;
}

/** The largest power of two that is not above @p n, which is not 0. */
uint32_t lower_power_below(uint32_t n);

/** The collective of a group within that of @p l: *sub is *l with its rank, ranks and group;
 *  root 0.  False if the rank is not in it.  @p group is LOWER_NODE or LOWER_LEADERS. */
bool lower_enter(const struct lowering *l, enum lower_group group, struct lowering *sub);

/** The collective of the ranks @p first, first + @p stride, .. (@p ranks of them) of the group of
 *  @p l, which this rank is one of; root 0. */
void lower_slice(const struct lowering *l, uint32_t first, uint32_t stride, uint32_t ranks,
                 struct lowering *sub);

/** The bit of the group of @p l in prepared. */
uint64_t lower_group_bit(const struct lowering *l);

/** Number in the communicator of @p rank of the group of @p l. */
uint32_t lower_member(const struct lowering *l, uint32_t rank);

/** Number of hosts that the group of @p l is on: nodes, numbered by their first rank. */
uint32_t lower_nodes(const struct lowering *l);

/** Node of @p rank. */
uint32_t lower_node_of(const struct lowering *l, uint32_t rank);

/** Ranks on @p node. */
uint32_t lower_node_size(const struct lowering *l, uint32_t node);

/** The rank that is number @p i of @p node; the first is its leader. */
uint32_t lower_node_rank(const struct lowering *l, uint32_t node, uint32_t i);

/** Have all nodes as many ranks? */
bool lower_uniform(const struct lowering *l);

/** Has each node consecutive ranks? */
bool lower_blocked(const struct lowering *l);

/** The lowest @p bits bits of @p x in reverse order. */
uint32_t lower_reversed(uint32_t x, uint32_t bits);

/** The smallest n with 2^n >= ranks. */
uint32_t lower_rounds(uint32_t ranks);

#endif

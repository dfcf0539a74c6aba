/** @file lower.h
 *  Private to traces/: the interface of collective algorithms.  An algorithm is a pure function
 *  from a step number to the operation of one rank at that step, or a list of pieces that are
 *  algorithms themselves.  Lowering therefore needs no memory, however many messages a collective
 *  has.  Each collective has a folder, except gatherv and scatterv, which use the folders of gather
 *  and scatter; algorithms.h lists the algorithms.  The folder nonblocking/ has SMPI's linear
 *  algorithms, and shapes/ has steps that several algorithms share.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "traces/collectives/collective.h"
#include "traces/program/op.h"

/** The ranks that an algorithm works on.  Groups nest: see lower_enter(). */
enum lower_group {
  LOWER_ALL,     /**< the whole communicator */
  LOWER_NODE,    /**< members on the rank's host, in order */
  LOWER_LEADERS, /**< the first member of each host, in order */
  LOWER_SELF,    /**< the rank alone */
  LOWER_POSTED,  /**< not a group of ranks: selects the tags of nonblocking collectives */
  LOWER_GROUPS
};

struct neighbours;
struct nodes;

/** One collective as one rank sees it: an action with its sizes in bytes.  Ranks are numbers within
 *  the group; call.c translates them to ranks of the world. */
struct lowering {
  const struct lower_algorithm *algorithm; /**< algorithm that takes the steps or has the pieces */
  uint32_t rank, ranks, root;
  uint64_t count;      /**< elements of a reduction or bcast, or elements sent to one rank */
  uint64_t send_bytes; /**< bytes of the block sent to, or contributed by, one rank */
  uint64_t recv_bytes; /**< bytes of the block received from one rank */
  const int32_t *sendcounts, *recvcounts; /**< elements for each rank, or NULL */
  uint64_t send_size, recv_size;          /**< bytes of an element */
  const struct collectives *choice;       /**< algorithms of the collectives that this one calls */
  const struct neighbours *neighbours;    /**< for neighbourhood collectives, whose counts are by
                                             destination and source; NULL for other collectives */
  const struct nodes *nodes; /**< which members of the communicator share a host; NULL: none do */
  uint32_t member;           /**< the rank's number in the communicator */
  enum lower_group group;
  uint32_t depth;         /**< nesting depth of group; 0 for LOWER_ALL */
  uint64_t prepared;      /**< a bit for each group that has run lower_prepare */
  uint32_t first, stride; /**< if stride is not 0, rank i is rank first + i * stride of the group */
  bool *asks_hosts; /**< set when an algorithm asks which ranks share a host; may be NULL; owned by
                       the caller */
  /** Algorithms that a two-level algorithm uses between leaders and within a node.  A selector that
   *  picks the two-level algorithm sets them (SMPI's MV2_*_function and MV2_*_intra_function).
   *  NULL: the defaults of the two-level algorithm. */
  const struct lower_algorithm *between, *within;
};

/** Request of a nonblocking operation. program.c replaces it by a handle, and fills in the handles
 *  of a WAITALL: all pending requests of the collective. */
#define LOWER_REQUEST 0u

/** An algorithm is a leaf with steps, or consists of pieces that run one after another, given
 *  by one of piece(), pieces and pick().  A selector has one piece: the algorithm it picks. */
struct lower_algorithm {
  struct collective_algorithm row;
  /** Leaf: upper bound of the number of the rank's operations. */
  uint64_t (*steps)(const struct lowering *l);
  /** Leaf: gives the operation of step @p i (below steps()); false if the step has none. */
  bool (*step)(const struct lowering *l, uint64_t i, struct op *op);
  /** Returns piece @p k, or NULL past the last, and sets *sub, a copy of *l, to the collective on
   *  which the piece works.  The result depends on the arguments alone.  A rank that takes no part
   *  in a piece gets lower_nothing. */
  const struct lower_algorithm *(*piece)(const struct lowering *l, uint32_t k,
                                         struct lowering *sub);
  /** The pieces, if all work on the same collective; see LOWER_PIECES(). */
  const struct lower_algorithm *const *pieces;
  /** Returns the only piece, which works on the same collective. */
  const struct lower_algorithm *(*pick)(const struct lowering *l);
  /** Constants for functions that several algorithms share, read through l->algorithm: a number,
   *  and an algorithm that a piece uses. */
  int32_t variant;
  const struct lower_algorithm *part;
};

/** Initialises `pieces` with a list of addresses.  If it has lower_prepare, that
 *  piece runs once per group. */
#define LOWER_PIECES(...)                                                                          \
  (const struct lower_algorithm *const[])                                                          \
  {                                                                                                \
    __VA_ARGS__, NULL                                                                              \
  }

/** Declares a row of a list of algorithms. */
#define LOWER_DECLARE(algorithm) extern const struct lower_algorithm algorithm;

/** Sets *sub to the collective of piece @p k of l->algorithm, and sub->algorithm to this piece,
 *  which is also returned; NULL past the last piece. */
const struct lower_algorithm *lower_piece(const struct lowering *l, uint32_t k,
                                          struct lowering *sub);

/** A leaf without steps. */
extern const struct lower_algorithm lower_nothing;

/** Maximum nesting depth of algorithms. */
#define LOWER_MAX_DEPTH 12

/** The messages by which the ranks of a group find out which of them share a host: Comm::init_smp()
 *  of src/smpi/mpi/smpi_comm.cpp.  Runs before the group's first algorithm that needs hosts. */
extern const struct lower_algorithm lower_prepare;

/** lower_prepare, or lower_nothing if the group of @p l is prepared. */
const struct lower_algorithm *lower_prepared(const struct lowering *l);

/** Algorithm number @p i of a collective, 0 for the default; NULL past the last. */
const struct lower_algorithm *lower_algorithm(enum action_kind kind, size_t i);

/** The algorithm that l->choice names for @p kind; colls::bcast() and so on in SMPI. */
const struct lower_algorithm *lower_chosen(const struct lowering *l, enum action_kind kind);

/** Replaces a selector, or an algorithm of a single piece, by its piece for the collective *l until
 *  neither is left.  Updates *l. */
const struct lower_algorithm *lower_picked(const struct lower_algorithm *a, struct lowering *l);

/* Tags of messages of collectives: distinct, negative, one for each tag of SMPI
 * (src/smpi/include/private.hpp).  Each communicator, its nodes and its leaders have further tags,
 * below the tags of the world, so that a message of one cannot match a receive of another. */
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

/* Each of these functions fills in *op and returns true.  Nonblocking operations have the request
 * LOWER_REQUEST. */
bool lower_send(struct op *op, uint32_t peer, int32_t tag, uint64_t bytes);
bool lower_recv(struct op *op, uint32_t peer, int32_t tag, uint64_t bytes);
bool lower_isend(struct op *op, uint32_t peer, int32_t tag, uint64_t bytes);
bool lower_irecv(struct op *op, uint32_t peer, int32_t tag, uint64_t bytes);
bool lower_waitall(struct op *op);
/** Waits for the nonblocking operation number @p n (from 0) since the last lower_waitall(). */
bool lower_wait(struct op *op, uint32_t n);

/** A send and a receive at once, in 3 steps, as SMPI's Request::sendrecv. */
struct lower_exchange {
  uint32_t self, dst, src;
  int32_t tag;
  uint64_t send_bytes, recv_bytes;
};
#define LOWER_EXCHANGE_STEPS 3u

/** Gives the operation of @p step (below LOWER_EXCHANGE_STEPS).  False if self is both dst and src:
 *  a local copy takes no operation. */
bool lower_exchange(const struct lower_exchange *x, uint64_t step, struct op *op);

/** An exchange of messages without bytes between the rank and @p peer. */
struct lower_exchange lower_swap(const struct lowering *l, uint32_t peer, int32_t tag);

/** An exchange of messages without bytes: the rank sends to the rank @p distance (at most l->ranks)
 *  after it, and receives from the rank @p distance before it, modulo l->ranks. */
struct lower_exchange lower_shift(const struct lowering *l, uint64_t distance, int32_t tag);

/** Steps of a leaf with an exchange in each of lower_rounds() rounds. */
uint64_t lower_rounds_steps(const struct lowering *l);

/** Steps of a leaf with one step for each rank on the root, and one on the other ranks. */
uint64_t lower_rooted_steps(const struct lowering *l);

/** Bytes of the block for rank @p i, and of the block from it: by the counts, or if there are none,
 *  send_bytes and recv_bytes. */
uint64_t lower_bytes_to(const struct lowering *l, uint32_t i);
uint64_t lower_bytes_from(const struct lowering *l, uint32_t i);

/** True if @p n, which is not 0, is a power of two. */
static inline bool lower_power_of_two(uint32_t n)
{
  return (n & (n - 1)) == 0;
}

/** The largest power of two up to @p n, which is not 0. */
uint32_t lower_power_below(uint32_t n);

/** Sets *sub to the collective of @p group (LOWER_NODE or LOWER_LEADERS) within the group of @p l:
 *  the rank's number and the number of ranks in that group, and root 0.  False if the rank is not
 *  in that group. */
bool lower_enter(const struct lowering *l, enum lower_group group, struct lowering *sub);

/** Sets *sub to the collective of @p ranks ranks of the group of @p l: @p first, @p first +
 *  @p stride, and so on, with root 0.  This rank must be one of them. */
void lower_slice(const struct lowering *l, uint32_t first, uint32_t stride, uint32_t ranks,
                 struct lowering *sub);

/** The bit of the group of @p l in the mask `prepared`. */
uint64_t lower_group_bit(const struct lowering *l);

/** The number in the communicator of @p rank of the group of @p l. */
uint32_t lower_member(const struct lowering *l, uint32_t rank);

/** Number of hosts of the group of @p l, called nodes.  Nodes are numbered in the order of their
 *  first ranks. */
uint32_t lower_nodes(const struct lowering *l);

/** Node of @p rank. */
uint32_t lower_node_of(const struct lowering *l, uint32_t rank);

/** Number of ranks on @p node. */
uint32_t lower_node_size(const struct lowering *l, uint32_t node);

/** The leader of @p node, its first rank. */
uint32_t lower_leader(const struct lowering *l, uint32_t node);

/** True if all nodes have the same number of ranks. */
bool lower_uniform(const struct lowering *l);

/** True if the ranks of each node are consecutive. */
bool lower_blocked(const struct lowering *l);

/** The lowest @p bits bits of @p x in reverse order. */
uint32_t lower_reversed(uint32_t x, uint32_t bits);

/** The smallest n with 2^n >= ranks. */
uint32_t lower_rounds(uint32_t ranks);

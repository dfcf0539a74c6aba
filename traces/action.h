/** @file action.h
 *  One action of one rank as stated by a trace: sizes are counts of elements, and a collective is
 *  one action.  traces/program/program.h lowers actions to the operations (op.h) that engines
 *  simulate.
 *
 *  The kinds are: all actions that the *Parser::parse functions of
 *  src/smpi/internals/smpi_replay.cpp (SimGrid 3.32) read; actions that only SMPI's tracer writes;
 *  comment lines with a meaning (files/comment.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

enum action_kind {
  ACTION_INIT,
  ACTION_FINALIZE,
  ACTION_COMPUTE, /**< amount: flops */
  ACTION_SLEEP,   /**< amount: seconds */
  ACTION_SEND,    /**< also bsend and Ssend, see mode */
  ACTION_ISEND,
  ACTION_RECV,
  ACTION_IRECV,
  ACTION_SENDRECV, /**< partner, count, type: the send; source, count2, type2: the receive; tag 0 */
  ACTION_WAIT,     /**< source, partner (the receiver), tag: the key of the request */
  ACTION_TEST,     /**< fields as for ACTION_WAIT */
  ACTION_WAITALL,  /**< waits for all pending messages, whatever its count; see pending.h */
  ACTION_WAITANY,  /**< waits for any one pending request of the rank */
  ACTION_RELAY,    /**< expects count elements of type from rank partner, and passes them on to rank
                      source unless source is ACTION_NOBODY; see program/relay.h */
  ACTION_RELAY_PROBE,   /**< tests once for the expected message; receives it and passes it on if it
                           has arrived */
  ACTION_RELAY_COMPUTE, /**< computes count columns: in calls of count2 columns, each followed by a
                           probe, until the message has arrived, then in one call; a call takes
                           amount + amount2 * columns flops, with half-normal noise */
  ACTION_COMM,          /**< comm_size, comm_split, comm_dup: no operation */
  ACTION_MARK,          /**< count: number of the main loop's iteration that begins, from 1 */
  ACTION_DEFINE,        /**< comm: a communicator of which the rank is a member; no operation */
  ACTION_TYPE,          /**< type: a derived datatype, count: its bytes; no operation */
  ACTION_TOPOLOGY,      /**< comm; neighbours of the rank in comm; no operation */
  ACTION_REDUCE_LOCAL,  /**< count, amount, type: no message */
  ACTION_BARRIER,       /**< the first collective */
  ACTION_BCAST,         /**< count, root, type */
  ACTION_REDUCE,        /**< count, amount (flops), root, type */
  ACTION_ALLREDUCE,     /**< count, amount, type */
  ACTION_ALLTOALL,      /**< count sent to and count2 received from each rank, type, type2 */
  ACTION_ALLTOALLV,     /**< sendcounts, recvcounts, type, type2 */
  ACTION_GATHER,        /**< count, count2 (from each rank), root, type, type2 */
  ACTION_GATHERV,       /**< count, recvcounts, root, type, type2 */
  ACTION_SCATTER,       /**< count (to each rank), count2, root, type, type2 */
  ACTION_SCATTERV,      /**< sendcounts, count2, root, type, type2 */
  ACTION_ALLGATHER,     /**< count, count2, type, type2 */
  ACTION_ALLGATHERV,    /**< count, recvcounts, type, type2 */
  ACTION_REDUCESCATTER, /**< recvcounts, amount, type */
  ACTION_SCAN,          /**< count, amount, type */
  ACTION_EXSCAN,        /**< as ACTION_SCAN; the last collective with algorithms to choose from */
  ACTION_ALLTOALLW,     /**< sendcounts, recvcounts: bytes */
  ACTION_NEIGHBOR_ALLGATHER,  /**< neighbours; count to and count2 from each, type, type2 */
  ACTION_NEIGHBOR_ALLGATHERV, /**< neighbours; count, recvcounts (one per source), type, type2 */
  ACTION_NEIGHBOR_ALLTOALL,   /**< as ACTION_NEIGHBOR_ALLGATHER */
  ACTION_NEIGHBOR_ALLTOALLV, /**< neighbours; sendcounts (one per destination), recvcounts, types */
  ACTION_NEIGHBOR_ALLTOALLW, /**< as ACTION_NEIGHBOR_ALLTOALLV, in bytes */
  ACTION_NONBLOCKING, /**< Ibarrier; the other kinds follow in the order of the blocking ones */
  ACTION_KINDS = ACTION_NONBLOCKING + ACTION_NONBLOCKING - ACTION_BARRIER
};

enum action_mode { ACTION_STANDARD, ACTION_BUFFERED, ACTION_SYNCHRONOUS };

enum {
  ACTION_ANY_SOURCE = -333,
  ACTION_ANY_TAG = -444,
  ACTION_COUNT_OF_MESSAGE = -1, /**< count of a receive that takes any size */
  ACTION_NOBODY = -1,           /**< source of a RELAY that ends with this rank */
  ACTION_COLLECTIVE = -1,       /**< source and partner of a WAIT or TEST for a collective */
  ACTION_MARK_END = 0,          /**< count of the mark after the last iteration */
};

struct comm;
struct neighbours;

struct action {
  enum action_kind kind;
  enum action_mode mode; /**< of a send */
  int32_t partner;       /**< rank sent to or received from; of a wait: receiver of the message */
  int32_t source;        /**< see ACTION_SENDRECV, ACTION_WAIT */
  int32_t tag;
  uint32_t root;              /**< a member of comm */
  int64_t count, count2;      /**< elements, >= 0; -1 only as ACTION_COUNT_OF_MESSAGE */
  int16_t type, type2;        /**< datatype ids; the default if the trace omits them */
  uint32_t derived, derived2; /**< bytes of type and type2 if these are derived, or 0 */
  int32_t name;  /**< of a nonblocking collective's request, in its WAIT or TEST too; 0: none */
  double amount; /**< flops or seconds, see enum action_kind */
  double amount2, noise; /**< of a RELAY_COMPUTE; noise: relative standard deviation of a call */
  uint64_t seed;         /**< of the noise */
  const int32_t *sendcounts, *recvcounts; /**< one per member; valid until the rank's next action */
  const struct neighbours *neighbours;    /**< of the rank; valid until trace_rewind() */
  const struct comm *comm; /**< of a collective, message, WAIT or TEST; NULL: the world; valid until
                                trace_rewind().  Ranks of messages are ranks of the world. */
};

/** Sets *a to an action of @p kind and @p mode with all other fields 0.  Assigns each field,
 *  because gcc 12 compiles an assignment of the whole struct to `rep stos', which took 4 % of a
 *  replay. */
static inline void action_begin(struct action *a, enum action_kind kind, enum action_mode mode)
{
  a->kind = kind;
  a->mode = mode;
  a->partner = a->source = a->tag = 0;
  a->root = 0;
  a->count = a->count2 = 0;
  a->type = a->type2 = 0;
  a->derived = a->derived2 = 0;
  a->name = 0;
  a->amount = a->amount2 = a->noise = 0;
  a->seed = 0;
  a->sendcounts = a->recvcounts = NULL;
  a->neighbours = NULL;
  a->comm = NULL;
}

/** Name that SMPI's tracer writes for @p kind, e.g. "sendRecv"; "send" for all modes. */
const char *action_name(enum action_kind kind);

/** Bytes of an element of type, and of type2. */
uint64_t action_size(const struct action *a);
uint64_t action_size2(const struct action *a);

/** True if the action comes from a comment line (comment.h), not from a call of the program. */
static inline bool action_is_note(enum action_kind kind)
{
  return kind == ACTION_MARK || (kind >= ACTION_DEFINE && kind <= ACTION_TOPOLOGY);
}

/** True for the actions that send, receive, wait for or test messages by their key, and thus may be
 *  on a communicator. */
static inline bool action_is_message(enum action_kind kind)
{
  return kind >= ACTION_SEND && kind <= ACTION_TEST;
}

/** True for the three actions of relay.h. */
static inline bool action_is_relay(enum action_kind kind)
{
  return kind >= ACTION_RELAY && kind <= ACTION_RELAY_COMPUTE;
}

/** True if the action counts when a trace is cut into iterations.  Computations do not: how often a
 *  program computes between two calls differs from run to run. */
static inline bool action_is_counted(enum action_kind kind)
{
  return kind != ACTION_COMPUTE && kind != ACTION_SLEEP && !action_is_note(kind);
}

/** True for collectives, barriers included. */
static inline bool action_is_collective(enum action_kind kind)
{
  return kind >= ACTION_BARRIER;
}

static inline bool action_is_nonblocking(enum action_kind kind)
{
  return kind >= ACTION_NONBLOCKING;
}

/** True for blocking neighbourhood collectives. */
static inline bool action_is_neighbourly(enum action_kind kind)
{
  return kind >= ACTION_NEIGHBOR_ALLGATHER && kind <= ACTION_NEIGHBOR_ALLTOALLW;
}

/** True for blocking collectives with a root. */
static inline bool action_is_rooted(enum action_kind kind)
{
  return kind == ACTION_BCAST || kind == ACTION_REDUCE ||
         (kind >= ACTION_GATHER && kind <= ACTION_SCATTERV);
}

/** Blocking form of a collective, e.g. ACTION_BARRIER for ACTION_NONBLOCKING. */
static inline enum action_kind action_blocking(enum action_kind kind)
{
  return kind < ACTION_NONBLOCKING ? kind : kind - ACTION_NONBLOCKING + ACTION_BARRIER;
}

/** Nonblocking form of a blocking collective. */
static inline enum action_kind action_nonblocking(enum action_kind kind)
{
  return kind - ACTION_BARRIER + ACTION_NONBLOCKING;
}

/** Tag by which SMPI's traces name the request of a nonblocking collective.  All requests of one
 *  kind have the same tag (smpi_nbc_impl.cpp). */
int32_t action_request_tag(enum action_kind kind);

/** True if action_request_tag() returns @p tag for some kind. */
bool action_is_request_tag(int32_t tag);

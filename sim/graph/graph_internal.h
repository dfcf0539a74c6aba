/** @file graph_internal.h
 *  Private to sim/graph/: the state of a run, of its ranks and of their streams.
 */
#pragma once

#include "sim/graph/graph_run.h"
#include "sim/replay/match.h"
#include "sim/replay/watch.h"
#include "traces/graph/graph.h"
#include "traces/program/op.h"

/** A side of a message that is over, until its stream handles it. */
struct graph_over {
  struct message *message;
  enum side side;
};

/** A stream of a rank: an actor. */
struct graph_stream {
  uint32_t rank;
  uint32_t first,
      last;        /**< queue of its ready nodes through graph_rank.next[]: node + 1, 0: none */
  uint32_t holder; /**< node + 1 that holds the stream; 0: the stream is free */
  bool computing;  /**< in STEP_EXEC or STEP_SLEEP */
  bool calling;    /**< the holder is a collective */
  bool parked;
  struct graph_over *over; /**< owned */
  size_t over_room, overs;
  struct step step;
};

/** The collective that a rank is in. */
struct graph_call {
  struct action action;
  struct graph_counts counts;
  bool *open;    /**< by handle plus 1: its message is pending; entry 0: a blocking message */
  bool *awaited; /**< by handle plus 1 */
  size_t open_room, awaited_room;
  uint32_t handles; /**< length of open[] and awaited[] */
  uint32_t missing; /**< entries that are awaited and pending */
};

struct graph_rank {
  struct graph graph;
  uint32_t *next;        /**< by node: see graph_stream.first; owned */
  uint32_t more;         /**< actor of its stream 1 */
  uint32_t left;         /**< nodes that have not ended */
  uint32_t computing;    /**< streams that compute */
  uint32_t sends, recvs; /**< messages of its nodes in progress */
  double since;          /**< start of the time in s with a computation */
  uint64_t execs;        /**< computations begun */
  const char *called;    /**< name of the collective that it is in; NULL: none */
  struct graph_call call;
  struct rank_result result;
};

struct graph_run {
  struct trace *trace;
  struct program *program;
  struct replay_options options;
  const struct services *services;
  struct matcher *matcher;
  uint32_t ranks, actors;
  struct graph_rank *rank;
  struct graph_stream *stream;    /**< by actor */
  uint32_t *host;                 /**< by actor */
  uint64_t bytes;                 /**< sent by all ranks */
  uint32_t live;                  /**< ranks that have not ended */
  uint32_t busy;                  /**< streams that are neither parked nor at their end */
  uint64_t flying;                /**< transfers that have started */
  struct watch_progress progress; /**< zeroed without a watch */
  bool failed, deadlock;
  struct err *err;
};

/** Values of graph_node.needs after its operation has begun, and after it has ended. */
enum { GRAPH_BEGUN = UINT32_MAX - 1, GRAPH_ENDED = UINT32_MAX };

/** Simulated seconds. */
static inline double graph_now(const struct graph_run *r)
{
  return r->services->now(r->services->engine);
}

/** Ends a node.  Nodes that only waited for this end become ready. */
void graph_end_node(struct graph_run *r, uint32_t rank, uint32_t node);

/** The rank begins an operation: counts it for the watch. */
void graph_count_operation(struct graph_run *r, uint32_t rank);

/* graph_messages.c */

/** A message that a rank posts: by a node, or by a collective under a handle. */
struct graph_post {
  uint32_t rank, node;
  uint32_t handle; /**< index of graph_call.open, plus 1; 0: the message of a node */
  uint32_t peer;   /**< or OP_ANY_SOURCE */
  int32_t tag;     /**< or OP_ANY_TAG */
  uint64_t bytes;  /**< sent, or room of the receive */
  enum op_mode mode;
  bool holds; /**< a send that starts at once and ends with its transfer */
};

/** Posts a side.  *over: the operation has ended at once.  Fails with r->err filled and r->failed
 *  set. */
enum status graph_send(struct graph_run *r, const struct graph_post *p, bool *over);
enum status graph_recv(struct graph_run *r, const struct graph_post *p, bool *over);

/** A transfer has ended: see driver.h. */
void graph_arrived(void *run, struct transfer *t);

/** Ends the operations whose messages are in graph_stream.over. */
void graph_take_over(struct graph_run *r, uint32_t actor);

/** Wakes a stream if it is parked. */
void graph_wake(struct graph_run *r, uint32_t actor);

/** The actor of stream @p stream of a rank. */
static inline uint32_t graph_actor(const struct graph_run *r, uint32_t rank, uint32_t stream)
{
  return stream == 0 ? rank : r->rank[rank].more + stream - 1;
}

/* graph_calls.c */

/** Begins the collective of @p node, which holds stream @p actor. */
enum status graph_call_begin(struct graph_run *r, uint32_t actor, uint32_t node);

/** Continues the collective that the stream is in.  *amount: flops to compute next, or 0.  *ended:
 *  the collective is over.  If neither, the stream waits. */
enum status graph_call_continue(struct graph_run *r, uint32_t actor, double *amount, bool *ended);

/** A message of a collective is over; @p entry: index of graph_call.open. */
void graph_call_over(struct graph_run *r, uint32_t rank, uint32_t entry);

void graph_call_clear(struct graph_call *c);

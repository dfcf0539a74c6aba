/** @file graph.h
 *  The operations of one rank as a graph: an operation may begin when certain operations have ended
 *  and certain others have begun.  Formats such as GOAL and Chakra state programs in this form;
 *  sim/graph/ simulates it.  Knows no files and no simulated time.
 *
 *  Nodes are numbered from 0 in an order in which all dependences point forward.  Of the nodes that
 *  depend on numbered nodes only, the one that was added first gets the next number.  trace_next()
 *  gives the nodes in this order.  The sequence serves for counting only, because it has other
 *  dependences than the graph.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/action.h"

/** Maximum number of streams of a rank. */
enum { GRAPH_STREAMS_MAX = 256 };

/** One operation. */
struct graph_node {
  uint64_t record; /**< its line, or its offset in a binary file */
  union {
    double flops;   /**< ACTION_COMPUTE */
    uint64_t bytes; /**< of a message, or of a collective, see graph_action() */
  };
  const struct comm *comm; /**< of a collective; NULL: the world */
  uint32_t needs;          /**< number of dependences */
  uint32_t first, middle;  /**< target[first..middle - 1] wait for its end; target[middle..] up to
                                the next node's first wait for its begin */
  int32_t peer;            /**< rank sent to or received from, or ACTION_ANY_SOURCE */
  int32_t tag;             /**< of a receive also ACTION_ANY_TAG */
  uint16_t stream;         /**< operations of a stream do not overlap, see `holds` */
  uint8_t kind;            /**< ACTION_COMPUTE, ACTION_SEND, ACTION_RECV or a collective */
  bool holds;              /**< a send that starts without its receive and occupies its stream
                                until its transfer has ended; other messages do not occupy a
                                stream, computations and collectives always do */
};

/** A dependence while the graph is built. */
struct graph_edge {
  uint32_t from, to;
  bool begin; /**< on the begin of `from`, not on its end */
};

/** The graph of a rank.  Zeroed: empty. */
struct graph {
  struct graph_node *node; /**< owned, as the other arrays; nodes + 1 entries once finished */
  uint32_t *target;        /**< numbers of nodes, see struct graph_node */
  struct graph_edge *edge; /**< NULL once finished */
  size_t node_room, edge_room;
  uint32_t nodes, edges;
  uint32_t streams; /**< number of streams, at least 1 once finished */
};

/** Adds a node; `needs`, `first` and `middle` are ignored. */
enum status graph_add(struct graph *g, const struct graph_node *n, struct err *e);

/** Adds a dependence of the added node @p to on the added node @p from. */
enum status graph_depend(struct graph *g, const struct graph_edge *d, struct err *e);

/** Numbers the nodes in order, and makes each collective wait for the begin of the previous
 *  collective on the same communicator, because all ranks must begin the collectives of a
 *  communicator in one order.  Fails for a cycle: sets *record to the record of one of its nodes.
 *  O((nodes + edges) * log nodes), without recursion. */
enum status graph_finish(struct graph *g, uint64_t *record, struct err *e);

/** Frees the arrays and zeroes the graph. */
void graph_clear(struct graph *g);

/** The counts of an action.  Zeroed: empty.  The caller frees `count`. */
struct graph_counts {
  int32_t *count;
  size_t room;
};

/** The action of a node, with counts of bytes.  Bytes of a collective: of the vector (bcast,
 *  reduce, allreduce, scan); of the part of each rank (gather, allgather); of the whole input of a
 *  rank (alltoall, reduce_scatter) or of the root (scatter), which is split into equal shares, the
 *  first ones a byte longer if needed.  @p ranks is the size of the world.  @p counts holds the
 *  counts of *out. */
enum status graph_action(const struct graph_node *n, uint32_t rank, uint32_t ranks,
                         struct graph_counts *counts, struct action *out, struct err *e);

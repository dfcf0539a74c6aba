/** @file reorder.h
 *  The argument `reorder` of MPI's calls that create topologies: exchanges the ranks of a
 *  communicator by a mapping of haichi, and lets the MPI library create the topology on the
 *  exchanged ranks.  One source for Open MPI, MPICH and SMPI, for the preloaded library
 *  (preload.c) and for programs (companion.c).  The first rank of the communicator loads
 *  libhaichi.so and maps; the other ranks receive their new ranks.
 *
 *  Nothing here has mutable state, because the ranks of SMPI are in one process.
 */
#pragma once

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "reorder/job.h"

/* --- functions of MPI ------------------------------------------------------------------------- */

/** Calls that create and free communicators.  If a tool replaces such a call, it goes through the
 *  tool. */
#ifdef REORDER_SMPI
#define REORDER_GRAPHS(CALL)
#else
#define REORDER_GRAPHS(CALL)                                                                       \
  CALL(Graph_create) CALL(Dist_graph_create) CALL(Dist_graph_create_adjacent)
#endif
#define REORDER_CREATORS(CALL)                                                                     \
  CALL(Comm_split) CALL(Comm_free) CALL(Cart_create) REORDER_GRAPHS(CALL)

/** Calls that go to the MPI library directly, past all tools: messages of the reordering. */
/* clang-format off */
#define REORDER_DIRECT(CALL) \
  CALL(Bcast) CALL(Gather) CALL(Gatherv) CALL(Allreduce) CALL(Sendrecv) CALL(Comm_size) \
  CALL(Comm_rank) CALL(Comm_test_inter) CALL(Comm_group) CALL(Group_translate_ranks) \
  CALL(Group_free) CALL(Get_processor_name) CALL(Comm_set_name) CALL(Initialized) \
  CALL(Comm_create_keyval) CALL(Comm_free_keyval) CALL(Comm_set_attr) CALL(Comm_free)
/* clang-format on */

#define REORDER_POINTER(X) __typeof__(MPI_##X) *X;

struct creators {
  REORDER_CREATORS(REORDER_POINTER)
};

struct direct {
  REORDER_DIRECT(REORDER_POINTER)
};

/** Finds the functions of the MPI library.  False if one is missing. */
bool direct_find(struct direct *d);

/** The functions through which topologies are created. */
struct mpi {
  const struct direct *direct;
  const struct creators *create;
};

/* --- agreement -------------------------------------------------------------------------------- */

/** A topology, as one rank of the communicator describes it. */
struct wish {
  MPI_Comm comm;
  const struct settings *settings; /**< read on the first rank alone */
  bool valid;                      /**< the arguments of this rank are right */
  bool scattered;                  /**< each rank has edges of its own; false: all have the same */
  int ranks;                       /**< of the topology, at most those in the communicator */
  char what[REORDER_TEXT];         /**< the call and its arguments, for the report */
  struct edges edges;              /**< read on the first rank alone unless scattered */
};

enum outcome {
  OUTCOME_STAY, /**< no order with a lower estimated time was found */
  OUTCOME_MOVE,
  OUTCOME_FAIL /**< order_agree() gives the reason */
};

/** Finds the new order.  Collective on the communicator; all ranks return the same.  For
 *  OUTCOME_MOVE, *rank is an array with the new rank of each rank, which the caller frees with
 *  free(); for other outcomes it is NULL.  @p why has room for REORDER_TEXT bytes.  May take over
 *  the edges of @p w. */
enum outcome order_agree(const struct mpi *m, struct wish *w, int **rank, char *why);

/* --- creation --------------------------------------------------------------------------------- */

/** Argument of the functions that create a topology with exchanged ranks.  Their other arguments
 *  are the arguments of the MPI call, and they return its result, because the MPI library itself
 *  creates the topology.  The MPI library gets the exchanged ranks, or the old ranks if no better
 *  order was found, with `reorder` false.  If the agreement fails, the MPI library gets the call
 *  unchanged, and *why has the reason.  Without a failure *why is empty. */
struct creation {
  const struct mpi *mpi;
  const struct settings *settings;
  char *why; /**< REORDER_TEXT bytes */
};

int create_cart(const struct creation *c, MPI_Comm comm, const struct grid *g, MPI_Comm *made);

#ifndef REORDER_SMPI
/** Arguments of MPI_Graph_create. */
struct graph {
  int nodes;
  const int *index, *edges;
};

/** Arguments of MPI_Dist_graph_create. */
struct dist_graph {
  int n;
  const int *sources, *degrees, *destinations, *weights;
  MPI_Info info;
};

/** Arguments of MPI_Dist_graph_create_adjacent. */
struct adjacent {
  int in, out;
  const int *sources, *in_weights, *destinations, *out_weights;
  MPI_Info info;
};

int create_graph(const struct creation *c, MPI_Comm comm, const struct graph *g, MPI_Comm *made);
int create_dist_graph(const struct creation *c, MPI_Comm comm, const struct dist_graph *g,
                      MPI_Comm *made);
int create_adjacent(const struct creation *c, MPI_Comm comm, const struct adjacent *g,
                    MPI_Comm *made);
#endif

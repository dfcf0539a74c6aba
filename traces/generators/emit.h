/** @file emit.h
 *  The actions of one block of one rank, written by a generator. generated.c reads them and returns
 *  them one by one.
 *
 *  Each emit_*() function appends the action of the MPI call of that name.  It returns no status:
 *  when memory runs out, it stores the error in the struct emit, later actions are dropped, and
 *  trace_next() fails.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/action.h"
#include "traces/comm.h"
#include "traces/neighbours.h"

/** Datatypes by SMPI's numbers, see datatype.h. */
enum emit_type {
  EMIT_DOUBLE = 0,
  EMIT_INT = 1,
  EMIT_BYTE = 6,
  EMIT_LOGICAL = 23,  /**< Fortran's, 4 bytes */
  EMIT_DCOMPLEX = 43, /**< Fortran's, 16 bytes */
};

/** To initialise it, set rank, ranks and comms and zero the other fields.  Set err before each
 *  block. */
struct emit {
  struct action *action; /**< owned; freed by emit_clear() */
  size_t count, room;
  int32_t *counts; /**< from emit_counts(); owned */
  size_t counts_room;
  uint32_t rank, ranks;
  double flops;                  /**< factor on the flops of computations; 0: 1 */
  struct comm_table *comms;      /**< owned by the trace */
  struct neighbours *neighbours; /**< from emit_neighbours(); owned */
  const struct comm *on;         /**< communicator of the next collective; NULL: the world */
  enum status status;
  struct err *err; /**< set on failure */
};

/** Drops the actions and keeps the memory for the next block. */
void emit_reset(struct emit *out);

/** Drops the actions and frees the memory. */
void emit_clear(struct emit *out);

/** The actions init and finalize. */
void emit_init(struct emit *out);
void emit_finalize(struct emit *out);

/** Appends a computation, if @p flops > 0. */
void emit_compute(struct emit *out, double flops);

/** The mark of iteration @p iteration, from 1; ACTION_MARK_END after the last iteration. */
void emit_mark(struct emit *out, int64_t iteration);

/** A message of @p count elements of @p type. */
void emit_send(struct emit *out, uint32_t dst, int32_t tag, int64_t count, enum emit_type type);
void emit_isend(struct emit *out, uint32_t dst, int32_t tag, int64_t count, enum emit_type type);
void emit_recv(struct emit *out, uint32_t src, int32_t tag, int64_t count, enum emit_type type);
void emit_irecv(struct emit *out, uint32_t src, int32_t tag, int64_t count, enum emit_type type);

/** Synchronous sends. */
void emit_ssend(struct emit *out, uint32_t dst, int32_t tag, int64_t count, enum emit_type type);
void emit_issend(struct emit *out, uint32_t dst, int32_t tag, int64_t count, enum emit_type type);

/** The actions ACTION_RELAY, ACTION_RELAY_PROBE and ACTION_RELAY_COMPUTE.  @p dst may be
 *  ACTION_NOBODY.  emit_relay_compute() takes the columns, their cost and its noise from *@p a. */
void emit_relay(struct emit *out, uint32_t src, int32_t dst, int32_t tag, int64_t doubles);
void emit_relay_probe(struct emit *out);
void emit_relay_compute(struct emit *out, const struct action *a);

/** Waits for an isend to @p dst, or an irecv from @p src. */
void emit_wait_send(struct emit *out, uint32_t dst, int32_t tag);
void emit_wait_recv(struct emit *out, uint32_t src, int32_t tag);

/** Waits for all pending requests of the rank; @p requests is their number. */
void emit_waitall(struct emit *out, int64_t requests);

/** Defines communicator @p id (from 1) with @p members, among them this rank; see comm.h. */
void emit_comm(struct emit *out, uint32_t id, const struct comm_run *members);

/** Puts the next collective on communicator @p id, defined by emit_comm(). */
void emit_on(struct emit *out, uint32_t id);

/** Collectives on @p count elements of @p type, without flops. */
void emit_barrier(struct emit *out);
void emit_bcast(struct emit *out, int64_t count, uint32_t root, enum emit_type type);
void emit_reduce(struct emit *out, int64_t count, uint32_t root, enum emit_type type);
void emit_allreduce(struct emit *out, int64_t count, enum emit_type type);

/** Sends @p count elements to each rank and receives @p count from each. */
void emit_alltoall(struct emit *out, int64_t count, enum emit_type type);

/** Returns an array of 2 * @p ranks zeros to be filled in: elements sent to each rank, then
 *  elements received from each rank.  Valid until the end of the block.  Call at most once per
 *  block.  NULL on failure. */
int32_t *emit_counts(struct emit *out, uint32_t ranks);

/** Waits for a nonblocking collective started by emit_collective(). */
void emit_wait_collective(struct emit *out, enum action_kind kind);

/** Defines the neighbours of the rank on communicator @p id, defined by emit_comm().  Call at most
 *  once per stream.  Takes over *@p n, also on failure. */
void emit_neighbours(struct emit *out, uint32_t id, struct neighbours *n);

/** A neighbourhood all-to-all on communicator @p id, nonblocking or not. emit_neighbor() exchanges
 *  @p count elements with each neighbour. emit_neighborv() uses @p counts from emit_counts() with
 *  room for @p most neighbours in each direction. */
void emit_neighbor(struct emit *out, uint32_t id, bool nonblocking, int64_t count,
                   enum emit_type type);
void emit_neighborv(struct emit *out, uint32_t id, bool nonblocking, const int32_t *counts,
                    uint32_t most);

/** An alltoallv with the @p counts that emit_counts() returned for the same @p ranks. */
void emit_alltoallv(struct emit *out, const int32_t *counts, uint32_t ranks, enum emit_type type);

/** Any collective, nonblocking or not, with root 0.  @p count: elements for each pair of ranks; for
 *  bcast, reductions and scans, elements of the message. */
void emit_collective(struct emit *out, enum action_kind kind, int64_t count, enum emit_type type);

/** @file emit.h
 *  The actions of one block of one rank, written by a generator.  Only generated.h reads them, to
 *  give them out one by one.
 *
 *  Each emit_*() function appends the action of the MPI call of its name.  It returns no status:
 *  when memory runs out the error stays in the struct emit, later actions are dropped, and
 *  generated_next() fails.
 */
#ifndef TRACES_GENERATORS_EMIT_H
#define TRACES_GENERATORS_EMIT_H

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

/** To begin with rank, ranks and comms are set and the rest is zeroed; err is set before each
 *  block. */
struct emit {
  struct action *action; /**< owned: emit_clear() */
  size_t count, room;
  int32_t *counts; /**< of emit_counts(); owned */
  size_t counts_room;
  uint32_t rank, ranks;
  struct comm_table *comms;      /**< owned by the trace */
  struct neighbours *neighbours; /**< of emit_neighbours(); owned */
  const struct comm *on;         /**< communicator of the next collective; NULL: the world */
  enum status status;
  struct err *err; /**< filled in on failure */
};

/** Drops the actions and keeps the memory for the next block. */
void emit_reset(struct emit *out);

/** Drops the actions and frees the memory. */
void emit_clear(struct emit *out);

/** The actions init and finalize. */
void emit_init(struct emit *out);
void emit_finalize(struct emit *out);

/** A computation; nothing unless @p flops > 0. */
void emit_compute(struct emit *out, double flops);

/** The beginning of iteration @p iteration, from 1; ACTION_MARK_END after the last one. */
void emit_mark(struct emit *out, int64_t iteration);

/** A message of @p count elements of @p type. */
void emit_send(struct emit *out, uint32_t dst, int32_t tag, int64_t count, enum emit_type type);
void emit_isend(struct emit *out, uint32_t dst, int32_t tag, int64_t count, enum emit_type type);
void emit_recv(struct emit *out, uint32_t src, int32_t tag, int64_t count, enum emit_type type);
void emit_irecv(struct emit *out, uint32_t src, int32_t tag, int64_t count, enum emit_type type);

/** Waits for an isend to @p dst, or an irecv from @p src. */
void emit_wait_send(struct emit *out, uint32_t dst, int32_t tag);
void emit_wait_recv(struct emit *out, uint32_t src, int32_t tag);

/** Waits for all pending requests of the rank; @p requests is their number. */
void emit_waitall(struct emit *out, int64_t requests);

/** Defines communicator @p id (from 1) with @p members, which include the rank; see comm.h. */
void emit_comm(struct emit *out, uint32_t id, const struct comm_run *members);

/** Puts the next call, a collective, on communicator @p id, which emit_comm() has defined. */
void emit_on(struct emit *out, uint32_t id);

/** Collectives on @p count elements of @p type, without flops. */
void emit_barrier(struct emit *out);
void emit_bcast(struct emit *out, int64_t count, uint32_t root, enum emit_type type);
void emit_reduce(struct emit *out, int64_t count, uint32_t root, enum emit_type type);
void emit_allreduce(struct emit *out, int64_t count, enum emit_type type);

/** Sends @p count elements to, and receives as many from, each rank. */
void emit_alltoall(struct emit *out, int64_t count, enum emit_type type);

/** An array of 2 * @p ranks zeros for the caller to fill in: elements sent to each rank, then
 *  received from each rank.  Valid as long as the block; at most once a block; NULL on failure. */
int32_t *emit_counts(struct emit *out, uint32_t ranks);

/** The wait for a nonblocking collective of emit_collective(). */
void emit_wait_collective(struct emit *out, enum action_kind kind);

/** Defines the neighbours of the rank on communicator @p id, which emit_comm() has defined; at most
 *  once a stream.  They become the emit's, also on failure. */
void emit_neighbours(struct emit *out, uint32_t id, struct neighbours *n);

/** A neighbourhood all-to-all there, nonblocking or not: @p count elements to and from each
 *  neighbour, or (emit_neighborv) those of emit_counts() for @p most neighbours either way. */
void emit_neighbor(struct emit *out, uint32_t id, bool nonblocking, int64_t count,
                   enum emit_type type);
void emit_neighborv(struct emit *out, uint32_t id, bool nonblocking, const int32_t *counts,
                    uint32_t most);

/** Sends and receives @p counts, which emit_counts() gave for the same @p ranks. */
void emit_alltoallv(struct emit *out, const int32_t *counts, uint32_t ranks, enum emit_type type);

/** Any collective, nonblocking or not, with the same @p count elements from each rank to each other
 * (bcast, reductions and scans: in all) and root 0. */
void emit_collective(struct emit *out, enum action_kind kind, int64_t count, enum emit_type type);

#endif

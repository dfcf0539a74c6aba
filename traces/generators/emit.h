/** @file emit.h
 *  What a generator writes the actions of one block of one rank into.  Not a list to be read
 *  elsewhere: generated.h hands the actions out, one by one.
 *
 *  Calls read as those of MPI that a trace records.  No call fails: when memory runs out the error
 *  stays in the struct emit, what follows is dropped, and the reader of the stream is told.
 */
#ifndef TRACES_GENERATORS_EMIT_H
#define TRACES_GENERATORS_EMIT_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/action.h"
#include "traces/comm.h"

/** Datatypes by SMPI's numbers, see datatype.h. */
enum emit_type {
  EMIT_DOUBLE = 0,
  EMIT_INT = 1,
  EMIT_BYTE = 6,
  EMIT_LOGICAL = 23,  /**< Fortran's, 4 bytes */
  EMIT_DCOMPLEX = 43, /**< Fortran's, 16 bytes */
};

/** Zeroed but for the ranks and comms, and for err before each block. */
struct emit {
  struct action *action; /**< owned, and cleared by emit_clear() */
  size_t count, room;
  int32_t *counts; /**< of emit_counts(); owned */
  size_t counts_room;
  uint32_t rank, ranks;
  struct comm_table *comms; /**< the trace's */
  const struct comm *on;    /**< of the next collective */
  enum status status;
  struct err *err; /**< where a failure says why */
};

/** Forgets the actions and keeps the room. */
void emit_reset(struct emit *out);

/** Frees the room. */
void emit_clear(struct emit *out);

void emit_init(struct emit *out);
void emit_finalize(struct emit *out);

/** Nothing if @p flops is not above 0. */
void emit_compute(struct emit *out, double flops);

/** @p iteration counts from 1; ACTION_MARK_END after the last one. */
void emit_mark(struct emit *out, int64_t iteration);

/** Counts are elements of @p type. */
void emit_send(struct emit *out, uint32_t dst, int32_t tag, int64_t count, enum emit_type type);
void emit_isend(struct emit *out, uint32_t dst, int32_t tag, int64_t count, enum emit_type type);
void emit_recv(struct emit *out, uint32_t src, int32_t tag, int64_t count, enum emit_type type);
void emit_irecv(struct emit *out, uint32_t src, int32_t tag, int64_t count, enum emit_type type);

/** Waits for an isend to @p dst, or an irecv from @p src. */
void emit_wait_send(struct emit *out, uint32_t dst, int32_t tag);
void emit_wait_recv(struct emit *out, uint32_t src, int32_t tag);

/** Waits for all @p requests of the rank. */
void emit_waitall(struct emit *out, int64_t requests);

/** The rank is a member of communicator @p id (from 1): of @p members, see comm.h. */
void emit_comm(struct emit *out, uint32_t id, const struct comm_run *members);

/** The next call, a collective, is on communicator @p id, known from emit_comm(). */
void emit_on(struct emit *out, uint32_t id);

void emit_barrier(struct emit *out);
void emit_bcast(struct emit *out, int64_t count, uint32_t root, enum emit_type type);
void emit_reduce(struct emit *out, int64_t count, uint32_t root, enum emit_type type);
void emit_allreduce(struct emit *out, int64_t count, enum emit_type type);

/** @p count elements to, and from, each rank. */
void emit_alltoall(struct emit *out, int64_t count, enum emit_type type);

/** Room for 2 * @p ranks counts, zeroed, valid as long as the block: those sent, then those
 *  received, one a rank.  NULL on failure.  Once a block. */
int32_t *emit_counts(struct emit *out, uint32_t ranks);

/** Sends and receives what @p counts says, from emit_counts() with the same @p ranks. */
void emit_alltoallv(struct emit *out, const int32_t *counts, uint32_t ranks, enum emit_type type);

#endif

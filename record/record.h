/** @file record.h
 *  libhaichi-record-MPI.so: a library for LD_PRELOAD that writes haichi's trace of an MPI program
 *  (docs/traces.md), one file per rank.  One source for Open MPI and MPICH; not linked with haichi.
 *
 *  It defines MPI_X and PMPI_X of each recorded call X as one function (interpose/interpose.h), and
 *  calls the PMPI_X of the MPI library through record.real.  Calls of MPI within a call of MPI
 *  (MPI-IO, other tools) are not recorded.
 *
 *  Functions of most calls have the attribute hot, so that one section has them together: a call
 *  after a change of process then loads fewer pages and cache lines.
 *
 *  The state of the process is one global struct, because the functions of MPI have no argument for
 *  it.
 */
#pragma once

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "interpose/interpose.h"
#include "record/out.h"

/** The recorded calls. */
/* clang-format off */
#define RECORD_CALLS(CALL) \
  CALL(Init) CALL(Init_thread) CALL(Finalize) CALL(Send) CALL(Bsend) CALL(Ssend) CALL(Rsend) \
  CALL(Recv) CALL(Isend) CALL(Ibsend) CALL(Issend) CALL(Irsend) CALL(Irecv) CALL(Send_init) \
  CALL(Bsend_init) CALL(Ssend_init) CALL(Rsend_init) CALL(Recv_init) CALL(Start) CALL(Startall) \
  CALL(Request_free) CALL(Cancel) CALL(Sendrecv) CALL(Sendrecv_replace) CALL(Probe) \
  CALL(Iprobe) CALL(Mprobe) CALL(Improbe) CALL(Mrecv) CALL(Imrecv) CALL(Wait) CALL(Waitall) \
  CALL(Waitany) CALL(Waitsome) CALL(Test) CALL(Testall) CALL(Testany) CALL(Testsome) \
  CALL(Barrier) CALL(Bcast) CALL(Reduce) CALL(Allreduce) CALL(Scan) CALL(Exscan) CALL(Gather) \
  CALL(Gatherv) CALL(Scatter) CALL(Scatterv) CALL(Allgather) CALL(Allgatherv) CALL(Alltoall) \
  CALL(Alltoallv) CALL(Alltoallw) CALL(Reduce_scatter) CALL(Reduce_scatter_block) \
  CALL(Ibarrier) CALL(Ibcast) CALL(Ireduce) CALL(Iallreduce) CALL(Iscan) CALL(Iexscan) \
  CALL(Igather) CALL(Igatherv) CALL(Iscatter) CALL(Iscatterv) CALL(Iallgather) \
  CALL(Iallgatherv) CALL(Ialltoall) CALL(Ialltoallv) CALL(Ialltoallw) CALL(Ireduce_scatter) \
  CALL(Ireduce_scatter_block) CALL(Reduce_local) CALL(Neighbor_allgather) \
  CALL(Neighbor_allgatherv) CALL(Neighbor_alltoall) CALL(Neighbor_alltoallv) \
  CALL(Neighbor_alltoallw) CALL(Ineighbor_allgather) CALL(Ineighbor_allgatherv) \
  CALL(Ineighbor_alltoall) CALL(Ineighbor_alltoallv) CALL(Ineighbor_alltoallw) CALL(Comm_dup) \
  CALL(Comm_dup_with_info) CALL(Comm_idup) CALL(Comm_split) CALL(Comm_split_type) \
  CALL(Comm_create) CALL(Comm_create_group) CALL(Comm_free) CALL(Cart_create) CALL(Cart_sub) \
  CALL(Graph_create) CALL(Dist_graph_create) CALL(Dist_graph_create_adjacent) CALL(Type_free)
/* clang-format on */

#define RECORD_POINTER(X) __typeof__(MPI_##X) *X;

struct record {
  bool active;     /**< between MPI_Init and MPI_Finalize, with a file */
  bool on;         /**< active, and not switched off by MPI_Pcontrol */
  bool extended;   /**< an action was written that smpirun -replay lacks */
  int rank, ranks; /**< in MPI_COMM_WORLD */
  int process;     /**< process id: a forked child does not write to the file */
  char head[16];   /**< "RANK ", the beginning of a line; then NUL bytes */
  size_t head_length;
  struct out out;
  bool counting;  /**< computations are counts of an event, not ns of CPU time */
  double flops;   /**< of one event, or of one ns */
  uint64_t least; /**< shorter computations are added to the next one; events or ns */
  uint64_t busy;  /**< computation that is not written yet; events or ns */
  bool polled;    /**< the last call was a test or probe without success */
  uint64_t iterations;
  uint64_t messages, collectives; /**< number of recorded sends and receives, and collectives */
  uint64_t one_sided, files;      /**< number of calls that count as computation */
  struct {
    RECORD_CALLS(RECORD_POINTER)
  } real; /**< functions of the MPI library */
};

extern struct record record __attribute__((visibility("hidden")));

/** Begins a call of the program: adds the computation since the last call.  Returns true if the
 *  call is to be recorded: outermost, active and on. */
__attribute__((hot)) bool record_enter(void);

/** As record_enter(), but true also while recording is off. */
__attribute__((hot)) bool record_enter_always(void);

/** Ends the call of MPI at the address @p site of the program; returns @p result. */
__attribute__((hot)) int record_leave_at(int result, const void *site);

/** Ends the call of MPI that the calling function implements. */
#define record_leave(RESULT) record_leave_at(RESULT, __builtin_return_address(0))

/** Brackets a call that counts as computation, and counts it in @p count. */
void record_foreign_enter(uint64_t *count);
int record_foreign_leave(int result);

/** Ends the program, and leaves "rank R: CALL: WHY" for haichi record. */
_Noreturn void record_refuse(const char *call, const char *why);

/** Writes the computation since the last line, unless it is too short.  Call before the lines that
 *  qualify an action. */
__attribute__((hot)) void record_compute(void);

/** Begins a line: writes the computation before it, "RANK " and @p action. */
__attribute__((hot)) void record_line(const char *action);

/** Ends a line. */
__attribute__((hot)) void record_end(void);

/* --- types.c ---------------------------------------------------------------------------------- */

/** A number of elements in the trace, and their datatype by SMPI's number. */
struct elements {
  int64_t count;
  int type;
};

enum { TYPE_BYTE = 6 };

/** The elements in the trace for @p count elements of datatype @p t; bytes if @p t is derived. */
__attribute__((hot)) struct elements types_elements(int64_t count, MPI_Datatype t);

/** Bytes of one element of @p t. */
int64_t types_size(MPI_Datatype t);

/** The elements in the trace for one element of @p t. */
__attribute__((hot)) struct elements types_unit(MPI_Datatype t);

/* --- comms.c ---------------------------------------------------------------------------------- */

/** A communicator.  Its id, from 1, is the same on all members, which find it without messages, and
 *  unique; 0 is the world.  Ids from 2^62 on are hashes: of 10^6, two are equal with probability
 *  10^-7. */
struct comm {
  struct comm *next;
  MPI_Comm handle;
  int64_t id;
  int64_t calls;      /**< collective calls on it that create communicators; in the world, also on
                           other communicators of all ranks */
  int64_t duplicates; /**< calls of MPI_Comm_idup on it */
  int size, rank;
  int *world;        /**< ranks in the world of the members; NULL: the world */
  bool stated;       /**< its members are in the trace */
  bool neighbour;    /**< its neighbours are in the trace, as the next fields say */
  bool grid_of_none; /**< a grid without axes */
  int sources, destinations;
};

void comms_init(void);

/** The communicator of a handle; ends the program if it is unknown. */
__attribute__((hot)) struct comm *comms_find(MPI_Comm handle);

/** Adds the communicator of an MPI_Comm_idup that has completed. */
void comms_add_duplicate(MPI_Comm handle, int64_t id);

void comms_remove(MPI_Comm handle);

/** Rank in the world of member @p rank. */
static inline int comms_world(const struct comm *c, int rank)
{
  return c->world == NULL ? rank : c->world[rank];
}

/** Writes the line with the members of the communicator, unless the trace has it. */
__attribute__((hot)) void comms_state(struct comm *c);

/** Writes the line that qualifies the next action; nothing for the world. */
__attribute__((hot)) void comms_on(struct comm *c);

/** Writes the line with the neighbours of the rank, unless the trace has it.  False if the grid has
 *  no axes. */
bool comms_neighbours(struct comm *c);

/* --- requests.c ------------------------------------------------------------------------------- */

enum request_kind {
  REQUEST_SILENT, /**< not in the trace: MPI_PROC_NULL, or begun while recording was off */
  REQUEST_SEND,
  REQUEST_RECV,
  REQUEST_COLLECTIVE,
  REQUEST_COMM, /**< MPI_Comm_idup */
};

struct request {
  struct request *next, *previous; /**< of the same bucket by handle, in order of posting */
  struct request *next_at;         /**< of the same bucket by handle and address, in that order */
  uint64_t handle;
  const void *at; /**< address of the program's variable, a hint: handles may be equal */
  enum request_kind kind;
  bool persistent, pending, cancelled;
  bool taken; /**< found for another entry of the same array of requests */
  const char *action;
  struct comm *comm;
  int32_t peer, tag; /**< peer: rank in the world, or -333 for any; tag: -444 for any; of a
                          collective, the tag of its requests */
  struct elements data;
  union {
    struct {                  /* REQUEST_SEND, REQUEST_RECV */
      uint64_t on_line, line; /**< offsets in the file: on_line of the line that names the
                                 communicator of the action, line of the action */
    };
    int32_t name; /**< REQUEST_COLLECTIVE */
    struct {      /* REQUEST_COMM */
      MPI_Comm created;
      int64_t id;
    };
  };
};

uint64_t requests_value(MPI_Request r);

/** Adds a request that the library has returned in *at; @p r is copied. */
struct request *requests_add(const MPI_Request *at, const struct request *r);

/** Finds the request with this handle that is not `taken`.  Of several, prefers the request with
 *  address @p at.  NULL if there is none. */
struct request *requests_find(uint64_t handle, const void *at);

void requests_remove(struct request *r);

/** Number of sends and receives in the trace that no line has awaited. */
uint64_t requests_pending(void);

/** Called when the action of a request has been written, and when its wait has been written. */
void requests_begin(struct request *r);
void requests_complete(struct request *r);

/** Call if the program frees a pending request: only a waitall would wait for it. */
void requests_abandon(struct request *r);

/* --- p2p.c ------------------------------------------------------------------------------------ */

/** Turns the lines of a cancelled request into comments. */
void p2p_erase(struct request *r);

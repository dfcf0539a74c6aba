/** @file dim.h
 *  Private to traces/paraver/: traces of Dimemas (.dim).  dim.c has the format and reads records.
 *  dim_calls.c joins the facts about a collective that its members state: the root, and the counts
 *  of v forms.
 */
#pragma once

#include "traces/action.h"
#include "traces/comm.h"

/** Operations of records of type 10; from DIM_NONBLOCKING on the nonblocking ones. */
enum { DIM_BARRIER, DIM_GATHERV = 3, DIM_SCATTERV = 5, DIM_ALLGATHERV = 7, DIM_ALLTOALLV = 9 };
enum { DIM_REDUCE_SCATTER = 12, DIM_ALLTOALLW = 15, DIM_NONBLOCKING = 16, DIM_OPERATIONS = 32 };

/** A record of type 10. */
struct dim_call {
  uint32_t operation; /**< without DIM_NONBLOCKING */
  bool is_root;
  int64_t sent, received; /**< bytes */
};

/** Begin or end of a call. */
enum dim_phase { DIM_BLOCKS, DIM_BEGINS, DIM_WAITS };

/** True for operations whose counts are stated by all members together. */
static inline bool dim_has_counts(uint32_t operation)
{
  return operation == DIM_GATHERV || operation == DIM_SCATTERV || operation == DIM_ALLGATHERV ||
         operation == DIM_ALLTOALLV || operation == DIM_REDUCE_SCATTER ||
         operation == DIM_ALLTOALLW;
}

struct dim_sizes {
  int64_t sent, received;
};

/** Collectives that a member of a communicator has called. */
struct dim_member {
  uint32_t calls;         /**< calls so far; reset by dim_calls_rewind() */
  uint32_t counted;       /**< of these, with dim_has_counts() */
  struct dim_sizes *size; /**< by call with counts; owned */
  size_t room, sizes;
};

/** The action of an operation without DIM_NONBLOCKING. */
enum action_kind dim_kind_of(uint32_t operation);

/** The collectives on a communicator. */
struct dim_calls {
  const struct comm *comm; /**< NULL: the world */
  uint32_t members;
  struct dim_member *member; /**< owned, as the other arrays */
  uint32_t *root;            /**< by call; UINT32_MAX: not stated */
  size_t root_room;
  uint32_t roots;
  int32_t *matrix; /**< of the all-to-all number `of`, by sender and receiver; NULL: none */
  uint32_t of;
};

/** Prepares for @p members members.  Free with dim_calls_clear(). */
enum status dim_calls_init(struct dim_calls *c, const struct comm *comm, uint32_t members,
                           struct err *e);
void dim_calls_clear(struct dim_calls *c);
void dim_calls_rewind(struct dim_calls *c);

/** Stores a call of @p member.  The calls of a member must be stored in their order. */
enum status dim_calls_note(struct dim_calls *c, uint32_t member, const struct dim_call *call,
                           struct err *e);

/** The counts of a rank's last action. */
struct dim_counts {
  int32_t *count;
  size_t room;
};

/** Makes the action of the next call of @p member, in the order of dim_calls_note().  The caller
 *  sets out->comm. */
enum status dim_calls_next(struct dim_calls *c, uint32_t member, const struct dim_call *call,
                           struct dim_counts *counts, struct action *out, struct err *e);

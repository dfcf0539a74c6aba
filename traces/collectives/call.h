/** @file call.h
 *  Private to traces/: lowers one call of a collective by one rank.  Chooses the algorithm, takes
 *  its steps (lower.h) one by one and translates member numbers to ranks of the world.  Requests
 *  are still LOWER_REQUEST: program.c replaces it by a handle.
 */
#ifndef TRACES_COLLECTIVES_CALL_H
#define TRACES_COLLECTIVES_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "traces/action.h"
#include "traces/collectives/collective.h"
#include "traces/collectives/lower.h"
#include "traces/comm.h"
#include "traces/op.h"

/** A call in progress; a value, filled by call_start(). */
struct call {
  const struct comm *comm;
  struct lowering whole;                   /**< what was called */
  const struct lower_algorithm *top;       /**< by which algorithm */
  struct lowering lowering;                /**< the leaf that runs */
  const struct lower_algorithm *algorithm; /**< of that leaf; NULL: the call has ended */
  bool posted;                             /**< nonblocking: only posts, see nonblocking.h */
  uint64_t step, steps; /**< the next one of the leaf, and how many it has once it has begun */
  uint32_t path[LOWER_MAX_DEPTH]; /**< which piece of which piece the leaf is */
  uint32_t depth;
  bool preparing; /**< the last operation is of lower_prepare, which runs once, not at each call */
};

/** Begins the collective @p a of rank @p rank, a member of a->comm, in a world of @p ranks. */
void call_start(struct call *c, const struct action *a, uint32_t rank, uint32_t ranks,
                const struct collectives *choice);

/** To be called between call_start() and call_step(): who shares a host in the communicator (NULL:
 *  nobody does), and which of its groups are prepared (struct lowering). */
void call_place(struct call *c, const struct nodes *nodes, uint64_t prepared);

/** The next operation; false when there are no more. */
bool call_step(struct call *c, struct op *op);

#endif

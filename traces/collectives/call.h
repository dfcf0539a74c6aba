/** @file call.h
 *  Private to traces/: lowers one call of a collective by one rank.  Chooses the algorithm, takes
 *  its steps (lower.h) one by one and translates member numbers to ranks of the world.  Leaves
 *  LOWER_REQUEST in requests: program.c replaces it by a handle.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "traces/action.h"
#include "traces/collectives/collective.h"
#include "traces/collectives/lower.h"
#include "traces/comm.h"
#include "traces/program/op.h"

/** A call in progress, initialised by call_start().  May be copied. */
struct call {
  const struct comm *comm;
  struct lowering whole;    /**< the collective called */
  struct lowering lowering; /**< collective of the current leaf; algorithm NULL after the end */
  bool posted;              /**< nonblocking: only posts messages, see nonblocking.h */
  uint64_t step, steps;     /**< next step of the leaf; number of its steps, once it has begun */
  uint32_t path[LOWER_MAX_DEPTH]; /**< by level: index of the piece that leads to the leaf */
  uint32_t depth;
  bool preparing; /**< the last operation is of lower_prepare, which runs only once */
};

/** Begins the collective @p a of @p rank, a member of a->comm.  @p ranks is the size of the world.
 *  @p choice must outlive *c. */
void call_start(struct call *c, const struct action *a, uint32_t rank, uint32_t ranks,
                const struct collectives *choice);

/** Sets the nodes of the communicator's members (NULL: each member has its own host), and the
 *  groups that are prepared (struct lowering).  Must be called between call_start() and
 *  call_step().
 */
void call_place(struct call *c, const struct nodes *nodes, uint64_t prepared);

/** Gives the next operation; false when there are no more. */
bool call_step(struct call *c, struct op *op);

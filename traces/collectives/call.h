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
  struct lowering lowering;
  const struct lower_algorithm *algorithm;
  uint32_t part;
  uint64_t step;
};

/** Begins the collective @p a of rank @p rank, a member of a->comm, in a world of @p ranks. */
void call_start(struct call *c, const struct action *a, uint32_t rank, uint32_t ranks,
                const struct collectives *choice);

/** The next operation; false when there are no more. */
bool call_step(struct call *c, struct op *op);

#endif

/** @file call.h
 *  Private to traces/: one call of a collective by one rank, on its way to messages.  Chooses the
 *  algorithm, runs its steps (lower.h) and places them on the ranks of the communicator.  Requests
 *  are still LOWER_REQUEST; program.h puts in handles.
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

struct call {
  const struct comm *comm;
  struct lowering lowering;
  const struct lower_algorithm *algorithm;
  uint32_t part;
  uint64_t step;
};

/** The collective @p a of the rank @p rank of @p ranks in the world, a member of a->comm. */
void call_start(struct call *c, const struct action *a, uint32_t rank, uint32_t ranks,
                const struct collectives *choice);

/** The next operation; false when there are no more. */
bool call_step(struct call *c, struct op *op);

#endif

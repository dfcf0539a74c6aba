/** @file actors.h
 *  The driver (sim/driver.h) of a scheduled task network: an actor for each host, which runs its
 *  elements one at a time, in their order, waits for an element that cannot start yet, and may
 *  steal.
 *
 *  Transfers: an element sends its output to a lane once to each other host with consumers of the
 *  lane, whatever their number, and nothing within its own host.  It sends all of it when it ends,
 *  or, in pattern B or C, a part at the end of each iteration (pieces.h).  Parts do not wait for
 *  each other.  A consumer starts when its host has all data of the lanes that it reads, or, in
 *  pattern B or D, the first part of each lane; in that case it waits for the rest before its last
 *  iteration.  A message has at least 16 bytes (SIM_ENVELOPE_BYTES, which are not added to larger
 *  ones), so that a stream without volume still notifies its consumers.
 *
 *  When a thief gets its first consumer of a lane, it is sent all data written to the lane so far,
 *  from the hosts that wrote it.  A host whose consumers have all been stolen gets no more.
 *  Stealing takes no time.
 */
#pragma once

#include "common/err.h"
#include "sim/driver.h"
#include "sim/load/load.h"
#include "sim/tasknet/abstract.h"
#include "sim/tasknet/queues.h"

/** Input of an execution; owned by the caller. */
struct actors_input {
  struct queues_input queues;
  struct tasknet_units units;
  struct loads *loads; /**< loads that slow messages down; NULL: none */
};

struct actors;

/** Copies @p in.  The objects that it points to, @p run, which the driver fills, and @p e, which
 *  receives errors of the run, must outlive the result.  The caller frees *out with
 *  actors_free(). */
enum status actors_new(struct actors **out, const struct actors_input *in, struct abstract_run *run,
                       struct err *e);

/** Accepts NULL. */
void actors_free(struct actors *a);

/** The driver, which must not outlive @p a.  Actor h is on host h. */
struct driver actors_driver(struct actors *a);

/** To be called after the engine has stopped.  Fails if the driver had to stop it, or if elements
 *  never started. */
enum status actors_finish(const struct actors *a, struct err *e);

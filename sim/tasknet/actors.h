/** @file actors.h
 *  The driver (sim/driver.h) of a scheduled task network: an actor for each host, which runs its
 *  elements one at a time, in their order, waits for one that cannot start yet, and may steal.
 *
 *  What is transferred: an element sends what it writes to a lane once to each other host that has
 *  consumers of the lane, however many; nothing within a host.  All of it when it ends, or, of
 *  pattern B or C, a part at the end of each iteration (pieces.h).  Parts do not wait for each
 *  other.  A consumer starts when its host has got all of the lanes that it reads, or, of pattern B
 *  or D, the first part of each; then it waits, before its last iteration, for all of them.  A
 *  message takes 16 bytes at least (SIM_ENVELOPE_BYTES, of which larger ones have none besides):
 *  a stream without volume still tells its consumers.
 *
 *  A thief that gets its first consumer of a lane is sent what has been written to it so far, from
 *  the hosts where that was; a host whose consumers have all been stolen gets no more.  To steal
 *  takes no time.
 */
#ifndef SIM_TASKNET_ACTORS_H
#define SIM_TASKNET_ACTORS_H

#include "common/err.h"
#include "sim/driver.h"
#include "sim/load/load.h"
#include "sim/tasknet/abstract.h"
#include "sim/tasknet/queues.h"

/** What is executed; the caller's. */
struct actors_input {
  struct queues_input queues;
  struct tasknet_units units;
  struct loads *loads; /**< that slow messages down; NULL: none */
};

struct actors;

/** @p in is copied; what it points to, @p run, which the driver fills, and @p e, which takes the
 *  error of the run, must outlive it.  On success *out is the caller's: actors_free(). */
enum status actors_new(struct actors **out, const struct actors_input *in, struct abstract_run *run,
                       struct err *e);

/** Accepts NULL. */
void actors_free(struct actors *a);

/** The driver, which must not outlive @p a.  Actor h is on host h. */
struct driver actors_driver(struct actors *a);

/** After the engine has stopped: fails if the driver had to stop it, or elements never started. */
enum status actors_finish(const struct actors *a, struct err *e);

#endif

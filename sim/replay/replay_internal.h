/** @file replay_internal.h
 *  Private to replay.c and wait.c: the state of a replay and of its ranks.
 */
#ifndef SIM_REPLAY_REPLAY_INTERNAL_H
#define SIM_REPLAY_REPLAY_INTERNAL_H

#include <stddef.h>

#include "sim/replay/match.h"
#include "sim/replay/replay.h"
#include "sim/replay/watch.h"
#include "traces/op.h"

/** Where a rank stands within its current operation. */
enum doing {
  DOING_NEXT,  /**< nothing: pull an operation */
  DOING_BUSY,  /**< EXEC or SLEEP */
  DOING_TEST,  /**< the time that a TEST costs */
  DOING_PROBE, /**< the time that a probe costs */
  DOING_LOOK,  /**< after that: yields before it looks for the result */
  DOING_WAIT,  /**< blocked on await[] */
  DOING_ENDED
};

/** A request handle's message; NULL once it needs no waiting for. */
struct request {
  struct message *message;
  enum side side;
  bool tested; /**< a TEST has found it complete */
};

struct rank {
  enum doing doing;
  struct op op;
  struct step step;
  struct request *request; /**< by handle */
  size_t request_room;
  struct await *await;
  size_t await_room;
  uint32_t awaits;  /**< length of await[] */
  uint32_t at;      /**< unless `any`: index of the one that the engine waits for; of a TEST of
                         several: how many have had their time */
  uint32_t failed;  /**< of a TEST of several: those that have not ended */
  bool any;         /**< the wait ends with the first one, not with all */
  uint32_t missing; /**< awaited messages that cannot start yet; if `any`: 1 if none can */
  bool stuck;       /**< blocked until another rank posts a message */
  uint64_t execs;   /**< so far */
  uint64_t ops;     /**< begun */
  uint64_t due;     /**< the rank passes its next point when it begins more */
  uint32_t points;  /**< passed */
  double since;     /**< start of the EXEC or SLEEP */
  struct rank_result result;
};

struct replay {
  struct program *program;
  struct replay_options options;
  const struct services *services;
  struct matcher *matcher;
  uint32_t ranks;
  struct rank *rank;
  uint64_t bytes;                /**< sent by all ranks */
  uint32_t able;                 /**< ranks that have not ended and are not stuck */
  uint32_t live;                 /**< ranks that have not ended */
  uint32_t tests;                /**< cost of the next TEST, in units of REPLAY_POLL_S */
  uint32_t probes;               /**< likewise of the next probe */
  uint32_t passed[WATCH_POINTS]; /**< ranks that have passed each point */
  bool failed, deadlock;
  bool cut; /**< the watch has stopped the run */
  struct err *err;
};

/** Simulated seconds. */
static inline double replay_now(const struct replay *r)
{
  return r->services->now(r->services->engine);
}

/** SMPI's smpi/test and smpi/iprobe: the cost of a look; each failure adds one unit to that of the
 *  next (grow-injected-times). */
#define REPLAY_POLL_S 1e-4
/** SMPI's smpi/send-is-detached-thresh: smaller sends complete at once. */
#define REPLAY_DETACHED_BELOW UINT64_C(65536)

/* wait.c: blocking, and detection of deadlocks. */

/** Blocks @p rank on one side of a message, on all handles of its operation, or on any of them.
 *  Returns the step to take, NULL if there is nothing to wait for. */
struct step *replay_wait_one(struct replay *r, uint32_t rank, struct message *t, enum side side);
struct step *replay_wait_handles(struct replay *r, uint32_t rank, bool any);

/** After the end of what @p rank was blocked on: the wait for the next one, NULL after the last. */
struct step *replay_wait_on(struct replay *r, uint32_t rank);

/** Closes a side of a message that is over. */
void replay_close(struct replay *r, struct message *t);

/** Both sides of a message are posted: unblocks the ranks that are stuck on it. */
void replay_matched(struct replay *r, struct message *t);

/** Sets whether a rank is stuck; once all ranks that have not ended are, the run fails with a
 *  deadlock.  replay_rank_ended() does the same check for a rank that ends. */
void replay_set_stuck(struct replay *r, uint32_t rank, bool stuck);
void replay_rank_ended(struct replay *r, uint32_t rank);

/** The step that ends the run; r->err holds the error. */
struct step *replay_stop(struct replay *r, uint32_t rank);

#endif

/** @file replay_internal.h
 *  State of a replay and of its ranks; private to sim/replay/ and sim/graph/.
 */
#pragma once

#include <stddef.h>

#include "sim/replay/match.h"
#include "sim/replay/replay.h"
#include "sim/replay/watch.h"
#include "traces/program/op.h"

/** Progress of a rank within its current operation. */
enum doing {
  DOING_NEXT,  /**< nothing: the rank pulls an operation */
  DOING_BUSY,  /**< executes EXEC or SLEEP */
  DOING_TEST,  /**< spends the time of a TEST */
  DOING_PROBE, /**< spends the time of a probe */
  DOING_LOOK,  /**< after a TEST or probe: has yielded before it looks for the result */
  DOING_CALL,  /**< spends the time of posting a send */
  DOING_WAIT,  /**< blocked on await[], or spends the time of a receive before a further wait */
  DOING_ENDED
};

/** A request handle; its message is NULL once it needs no wait. */
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
  uint32_t awaits;    /**< length of await[] */
  uint32_t at;        /**< index in await[] of the current wait, unless `any` or `each`; for a TEST
                           of several requests: how many have spent their time */
  uint32_t failed;    /**< for a TEST of several requests: requests that have not ended */
  bool any;           /**< the wait ends with the first message, not with all */
  bool each;          /**< the wait is for all messages, and receives take time: the rank spends the
                           time of each when it ends, while others continue (Request::waitall) */
  uint32_t missing;   /**< awaited messages that cannot start yet; with `any` 1 if none can */
  bool begun;         /**< has pulled its first operation */
  bool stuck;         /**< blocked until another rank posts a message */
  uint64_t execs;     /**< EXECs begun, counted for the jitter only */
  uint64_t iteration; /**< of the main loop, if marks are shown; 0: none */
  double since;       /**< start of the EXEC or SLEEP in s */
  double owed_s;      /**< time in s for the receives that have ended, to be spent next */
  struct rank_result result;
};

struct replay {
  struct program *program;
  struct replay_options options;
  const struct services *services;
  struct matcher *matcher;
  uint32_t ranks;
  struct rank *rank;
  uint64_t bytes;  /**< sent by all ranks */
  uint32_t able;   /**< ranks that have not ended and are not stuck */
  uint32_t live;   /**< ranks that have not ended */
  uint32_t tests;  /**< cost of the next TEST, in units of test_s */
  uint32_t probes; /**< cost of the next probe, in units of probe_s */
  bool failed, deadlock;
  const struct smpi_options *smpi;      /**< of the platform: times of calls; NULL: none */
  double test_s, probe_s;               /**< costs of a TEST and of a probe in s */
  uint64_t eager_below, detached_below; /**< smaller sends start at once, and complete at once */
  struct watch_progress progress;       /**< zeroed without a watch */
  struct err *err;
};

/** Simulated seconds. */
static inline double replay_now(const struct replay *r)
{
  return r->services->now(r->services->engine);
}

/** Defaults of SMPI's smpi/test and smpi/iprobe: the cost of a test or probe in s.  Each failure
 *  adds one unit to the cost of the next (grow-injected-times). */
#define REPLAY_POLL_S 1e-4

/* calls.c: times of calls. */

/** Sets the members smpi to detached_below: options of the platform replace the defaults. */
void replay_take_options(struct replay *r);

/** True if the sender does not wait for the end of the message. */
bool replay_completes_at_once(const struct replay *r, const struct op *op);

/** Time that a rank sleeps before it posts a send, in s: by smpi/ois in isends, by smpi/os in
 *  other sends that are synchronous or complete at once (Request::start). */
double replay_send_time(const struct replay *r, const struct op *op);

/** True if the platform has smpi/or. */
bool replay_receives_cost(const struct replay *r);

/** Adds smpi/or to the time that the receiver owes, if the send completed at once
 *  (Request::finish_wait). */
void replay_owe(struct replay *r, const struct message *t, enum side side);

/* replay.c */

/** Notes for a timeline that a send is posted, or that the call of a receive has ended. */
void replay_note_message(struct replay *r, const struct message *t, enum side side);

/* wait.c: blocking, and detection of deadlocks. */

/** Block @p rank on one side of a message; on all handles of its operation, or on any of them.
 *  Return the step to take, NULL if nothing is left to wait for. */
struct step *replay_wait_one(struct replay *r, uint32_t rank, struct message *t, enum side side);
struct step *replay_wait_handles(struct replay *r, uint32_t rank, bool any);

/** Called when the engine has ended a wait of @p rank, or the time of a receive after it.  Returns
 *  the next step of the operation, NULL after the last. */
struct step *replay_wait_ended(struct replay *r, uint32_t rank);

/** Closes a side of a message that is over. */
void replay_close(struct replay *r, struct message *t);

/** Both sides of a message are posted: unblocks the ranks that are stuck on it. */
void replay_matched(struct replay *r, struct message *t);

/** Sets whether a rank is stuck.  Once all ranks that have not ended are stuck, the run fails with
 *  a deadlock. replay_rank_ended() does the same check for a rank that ends. */
void replay_set_stuck(struct replay *r, uint32_t rank, bool stuck);
void replay_rank_ended(struct replay *r, uint32_t rank);

/** The step that ends the run; r->err holds the error. */
struct step *replay_stop(struct replay *r, uint32_t rank);

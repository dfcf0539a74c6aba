/** @file replay_internal.h
 *  Private to replay.c and wait.c: the state of a replay and of its ranks.
 */
#ifndef SIM_REPLAY_REPLAY_INTERNAL_H
#define SIM_REPLAY_REPLAY_INTERNAL_H

#include <stddef.h>

#include "sim/replay/match.h"
#include "sim/replay/replay.h"
#include "traces/op.h"

/** Where a rank stands within its current operation. */
enum doing {
  DOING_NEXT,  /**< nothing: pull an operation */
  DOING_BUSY,  /**< EXEC or SLEEP */
  DOING_TEST,  /**< paying for a TEST */
  DOING_PROBE, /**< paying for a probe */
  DOING_LOOK,  /**< the TEST or probe is paid for; others have gone first */
  DOING_WAIT,  /**< blocked on await[] */
  DOING_ENDED
};

/** A request handle's message; NULL once it needs no waiting for. */
struct request {
  struct message *message;
  enum side side;
};

struct rank {
  enum doing doing;
  struct op op;
  struct step step;
  struct request *request; /**< by handle */
  size_t request_room;
  struct await *await;
  size_t await_room;
  uint32_t awaits; /**< what it waits for: of all the one at `at` is waited for now */
  uint32_t at;
  bool any;
  uint32_t missing; /**< awaited messages without a partner (any: 1 if all are) */
  bool stuck;       /**< only another rank can let it go on */
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
  uint64_t bytes;  /**< sent by all ranks */
  uint32_t able;   /**< ranks that have not ended and are not stuck */
  uint32_t live;   /**< ranks that have not ended */
  uint32_t tests;  /**< cost of the next TEST, in units of REPLAY_POLL_S */
  uint32_t probes; /**< of the next probe */
  bool failed, deadlock;
  struct err *err;
};

/** Simulated seconds. */
static inline double replay_now(const struct replay *r)
{
  return r->services->now(r->services->engine);
}

/** SMPI's smpi/test and smpi/iprobe; failures add one unit to the next (grow-injected-times). */
#define REPLAY_POLL_S 1e-4
/** SMPI's smpi/send-is-detached-thresh: smaller sends complete at once. */
#define REPLAY_DETACHED_BELOW UINT64_C(65536)

/* wait.c: blocking, and who can still go on. */

/** Blocks @p rank on one side, on some handles, or on any of them; NULL if there is nothing to wait
 *  for. */
struct step *replay_wait_one(struct replay *r, uint32_t rank, struct message *t, enum side side);
struct step *replay_wait_handles(struct replay *r, uint32_t rank, bool any);

/** What @p rank was blocked on has ended: the wait for the next one, or NULL if that was all. */
struct step *replay_wait_on(struct replay *r, uint32_t rank);

/** A side of a message is over. */
void replay_close(struct replay *r, struct message *t);

/** A message has found its second side: ranks blocked on it can go on. */
void replay_matched(struct replay *r, struct message *t);

/** Marks a rank as able to go on or not; the last one to get stuck finds the deadlock. */
void replay_set_stuck(struct replay *r, uint32_t rank, bool stuck);
void replay_rank_ended(struct replay *r, uint32_t rank);

/** Ends the run with the error that r->err holds. */
struct step *replay_stop(struct replay *r, uint32_t rank);

#endif

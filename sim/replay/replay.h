/** @file replay.h
 *  MPI's semantics as a state machine for each rank, shared by all engines: pulls operations from
 *  a program, posts their messages (match.h), and says what the rank does next: compute, sleep,
 *  wait, let others go first, end.  An engine advances time and calls replay_step() for a rank
 *  whose last step is over.
 *
 *  Rules: src/smpi/mpi/smpi_request.cpp and src/smpi/internals/smpi_replay.cpp of SimGrid 3.32
 *  with SMPI's defaults; docs/models.md lists them.
 */
#ifndef SIM_REPLAY_REPLAY_H
#define SIM_REPLAY_REPLAY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "sim/replay/match.h"
#include "traces/program.h"

struct links;
struct timeline;

enum step_kind {
  STEP_EXEC,     /**< amount: flops on the rank's host */
  STEP_BUSY,     /**< amount: seconds of the host's full speed */
  STEP_SLEEP,    /**< amount: seconds */
  STEP_WAIT_ALL, /**< until every one of await[] has ended */
  STEP_WAIT_ANY, /**< until one has: the engine writes its index to `completed` */
  STEP_YIELD,    /**< no time: the other ranks that can go on at this date go first */
  STEP_END,      /**< the rank has ended */
  STEP_STOP      /**< the run has failed: end it now */
};

struct step {
  enum step_kind kind;
  double amount;
  struct await *await;
  uint32_t awaits;
  uint32_t completed;
};

/** One side of a transfer that a rank waits for. */
struct await {
  struct transfer *transfer;
  enum side side;
  uint32_t handle; /**< of the program's request, or OP_NO_REQUEST */
};

/** What replay needs of an engine, besides running the steps. */
struct replay_hooks {
  void *engine;
  /** How many ranks can go on at this date, besides the one that takes a step: it yields to them
   *  where SMPI calls SimGrid's kernel.  NULL: post() and ended() let them go first by themselves.
   */
  const uint32_t *others;
  double (*now)(void *engine); /**< simulated seconds */
  /** A side has been posted; the transfer starts when both have, or with the send if it is
   *  eager. */
  void (*post)(void *engine, struct transfer *t, enum side side);
  /** Has the transfer of a posted side ended? */
  bool (*ended)(void *engine, struct transfer *t, enum side side);
};

struct replay_options {
  double compute_scale;      /**< factor on EXEC and SLEEP; 0 leaves them out */
  uint64_t eager_threshold;  /**< smaller sends start at once */
  struct links *links;       /**< told of every message; may be NULL */
  struct timeline *timeline; /**< told what each rank does; may be NULL */
};

/** What became of a rank. */
struct rank_result {
  double end_s;
  double busy_s;     /**< in EXEC and SLEEP */
  uint64_t messages; /**< sent */
  uint64_t bytes;    /**< sent: payload */
};

struct replay;

/** Replays @p p; neither is copied.  @p e takes the error of the run. */
enum status replay_new(struct replay **out, struct program *p, const struct replay_options *o,
                       struct err *e);
void replay_free(struct replay *r);

/** To be called by the engine before the first step. */
void replay_attach(struct replay *r, const struct replay_hooks *hooks);

/** The last step of @p rank (if any) is over: what next?  *step is the replay's, valid until the
 *  next call for the same rank. */
struct step *replay_step(struct replay *r, uint32_t rank);

/** After the engine has stopped: has the run succeeded, and has every message been received? */
enum status replay_finish(struct replay *r, struct err *e);

uint32_t replay_ranks(const struct replay *r);
const struct rank_result *replay_result(const struct replay *r, uint32_t rank);

/** After a deadlock, one line for each blocked rank, at most @p most; does nothing otherwise. */
void replay_print_blocked(const struct replay *r, uint32_t most, FILE *f);

#endif

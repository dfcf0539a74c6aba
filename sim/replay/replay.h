/** @file replay.h
 *  The driver of MPI programs: MPI's semantics as a state machine for each rank.  Pulls operations
 *  from a program, posts their messages (match.h), and says what the rank does next: compute,
 *  sleep, wait, yield, end.
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
#include "sim/driver.h"
#include "traces/program.h"

struct links;
struct timeline;
struct watch;

/** What a watch has a rank do at the beginning of an iteration of the main loop. */
struct replay_jump {
  bool jump;
  uint64_t to;    /**< the iteration to go on with, see trace_skip() */
  double sleep_s; /**< that the rank sleeps first */
};

/** Watches the iterations of a program, and may have it leave some out. */
struct replay_loop {
  void *state;
  /** Called when @p rank begins iteration @p iteration, or at the end of the last one
   *  (ACTION_MARK_END), at simulated time @p now_s.  All ranks have to leave out the same. */
  struct replay_jump (*passed)(void *state, uint32_t rank, uint64_t iteration, double now_s);
};

struct replay_options {
  uint32_t first_rank;  /**< what rank 0 is called towards the outputs below */
  double compute_scale; /**< factor on EXEC and SLEEP; 0 leaves them out */
  double jitter; /**< each EXEC takes a factor of its own, uniform in 1 - jitter to 1 + jitter */
  uint64_t jitter_seed;
  uint64_t eager_threshold; /**< smaller sends start at once */
  /** The bytes that the @p nth message of a rank carries besides, for what slows the network down;
   *  called with @p slowed, unless that is NULL. */
  uint64_t (*extra_bytes)(void *slowed, uint32_t src, uint32_t dst, uint64_t bytes, uint64_t nth);
  void *slowed;
  struct links *links;            /**< told of every message; may be NULL */
  struct timeline *timeline;      /**< told what each rank does; may be NULL */
  struct watch *watch;            /**< may stop the run early (watch.h); may be NULL */
  const struct replay_loop *loop; /**< may be NULL */
};

/** The figures of one rank. */
struct rank_result {
  double end_s;      /**< simulated time of its end */
  double busy_s;     /**< spent in EXEC and SLEEP */
  double flops;      /**< of EXECs that have ended */
  uint64_t messages; /**< sent */
  uint64_t bytes;    /**< sent: payload */
};

struct replay;

/** A replay of @p p.  @p p, the outputs that @p o names and @p e, which takes the error of the run,
 *  must outlive it.  On success *out is the caller's: replay_free(). */
enum status replay_new(struct replay **out, struct program *p, const struct replay_options *o,
                       struct err *e);

/** Accepts NULL. */
void replay_free(struct replay *r);

/** The replay as a driver with one actor a rank; @p host, by rank, must outlive it. */
struct driver replay_driver(struct replay *r, const uint32_t *host);

/** After the engine has stopped: fails if the run has failed (the error is in replay_new()'s @p e)
 *  or a message was never received.  A run that its watch stopped has not failed. */
enum status replay_finish(struct replay *r, struct err *e);

/** Has the run failed? */
bool replay_failed(const struct replay *r);

/** The number of ranks, and the figures of one, complete once it has ended. */
uint32_t replay_ranks(const struct replay *r);
const struct rank_result *replay_result(const struct replay *r, uint32_t rank);

/** After a deadlock, one line for each blocked rank, at most @p most; does nothing otherwise. */
void replay_print_blocked(const struct replay *r, uint32_t most, FILE *f);

#endif

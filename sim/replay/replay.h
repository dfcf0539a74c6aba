/** @file replay.h
 *  The driver of MPI programs: MPI's semantics as a state machine for each rank.  Pulls operations
 *  from a program, posts their messages (match.h), and returns the next step of a rank: compute,
 *  sleep, wait, yield or end.
 *
 *  Rules: src/smpi/mpi/smpi_request.cpp and src/smpi/internals/smpi_replay.cpp of SimGrid 3.32 with
 *  SMPI's defaults; docs/models.md lists them.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "sim/driver.h"
#include "traces/program/program.h"

struct effect_noise;
struct links;
struct platform;
struct timeline;
struct watch;

/** Answer of replay_loop.passed(): whether the rank skips iterations. */
struct replay_jump {
  bool jump;
  uint64_t to;    /**< the iteration to continue with, see trace_skip() */
  double sleep_s; /**< time that the rank sleeps first */
};

/** Observes the iterations of a program, and may skip some. */
struct replay_loop {
  void *state;
  /** Called at simulated time @p now_s when @p rank begins iteration @p iteration, or at the end of
   *  the last one (ACTION_MARK_END).  All ranks have to skip the same iterations. */
  struct replay_jump (*passed)(void *state, uint32_t rank, uint64_t iteration, double now_s);
};

struct replay_options {
  uint32_t job;         /**< index of the job */
  uint32_t first_rank;  /**< number of rank 0 in the outputs below */
  double compute_scale; /**< factor on EXEC and SLEEP; 0 leaves them out */
  double jitter; /**< each EXEC gets its own random factor, uniform in 1 - jitter to 1 + jitter */
  const struct effect_noise *noise; /**< of each EXEC; NULL: none */
  const uint32_t *host;             /**< by rank, for the noise */
  double per_flop;                  /**< memory traffic in bytes per flop of EXECs */
  uint64_t jitter_seed;             /**< of the jitter and the noise */
  uint64_t eager_threshold;         /**< smaller sends start at once; 0: option of the platform */
  /** The bytes added to the @p nth message of a rank to model a slower network.  Called with
   *  @p slowed, unless that is NULL. */
  uint64_t (*extra_bytes)(void *slowed, uint32_t src, uint32_t dst, uint64_t bytes, uint64_t nth);
  void *slowed;
  struct links *links;             /**< counts every message; may be NULL */
  struct timeline *timeline;       /**< receives the states of the ranks; may be NULL */
  struct watch *watch;             /**< may stop the run early (watch.h); may be NULL */
  const struct replay_loop *loop;  /**< may be NULL */
  const struct platform *platform; /**< its options: costs of calls; may be NULL */
};

/** The figures of one rank. */
struct rank_result {
  double end_s;      /**< simulated time of its end in s */
  double busy_s;     /**< time spent in EXEC and SLEEP in s */
  double flops;      /**< of finished EXECs */
  uint64_t messages; /**< sent */
  uint64_t bytes;    /**< sent: payload */
};

/** Random factor on computation @p nth of rank @p rank (numbered as in the outputs); independent of
 *  the order of events. */
double replay_jitter(const struct replay_options *o, uint32_t rank, uint64_t nth);

struct replay;

/** Creates a replay of @p p.  @p p, the outputs that @p o names, and @p e, which receives errors of
 *  the run, must outlive it.  The caller frees *out with replay_free(). */
enum status replay_new(struct replay **out, struct program *p, const struct replay_options *o,
                       struct err *e);

/** Accepts NULL. */
void replay_free(struct replay *r);

/** The replay as a driver with one actor per rank; @p host, by rank, must outlive it. */
struct driver replay_driver(struct replay *r, const uint32_t *host);

/** To be called after the engine has stopped.  Fails if the run has failed (the error is in @p e of
 *  replay_new()) or a message was never received.  A run that its watch stopped has not failed. */
enum status replay_finish(struct replay *r, struct err *e);

/** True if the run has failed. */
bool replay_failed(const struct replay *r);

/** The number of ranks; the figures of one rank, complete once it has ended. */
uint32_t replay_ranks(const struct replay *r);
const struct rank_result *replay_result(const struct replay *r, uint32_t rank);

/** After a deadlock, prints one line for each blocked rank, at most @p most.  Prints nothing if
 *  there was no deadlock. */
void replay_print_blocked(const struct replay *r, uint32_t most, FILE *f);

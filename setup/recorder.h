/** @file recorder.h
 *  Runs an MPI program with the recorder (record/) and completes the trace that it writes: a folder
 *  with one file per rank, and an index, which is written last.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "setup/counter.h"

struct recorder {
  const char *dir;              /**< the folder to create; an existing folder must be empty */
  char *const *command;         /**< the words of the command and NULL */
  double speed;                 /**< flops of one second of computation; > 0 */
  struct counter_event counter; /**< each event of computation is one flop; empty: no event */
  double least_s;               /**< shorter computations are added to the next one; 1 us stands
                                     for 1000 events */
  bool off;                     /**< recording starts with the first MPI_Pcontrol(1) */
  bool compress;                /**< compress the files of ranks with zstd while they are written */
};

/** Counts of a recorded program. */
struct recorded {
  uint32_t ranks;
  uint32_t cut;                   /**< number of ranks that did not reach MPI_Finalize */
  uint64_t messages, collectives; /**< sends and receives, and collectives, of all ranks */
  uint64_t one_sided, files;      /**< calls that count as computation */
};

/** Runs the command in the environment of the recorder, with the standard streams of this process.
 *  *status is its status, as of waitpid(). */
enum status recorder_run(const struct recorder *r, int *status, struct err *e);

/** Completes the trace in @p dir: checks that all ranks have a file, and writes the index.  Prints
 *  on @p f the last action of up to @p most ranks that did not reach MPI_Finalize.  Fails if the
 *  recorder refused the program, if it recorded nothing, and if a rank has no file.  @p own: the
 *  folder was made by recorder_run() just now, and is removed if the recorder refused the
 *  program. */
enum status recorder_finish(const char *dir, bool own, uint32_t most, FILE *f, struct recorded *out,
                            struct err *e);

/** Measures the speed of this processor, in flop/s, with a loop of multiplications and additions of
 *  doubles.  Takes 0.1 s. */
double recorder_speed(void);

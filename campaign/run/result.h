/** @file result.h
 *  Result of one run of a campaign.  It is printed as a row of results.tsv and a row of timings.tsv
 *  and saved in a file (store.h).  All three use one list of columns.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "mappers/metrics.h"
#include "setup/checksum.h"
#include "setup/tasknets.h"
#include "sim/sim.h"

enum run_status { RUN_OK, RUN_FAILED, RUN_TIMEOUT, RUN_STATUSES };

/** Output files of a run for plots, besides its result. */
enum run_extra {
  RUN_LINKS,  /**< link loads; only from the first seed of each mapper */
  RUN_MATRIX, /**< traffic; only from the first seed of the first mapper */
  RUN_EXTRAS
};

/** Suffix of the file name after the run's key (store.h): ".links.tsv" or ".matrix.tsv". */
const char *run_extra_suffix(enum run_extra extra);

/** Groups of columns, in the order of the tables. */
enum run_group {
  RUN_SIM,            /**< simulation of a trace */
  RUN_METRICS,        /**< metrics of the mapping; not on an opaque platform */
  RUN_MOVES,          /**< number of moved ranks, for mappers that move ranks */
  RUN_NETWORK,        /**< execution of a task network */
  RUN_LOAD,           /**< background load */
  RUN_OVERLAY,        /**< overlay */
  RUN_SPREAD,         /**< spread over the repetitions of a trace */
  RUN_NETWORK_SPREAD, /**< spread over the repetitions of a task network */
  RUN_TIMING,         /**< time and memory of the process */
  RUN_SCHEDULING,     /**< time of the scheduler of a task network */
  RUN_GROUPS
};

/** A set of groups is the bitwise or of RUN_BIT() of its groups. */
#define RUN_BIT(group) (1u << (group))

/** Spread of the times of several runs. */
struct run_spread {
  uint64_t repeats;     /**< number of runs */
  double sd_s;          /**< standard deviation */
  double low_s, high_s; /**< 95 % confidence interval of the mean */
};

struct run_result {
  enum run_status status;
  char reason[1024];      /**< one sentence, if the run is not ok */
  unsigned groups;        /**< groups of an ok run that have valid fields */
  struct sim_result sim;  /**< RUN_SIM; `background` is RUN_LOAD, `overlay` is RUN_OVERLAY */
  struct metrics metrics; /**< RUN_METRICS */
  uint64_t moved;         /**< RUN_MOVES: ranks moved from hosts that the mapper had overfilled */
  struct tasknets_result net;            /**< RUN_NETWORK */
  struct run_spread spread;              /**< RUN_SPREAD or RUN_NETWORK_SPREAD */
  char extra[RUN_EXTRAS][CHECKSUM_SIZE]; /**< checksums of the files of an ok run; "": no file */
  double timeout_s;                      /**< wall-clock limit of a timed-out run */
  uint64_t unpack_limit;                 /**< --unpack-limit of a failed run, in bytes */
  double wall_s, cpu_s;                  /**< of the worker process, mapping and metrics included */
  uint64_t max_rss_bytes;                /**< peak resident memory of the worker process */
};

/** Time of an ok run in s: the simulated time of a trace, the estimated time of a matrix, or the
 *  makespan of a network. */
double run_result_time(const struct run_result *r);

/** Sets *r to a failed run with @p reason, truncated if too long, and @p unpack_limit in bytes. */
void run_result_fail(struct run_result *r, const char *reason, uint64_t unpack_limit);

/** True if @p name is the name of a column of some group, or "status". */
bool run_result_has_column(const char *name);

/** Prints "status" and the names of the columns of these groups, without a newline. */
void run_result_print_header(unsigned groups, FILE *f);

/** Prints the values of these columns, "-" for a missing one, without a newline. */
void run_result_print_values(const struct run_result *r, unsigned groups, FILE *f);

/** Prints the reason of a run that is not ok, or "-". */
void run_result_print_reason(const struct run_result *r, FILE *f);

/** Result of a row of @p n runs: means of simulated values, and the spread of their times as group
 *  @p spread.  If any run is not ok, *out is a copy of the first such run. */
void run_result_mean(struct run_result *out, const struct run_result *r, size_t n,
                     enum run_group spread);

/** Prints "failed: REASON" or "timeout: REASON" of a run that is not ok. */
void run_result_print_failure(const struct run_result *r, FILE *f);

/** Writes lines "name<TAB>value", from which run_result_load() restores the result.  The status is
 *  the last line, so that a truncated file is recognised. */
void run_result_save(const struct run_result *r, FILE *f);

/** Parses one line of run_result_save(), without its newline, into *r.  Modifies @p line. */
enum status run_result_load(struct run_result *r, char *line, struct err *e);

/** @file result.h
 *  Result of one run of a campaign, printed as a row of results.tsv and of timings.tsv and saved in
 *  a file of its own (store.h).  One list of columns serves all three.
 */
#ifndef CAMPAIGN_RUN_RESULT_H
#define CAMPAIGN_RUN_RESULT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "campaign/checksum.h"
#include "campaign/tasknets.h"
#include "common/err.h"
#include "mappers/metrics.h"
#include "sim/sim.h"

enum run_status { RUN_OK, RUN_FAILED, RUN_TIMEOUT, RUN_STATUSES };

/** Output files of a run for plots, besides its result. */
enum run_extra {
  RUN_LINKS,  /**< link loads; from each mapper's first seed */
  RUN_MATRIX, /**< traffic; from the first mapper's first seed */
  RUN_EXTRAS
};

/** What the name of such a file ends with, after the run's key (store.h): ".links.tsv". */
const char *run_extra_suffix(enum run_extra extra);

/** Groups of columns, in the order in which tables have them. */
enum run_group {
  RUN_SIM,            /**< what the simulation of a trace says */
  RUN_METRICS,        /**< of its mapping; none on a platform that is opaque */
  RUN_MOVES,          /**< of mappers that move ranks */
  RUN_NETWORK,        /**< what the execution of a task network says */
  RUN_LOAD,           /**< of background load */
  RUN_OVERLAY,        /**< of an overlay */
  RUN_SPREAD,         /**< of several runs of a trace in a row */
  RUN_NETWORK_SPREAD, /**< of several runs of a task network in a row */
  RUN_TIMING,         /**< of the process */
  RUN_SCHEDULING,     /**< of the scheduler of a task network */
  RUN_GROUPS
};

/** A set of groups is a sum of these. */
#define RUN_BIT(group) (1u << (group))

/** Of the times of several runs. */
struct run_spread {
  uint64_t repeats;
  double sd_s;
  double low_s, high_s; /**< 95 % confidence interval of the mean */
};

struct run_result {
  enum run_status status;
  char reason[1024];          /**< why the run is not ok: one sentence */
  unsigned groups;            /**< of an ok run: those whose fields are valid */
  struct sim_result sim;      /**< RUN_SIM; of RUN_LOAD `background`, of RUN_OVERLAY `overlay` */
  struct metrics metrics;     /**< RUN_METRICS */
  uint64_t moved;             /**< RUN_MOVES: from hosts that the mapper gave too many */
  struct tasknets_result net; /**< RUN_NETWORK */
  struct run_spread spread;   /**< RUN_SPREAD or RUN_NETWORK_SPREAD */
  char extra[RUN_EXTRAS][CHECKSUM_SIZE]; /**< checksums of the files of an ok run; "": none */
  double timeout_s;                      /**< of a timed-out run: its limit */
  uint64_t unpack_limit;                 /**< of a failed run: its --unpack-limit in bytes */
  double wall_s, cpu_s;                  /**< of the worker process, mapping and metrics included */
  uint64_t max_rss_bytes;                /**< peak resident memory of the worker process */
};

/** The time that an ok run is about, in s: simulated, or the makespan of a network. */
double run_result_time(const struct run_result *r);

/** Sets *r to a failed run with that reason, truncated if too long, and --unpack-limit (bytes). */
void run_result_fail(struct run_result *r, const char *reason, uint64_t unpack_limit);

/** Is @p name the name of a column of some group, or "status"? */
bool run_result_has_column(const char *name);

/** Prints "status" and the names of the columns of these groups, without a newline. */
void run_result_print_header(unsigned groups, FILE *f);

/** Prints the values of these columns, "-" for a missing one, without a newline. */
void run_result_print_values(const struct run_result *r, unsigned groups, FILE *f);

/** Prints why a run is not ok; "-": it is. */
void run_result_print_reason(const struct run_result *r, FILE *f);

/** The result of a row of @p n runs: means of what was simulated, and their spread as the group @p
 *  spread; not ok, for its reason, if a run is not. */
void run_result_mean(struct run_result *out, const struct run_result *r, size_t n,
                     enum run_group spread);

/** Prints "failed: REASON" or "timeout: REASON" of a run that is not ok. */
void run_result_print_failure(const struct run_result *r, FILE *f);

/** Writes "name<TAB>value" lines that load back to the same result.  The status comes last, so that
 *  a truncated file is recognised. */
void run_result_save(const struct run_result *r, FILE *f);

/** Parses one of these lines, without its newline, into *r; modifies @p line. */
enum status run_result_load(struct run_result *r, char *line, struct err *e);

#endif

/** @file result.h
 *  Result of one run of a campaign, printed as a row of results.tsv and of timings.tsv and saved in
 *  a file of its own (store.h).  One list of columns serves all three.
 */
#ifndef CAMPAIGN_RUN_RESULT_H
#define CAMPAIGN_RUN_RESULT_H

#include <stdint.h>
#include <stdio.h>

#include "campaign/checksum.h"
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

/** Of the simulated times of several runs. */
struct run_spread {
  uint64_t repeats;
  double sd_s;
  double low_s, high_s; /**< 95 % confidence interval of the mean */
};

struct run_result {
  enum run_status status;
  char reason[1024];        /**< why the run is not ok: one sentence */
  struct sim_result sim;    /**< of an ok run */
  struct run_spread spread; /**< of several ok runs */
  bool scored;     /**< of an ok run: `metrics` are valid (needs a platform that is not opaque) */
  bool overfilled; /**< of an ok run: `moved` is valid, the mapper being one that moves ranks */
  uint64_t moved;  /**< ranks moved from hosts that the mapper gave too many */
  bool loaded;     /**< of an ok run: there is background load, and sim.background is valid */
  bool relayed;    /**< of an ok run: it has an overlay, and sim.overlay is valid */
  struct metrics metrics;                /**< if scored */
  char extra[RUN_EXTRAS][CHECKSUM_SIZE]; /**< checksums of the files of an ok run; "": none */
  double timeout_s;                      /**< of a timed-out run: its limit */
  uint64_t unpack_limit;                 /**< of a failed run: its --unpack-limit in bytes */
  double wall_s, cpu_s;                  /**< of the worker process, mapping and metrics included */
  uint64_t max_rss_bytes;                /**< peak resident memory of the worker process */
};

/** Sets *r to a failed run with that reason, truncated if too long, and --unpack-limit (bytes). */
void run_result_fail(struct run_result *r, const char *reason, uint64_t unpack_limit);

/** Groups of columns that not every results.tsv has. */
struct run_columns {
  bool load;    /**< of background load */
  bool overlay; /**< of an overlay */
  bool spread;  /**< of several runs a row */
  bool moved;   /**< of mappers that move ranks */
};

/** Prints "status<TAB>simulated_time_s<TAB>...", the columns of results.tsv after those that
 *  name the run, without a newline. */
void run_result_print_header(struct run_columns columns, FILE *f);

/** Prints the values of these columns, "-" for a missing one, without a newline. */
void run_result_print_row(const struct run_result *r, struct run_columns columns, FILE *f);

/** The result of a row of @p n runs: means of what was simulated, and their spread; not ok, for its
 *  reason, if a run is not. */
void run_result_mean(struct run_result *out, const struct run_result *r, size_t n);

/** Prints "failed: REASON" or "timeout: REASON" of a run that is not ok. */
void run_result_print_failure(const struct run_result *r, FILE *f);

/** The same two functions for the columns of timings.tsv. */
void run_result_print_timing_header(FILE *f);
void run_result_print_timing(const struct run_result *r, FILE *f);

/** Writes "name<TAB>value" lines that load back to the same result.  The status comes last, so that
 *  a truncated file is recognised. */
void run_result_save(const struct run_result *r, FILE *f);

/** Parses one of these lines, without its newline, into *r; modifies @p line. */
enum status run_result_load(struct run_result *r, char *line, struct err *e);

#endif

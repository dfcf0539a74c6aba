/** @file run_result.h
 *  What became of one run of a campaign: a row of results.tsv and of timings.tsv, and a file of
 *  its own (run_store.h).  One table of columns serves all three.
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

/** What a run can leave besides its result. */
enum run_extra {
  RUN_LINKS,  /**< link loads: that of its mapper's first seed */
  RUN_MATRIX, /**< traffic: that of the first mapper's first seed */
  RUN_EXTRAS
};

struct run_result {
  enum run_status status;
  char reason[1024];                     /**< of a run that is not ok: one sentence */
  struct sim_result sim;                 /**< of an ok run */
  bool scored;                           /**< of an ok run: the platform has a topology */
  struct metrics metrics;                /**< if scored */
  char extra[RUN_EXTRAS][CHECKSUM_SIZE]; /**< of what an ok run has left; "" if it has not */
  double timeout_s;                      /**< of a timeout: the limit */
  uint64_t unpack_limit;                 /**< of a failure: the limit, in bytes, it may be due to */
  double wall_s, cpu_s;                  /**< of the process, mapping and metrics included */
  uint64_t max_rss_bytes;                /**< of the process */
};

/** A failed run of that reason, under that --unpack-limit. */
void run_result_fail(struct run_result *r, const char *reason, uint64_t unpack_limit);

/** "status<TAB>simulated_time_s<TAB>...": the columns of results.tsv after those that name the
 *  run; and those of @p r, "-" where there is no value.  Without a newline. */
void run_result_print_header(FILE *f);
void run_result_print_row(const struct run_result *r, FILE *f);

/** Of a run that is not ok: "failed: REASON". */
void run_result_print_failure(const struct run_result *r, FILE *f);

/** The same for timings.tsv. */
void run_result_print_timing_header(FILE *f);
void run_result_print_timing(const struct run_result *r, FILE *f);

/** "name<TAB>value" lines of all that is known, which read back to the same; the status comes last:
 *  what lacks it was cut off. */
void run_result_save(const struct run_result *r, FILE *f);

/** Takes one line of these, without its newline, apart (@p line is changed). */
enum status run_result_load(struct run_result *r, char *line, struct err *e);

#endif

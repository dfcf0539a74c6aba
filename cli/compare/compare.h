/** @file compare.h
 *  Private to the parts of `haichi compare`.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "campaign/campaign.h"
#include "campaign/remote/remote.h"
#include "common/err.h"
#include "plots/plot.h"

/** Parsed arguments of the command. */
struct compare_args {
  struct plan_words machine[MACHINE_OPTIONS]; /**< platforms and swept options; owned */
  const char *output, *baseline;
  const char *status; /**< folder of --status; NULL: not given */
  struct plan_words traces, matrices, mappers, networks, schedulers, loads, steals;
  struct plan_words *open; /**< the list that takes the next operand; NULL: none yet */
  uint32_t jobs;           /**< 0: not given */
  uint32_t repeats;
  uint64_t seed, audit;
  double timeout_s;
  bool retry_failed, overwrite, no_plots, explain;
  const char *format[PLOT_MOST_FORMATS + 1]; /**< formats of pictures, NULL-terminated */
  struct settings settings;
  struct matrix_reading matrix; /**< of `matrices` */
  struct tasknets_options tasknets;
  const struct sim_model *model;          /**< --model of traces; NULL: not given */
  const struct sim_model *network_model;  /**< --network-model; NULL: not given */
  const struct tasknets_model *execution; /**< --model of networks; NULL: not given */
  struct remote_args remote; /**< back end NULL: the runs are executed on this machine */
};

/** Parses @p argv, which it changes; on bad usage, prints an error and exits.  Free *a with
 *  compare_args_clear(). */
void compare_args_parse(struct compare_args *a, int argc, char **argv);

void compare_args_clear(struct compare_args *a);

/** Arguments for plan_make().  @p needed is the field of struct plan_args. */
struct plan_args compare_args_plan(const struct compare_args *a, const bool *needed);

struct campaign_args compare_args_campaign(const struct compare_args *a, const struct plan *p,
                                           const struct audit *audit);

/** Removes explained.tsv of an earlier command.  With --explain, writes a new one: a row for each
 *  subject whose run with the baseline succeeded, which explains why the fastest mapping is faster
 *  than the baseline.  @p ok: success by run of the plan. */
enum status compare_explain(const struct compare_args *a, const struct campaign_args *c,
                            const bool *ok, struct err *e);

/** haichi compare --run-task SUBMISSION N: executes the runs of one task of a back end, with the
 *  arguments of the command that submitted it.  Returns an exit code. */
int compare_task(const char *submission, const char *number);

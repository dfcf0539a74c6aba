/** @file state.h
 *  State of a running campaign: its finished items and its tables.  Shared by local.h, which
 *  executes items on this machine, and remote/, which executes them on others.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "campaign/campaign.h"
#include "campaign/progress.h"
#include "campaign/results/rows.h"
#include "common/err.h"

struct campaign {
  const struct campaign_args *args;
  char *runs;                /**< path of the folder of stored results */
  bool *done;                /**< by item */
  struct run_result *result; /**< by item, once done */
  bool shared;  /**< submissions of earlier commands may be storing results in the folder */
  bool created; /**< this command creates the folder */
  bool refused; /**< a submission failed */
  int lock;     /**< descriptor of the lock file; -1: none */
  struct remote_job *job; /**< submissions that may still be running; freed by remote_forget() */
  size_t jobs, job_room;
  size_t finished; /**< number of done items */
  struct rows *rows;
  struct progress *progress;
  struct campaign_outcome outcome;
};

/** Marks item @p i as done and writes the rows that are ready.  Its result is in c->result. */
enum status state_finish(struct campaign *c, size_t i, struct err *e);

/** Calls state_finish() for an item that this command executed, in @p wall_s seconds. */
enum status state_made(struct campaign *c, size_t i, double wall_s, struct err *e);

/** Draws the progress line: @p running items are being executed, at most @p most in parallel. */
void state_draw(struct campaign *c, uint32_t running, uint32_t most);

/** @file state.h
 *  A campaign at work: which items are done, and the tables that grow with them.  Shared by those
 *  who have items made: local.h on this machine, remote/ on others.
 */
#ifndef CAMPAIGN_STATE_H
#define CAMPAIGN_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "campaign/campaign.h"
#include "campaign/progress.h"
#include "campaign/rows.h"
#include "common/err.h"

struct campaign {
  const struct campaign_args *args;
  char *runs; /**< the folder of results */
  bool *done; /**< by item */
  struct run_result *result;
  bool shared;  /**< others may be storing results in the folder: `submissions` are open */
  bool created; /**< the folder was not there before */
  bool refused; /**< nothing was submitted, since it was refused */
  int lock;     /**< descriptor; -1: none */
  struct remote_job *job; /**< what was submitted and may still be at work; remote_forget() */
  size_t jobs, job_room;
  size_t finished;
  struct rows *rows;
  struct progress *progress;
  struct campaign_outcome outcome;
};

/** Item @p i is done, its result in place: writes the rows that are ready. */
enum status state_finish(struct campaign *c, size_t i, struct err *e);

/** The same for one that was made now, in @p wall_s seconds. */
enum status state_made(struct campaign *c, size_t i, double wall_s, struct err *e);

/** Draws the progress line; @p running items are being made, @p most at a time. */
void state_draw(struct campaign *c, uint32_t running, uint32_t most);

#endif

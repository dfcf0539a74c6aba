/** @file remote.h
 *  Executes the items of a campaign on other machines: submits them to a back end, polls the back
 *  end, reads results from the campaign's folder, and submits lost items again.  Results are files
 *  named by the identity of the run (run/store.h) and put in place by a rename, so any machine may
 *  execute an item, even repeatedly.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "campaign/remote/backend.h"
#include "campaign/remote/submission.h"
#include "campaign/state.h"
#include "common/err.h"

struct remote_args {
  struct backend_spec on;        /**< value of --on */
  uint32_t chunk;                /**< items per task; 0: chosen to take about a minute */
  bool detach;                   /**< return after submitting the items */
  struct submission_words words; /**< the command, which the tasks parse again */
};

/** A submission that may still be running. */
struct remote_job {
  struct submission submission;
  const struct backend *backend;
  struct backend_handle handle;
  struct backend_view view; /**< result of the last poll */
  double silent_since_s; /**< machine_seconds() of the first poll without an answer; 0: the back end
                            answers */
  bool ended;            /**< all its tasks have ended */
};

/** Finds the submissions of earlier commands that are still running, and removes the other ones.
 *  Sets c->shared if any is running. */
enum status remote_look(struct campaign *c, struct err *e);

/** Frees the memory of all submissions, without cancelling them. */
void remote_forget(struct campaign *c);

/** Executes all items that are not done.  Afterwards cancels the jobs that have not ended within 5
 *  s after the last result, and removes their submissions.  On failure, or if SIGINT, SIGTERM,
 *  SIGHUP or SIGQUIT ends the process, cancels all jobs at once, unless the back end does not
 *  answer. */
enum status remote_make(struct campaign *c, struct err *e);

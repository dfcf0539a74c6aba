/** @file remote.h
 *  Has the items of a campaign made on other machines: submits them to a back end, follows them,
 *  takes their results from the campaign's folder, and submits again what was lost.  Results are
 *  files named by what they depend on (run/store.h), put in place by a rename: who makes an item,
 *  where, and how often makes no difference.
 */
#ifndef CAMPAIGN_REMOTE_REMOTE_H
#define CAMPAIGN_REMOTE_REMOTE_H

#include <stdbool.h>
#include <stdint.h>

#include "campaign/remote/backend.h"
#include "campaign/remote/submission.h"
#include "campaign/state.h"
#include "common/err.h"

struct remote_args {
  struct backend_spec on;
  uint32_t chunk;                /**< items of a task; 0: as many as take about a minute */
  bool detach;                   /**< return once they are submitted */
  struct submission_words words; /**< the command, for the tasks */
};

/** A submission that may still be at work. */
struct remote_job {
  struct submission submission;
  const struct backend *backend;
  struct backend_handle handle;
  struct backend_view view; /**< of the last time it was asked for */
  double silent_since_s;    /**< on machine_seconds(); 0: it answers */
  bool over;
};

/** Finds the submissions of earlier commands that are still at work, and removes the others'.
 *  c->shared says whether there are any. */
enum status remote_look(struct campaign *c, struct err *e);

/** Lets go of what remote_look() and remote_make() keep of submissions. */
void remote_forget(struct campaign *c);

/** Has all items made that are not done.  When it fails, or SIGINT, SIGTERM, SIGHUP or SIGQUIT ends
 *  the process, the submissions are cancelled, unless the back end gives no answer. */
enum status remote_make(struct campaign *c, struct err *e);

#endif

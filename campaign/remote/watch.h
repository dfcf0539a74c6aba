/** @file watch.h
 *  Follows submissions: reads results as they appear in the campaign's folder, and polls the back
 *  ends for the state of their jobs.
 */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "campaign/remote/remote.h"
#include "campaign/state.h"
#include "common/containers/index.h"
#include "common/err.h"
#include "setup/checksum.h"

/** An item that was not done when the watch began. */
struct watch_item {
  size_t item;
  const char *by; /**< path of the submission that has the item; NULL: none */
  char key[CHECKSUM_SIZE];
};

struct watch {
  struct campaign *c;
  struct watch_item *item; /**< in the order of the items */
  size_t items;
  struct index index;     /**< by key */
  bool early;             /**< return before a job has ended that lost items, see watch_jobs() */
  bool lost;              /**< there are lost items that no job has */
  enum backend_loss loss; /**< greatest value among the jobs that lost items */
  bool silent;            /**< watch_jobs() failed because a back end does not answer */
  char message[1024];     /**< last message about lost items; "": none */
};

/** Lists the items that are not done.  Free *w with watch_close(). */
enum status watch_open(struct watch *w, struct campaign *c, struct err *e);

/** Accepts a zeroed struct. */
void watch_close(struct watch *w);

/** Records that the items of the job's submission belong to this job. */
void watch_job(struct watch *w, const struct remote_job *job);

/** Waits until all items are done, all jobs have ended, or, with `early`, items are lost for no
 *  stated reason (BACKEND_LOST) and at most one job is waiting or running.  Undone items of a
 *  finished job or task then belong to no job; `loss` and `message` tell why.  Also returns if one
 *  of @p signals, which are blocked, arrives: *number is the signal, or 0. */
enum status watch_jobs(struct watch *w, const sigset_t *signals, int *number, struct err *e);

/** True if the job had items and executed none of them while it was watched. */
bool watch_in_vain(const struct watch *w, const struct remote_job *job);

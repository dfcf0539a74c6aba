/** @file watch.h
 *  Follows submissions: takes results as they appear in the campaign's folder, and asks the back
 * ends how their jobs are.
 */
#ifndef CAMPAIGN_REMOTE_WATCH_H
#define CAMPAIGN_REMOTE_WATCH_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "campaign/checksum.h"
#include "campaign/remote/remote.h"
#include "campaign/state.h"
#include "common/err.h"
#include "common/index.h"

/** An item that was not done when the watch began. */
struct watch_item {
  size_t item;
  const char *by; /**< path of the submission that is to make it; NULL: none */
  char key[CHECKSUM_SIZE];
};

struct watch {
  struct campaign *c;
  struct watch_item *item; /**< in the order of the items */
  size_t items;
  struct index index; /**< by key */
  bool early;         /**< items that are lost are not to wait for the end of their job */
  bool lost;          /**< there are such that no job has */
  enum backend_loss loss;
  bool silent;     /**< it failed since a back end gives no answer */
  char says[1024]; /**< what was heard last of items that were lost; "": nothing */
};

/** Lists the items that are not done.  The caller's: watch_close(). */
enum status watch_open(struct watch *w, struct campaign *c, struct err *e);

/** Accepts a zeroed watch. */
void watch_close(struct watch *w);

/** Notes that the job has its items. */
void watch_job(struct watch *w, const struct remote_job *job);

/** Waits until all items are done or all jobs are over; with `early`, or until items are lost while
 *  at most one job is at work.  No job has what a job or a task that is over leaves undone, and
 *  `loss` and `says` tell why.  *number is the signal that came meanwhile, of those in @p signals,
 *  which are blocked; 0: none. */
enum status watch_jobs(struct watch *w, const sigset_t *signals, int *number, struct err *e);

/** Had the job items to make, and made none while it was watched? */
bool watch_in_vain(const struct watch *w, const struct remote_job *job);

#endif

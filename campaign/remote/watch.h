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
  bool sent; /**< a job that is not over has it */
  char key[CHECKSUM_SIZE];
};

struct watch {
  struct campaign *c;
  struct watch_item *item; /**< in the order of the items */
  size_t items;
  struct index index; /**< by key */
  enum backend_loss loss;
  bool silent;     /**< it failed since a back end gives no answer */
  char says[1024]; /**< what was heard last of items that were lost; "": nothing */
};

/** Lists the items that are not done.  The caller's: watch_close(). */
enum status watch_open(struct watch *w, struct campaign *c, struct err *e);

/** Accepts a zeroed watch. */
void watch_close(struct watch *w);

/** Marks the items of a job as sent; the others' results are not awaited. */
void watch_job(struct watch *w, const struct remote_job *job);

/** Waits until all items are done or all jobs are over.  Of items that a job that is over leaves
 *  undone, `sent` is false, and `loss` and `says` tell why.  *number is the signal that came
 *  meanwhile, of those in @p signals, which are blocked; 0: none. */
enum status watch_jobs(struct watch *w, const sigset_t *signals, int *number, struct err *e);

#endif

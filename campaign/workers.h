/** @file workers.h
 *  Functions that run in processes of their own, some at a time: what crashes there, runs too long
 *  or needs a fresh SimGrid leaves the others alone.  They all die with the parent, and stop and go
 *  on with it: from workers_new() to workers_free() it takes a SIGTSTP in workers_wait().
 */
#ifndef CAMPAIGN_WORKERS_H
#define CAMPAIGN_WORKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

struct workers;

/** How a worker ended. */
struct worker_end {
  size_t id;    /**< as given to workers_start() */
  bool timeout; /**< it was killed because its time was over */
  int signal;   /**< that killed it otherwise, or 0 */
  int code;     /**< its exit code, if no signal did */
  double wall_s;
  double cpu_s; /**< of the process */
  uint64_t max_rss_bytes;
  char says[512]; /**< the first line that it wrote on standard error, "" if none */
};

/** Runs in the child; its value is the exit code. */
typedef int worker_fn(void *arg);

/** At most @p most at a time, and no more than leave some files to be opened (RLIMIT_NOFILE), each
 *  for at most @p timeout_s seconds (0: any) besides those in which they were stopped.  The
 *  caller's: workers_free(). */
enum status workers_new(struct workers **out, uint32_t most, double timeout_s, struct err *e);

/** Kills those that still run.  Accepts NULL. */
void workers_free(struct workers *w);

/** How many it runs at a time; less than what was asked for when the system has no room. */
uint32_t workers_most(const struct workers *w);

uint32_t workers_running(const struct workers *w);
bool workers_full(const struct workers *w);

/** Standard output of the child goes nowhere.  Where the system has no room for one more process
 *  beside those that run, *started is false, and no more than these run at a time from then on. */
enum status workers_start(struct workers *w, size_t id, worker_fn *fn, void *arg, bool *started,
                          struct err *e);

/** Waits at most @p seconds until a worker ends; *ended says whether one has. */
enum status workers_wait(struct workers *w, double seconds, struct worker_end *end, bool *ended,
                         struct err *e);

#endif

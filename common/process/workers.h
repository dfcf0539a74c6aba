/** @file workers.h
 *  Worker processes, a limited number in parallel.  Each runs one function, so that a crash, a
 *  timeout or SimGrid's global state does not affect other workers.  Workers end with the parent,
 *  and are stopped and continued with it: from workers_new() to workers_free(), SIGTSTP is blocked
 *  and handled by workers_wait().
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

struct workers;

/** How a worker ended. */
struct worker_end {
  size_t id;     /**< as given to workers_start() */
  bool timeout;  /**< it was killed at its time limit */
  int signal;    /**< signal that ended it; 0: none */
  int code;      /**< its exit code if no signal ended it */
  double wall_s; /**< without the time during which it was stopped */
  double cpu_s;
  uint64_t max_rss_bytes;
  char message[512]; /**< first line of its standard error, truncated; "": none */
};

/** Function that runs in the worker and returns its exit code. */
typedef int worker_fn(void *arg);

/** Allows at most @p most workers in parallel, fewer if RLIMIT_NOFILE would leave no spare file
 *  descriptors.  A worker is killed after @p timeout_s seconds of wall time (0: no limit), not
 *  counting the time during which it is stopped.  Free *out with workers_free(). */
enum status workers_new(struct workers **out, uint32_t most, double timeout_s, struct err *e);

/** Kills the workers that still run and frees @p w.  Accepts NULL. */
void workers_free(struct workers *w);

/** Current limit on parallel workers; it drops if the system cannot start more. */
uint32_t workers_most(const struct workers *w);

/** Number of workers started and not yet reported by workers_wait(). */
uint32_t workers_running(const struct workers *w);

/** True if the limit is reached. */
bool workers_full(const struct workers *w);

/** Forks a child that runs @p fn; call it only if not full.  The child's standard output is
 *  discarded.  If the start fails while other workers run, returns OK with *started false and the
 *  reason in @p e, and lowers the limit to the number of running workers. */
enum status workers_start(struct workers *w, size_t id, worker_fn *fn, void *arg, bool *started,
                          struct err *e);

/** Waits at most @p seconds for a worker to end and enforces time limits.  *ended is false if none
 *  has ended; the call may then return before the time is over. */
enum status workers_wait(struct workers *w, double seconds, struct worker_end *end, bool *ended,
                         struct err *e);

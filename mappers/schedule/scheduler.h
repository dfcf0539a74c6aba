/** @file scheduler.h
 *  The registry of schedulers: each is one file and one row of the list in scheduler.c.  Schedulers
 *  know the network and the farm of hosts, but neither load nor engine.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "common/registry.h"
#include "common/spec.h"
#include "mappers/schedule/schedule.h"
#include "tasks/hosts.h"
#include "tasks/tasknet.h"
#include "tasks/timing/farm.h"

/** Maximum size of a record of options, in bytes. */
#define SCHEDULER_RECORD 64

struct scheduler;

/** A search that the caller watches and may stop.  The result of a stopped search is the best
 *  schedule found. */
struct scheduler_search {
  double seconds; /**< CPU time limit; 0: none */
  /** Called at least every 16 partial schedules while `running`, and once after the search.  The
   *  search stops if watch() returns false. */
  bool (*watch)(struct scheduler_search *s);
  /* Set by a scheduler that `searches`: */
  bool running;
  uint64_t nodes;      /**< partial schedules examined */
  double best_s;       /**< makespan of the best schedule found */
  double bound_s;      /**< lower bound of the makespan of all schedules */
  const char *stopped; /**< reason for the stop; NULL: the schedule is proven to be the best */
};

struct scheduler_input {
  const struct tasknet *net;
  const struct farm *farm;
  const struct hosts *hosts; /**< hierarchy; its leaves are the classes of the farm, in order */
  struct scheduler_search *search; /**< NULL: a scheduler that `searches` fails unless it proves its
                                        schedule */
  /* Set by scheduler_run() and scheduler_order(): */
  const struct scheduler *scheduler;
  const void *options; /**< the record that the scheduler's options have set */
};

struct scheduler {
  const char *name;
  const char *help; /**< one line */
  /** Options, of a record of at most SCHEDULER_RECORD bytes; NULL: none. */
  const struct spec_option *options;
  int variant;   /**< distinguishes rows with the same function */
  bool searches; /**< uses scheduler_input.search */
  /** Writes the host of each element to @p host, and all elements to @p order, producers before
   *  consumers; each host runs its elements in this order. */
  enum status (*run)(const struct scheduler_input *in, uint32_t *host, uint32_t *order,
                     struct err *e);
};

/** Rows are struct scheduler. */
extern const struct registry schedulers;

/** Checks a spec, for example "hierarchical" or "best:tries=100".  Sets *out to the scheduler. */
enum status scheduler_check(const char *spec, const struct scheduler **out, struct err *e);

/** Runs the scheduler of @p spec and computes the dates of the schedule.  On success the caller
 *  frees @p out with schedule_clear(). */
enum status scheduler_run(const char *spec, const struct scheduler_input *in, struct schedule *out,
                          struct err *e);

/** Runs the scheduler of @p spec without computing dates, for schedulers that start from its
 *  result.  @p host and @p order are written as by scheduler.run. */
enum status scheduler_order(const char *spec, const struct scheduler_input *in, uint32_t *host,
                            uint32_t *order, struct err *e);

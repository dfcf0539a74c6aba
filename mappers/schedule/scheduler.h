/** @file scheduler.h
 *  The registry of schedulers: each is one file and one row of the table in scheduler.c.
 *  Schedulers know the network and the farm of hosts, but neither load nor engine.
 */
#ifndef MAPPERS_SCHEDULE_SCHEDULER_H
#define MAPPERS_SCHEDULE_SCHEDULER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "common/registry.h"
#include "mappers/schedule/schedule.h"
#include "tasks/hosts.h"
#include "tasks/tasknet.h"
#include "tasks/timing/farm.h"

#define SCHEDULER_MAX_OPTIONS 8

struct scheduler_option {
  const char *name;          /**< NULL ends the list */
  const char *default_value; /**< as text */
  const char *help;          /**< one line */
};

/** A search that the caller watches and may stop.  The result is then the best schedule found. */
struct scheduler_search {
  double seconds; /**< CPU time limit; 0: none */
  /** Called every 16 partial schedules while `running`, and once after the search; false stops
   *  it. */
  bool (*watch)(struct scheduler_search *s);
  /* Set by the scheduler: */
  bool running;
  uint64_t nodes;      /**< partial schedules examined */
  double best_s;       /**< makespan of the best schedule found */
  double bound_s;      /**< lower bound of the makespan of all schedules */
  const char *stopped; /**< reason for the stop; NULL: the schedule is proven */
};

struct scheduler_input {
  const struct tasknet *net;
  const struct farm *farm;
  const struct hosts *hosts; /**< hierarchy; its leaves are the classes of the farm, in order */
  struct scheduler_search *search; /**< NULL: a search fails if it proves nothing */
};

/** The values of the options of the row, as text, in the row's order. */
struct scheduler_values {
  const char *value[SCHEDULER_MAX_OPTIONS];
};

struct scheduler {
  const char *name;
  const char *help; /**< one line */
  const struct scheduler_option *options;
  bool searches; /**< uses scheduler_input.search */
  /** Writes the host of each element to @p host, and all elements to @p order, producers before
   *  consumers; each host runs its elements in this order. */
  enum status (*run)(const struct scheduler_input *in, const struct scheduler_values *values,
                     uint32_t *host, uint32_t *order, struct err *e);
};

/** Entries are struct scheduler. */
extern const struct registry schedulers;

/** Checks a spec, for example "hierarchical" or "best:tries=100": the name and the names of the
 *  options.  Sets *out to the scheduler unless @p out is NULL. */
enum status scheduler_check(const char *spec, const struct scheduler **out, struct err *e);

/** Runs the scheduler of @p spec and computes the dates of the schedule.  On success the caller
 *  frees @p out with schedule_clear(). */
enum status scheduler_run(const char *spec, const struct scheduler_input *in, struct schedule *out,
                          struct err *e);

/** Runs the scheduler of @p spec, for other schedulers that start from its result; @p host and
 *  @p order as in struct scheduler. */
enum status scheduler_order(const char *spec, const struct scheduler_input *in, uint32_t *host,
                            uint32_t *order, struct err *e);

#endif

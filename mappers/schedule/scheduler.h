/** @file scheduler.h
 *  The registry of schedulers: each is one file and one row of the table in scheduler.c.  They know
 *  the network and the farm of hosts, no load and no engine.
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

/** A search that its caller watches and may stop.  Its schedule is then the best one found. */
struct scheduler_search {
  double seconds; /**< CPU time after which it stops; 0: no limit */
  /** Called every 16 partial schedules while `running`, and once after it; false stops the search.
   */
  bool (*watch)(struct scheduler_search *s);
  /* set by the scheduler: */
  bool running;
  uint64_t nodes;      /**< partial schedules looked at */
  double best_s;       /**< makespan of the best schedule found */
  double bound_s;      /**< no schedule takes less */
  const char *stopped; /**< by what; NULL: the schedule is proven */
};

struct scheduler_input {
  const struct tasknet *net;
  const struct farm *farm;
  const struct hosts *hosts; /**< the hierarchy that the farm's classes are leaves of, in order */
  struct scheduler_search *search; /**< NULL: a search that proves nothing is an error */
};

/** The value, as text, of each option of the row, in the row's order. */
struct scheduler_values {
  const char *value[SCHEDULER_MAX_OPTIONS];
};

struct scheduler {
  const char *name;
  const char *help; /**< one line */
  const struct scheduler_option *options;
  bool searches; /**< it uses scheduler_input.search */
  /** Writes a host for each element, and an order of all elements in which producers come before
   *  consumers; each host runs its elements in it. */
  enum status (*run)(const struct scheduler_input *in, const struct scheduler_values *values,
                     uint32_t *host, uint32_t *order, struct err *e);
};

/** Of struct scheduler. */
extern const struct registry schedulers;

/** Checks a spec, as "hierarchical" or "best:tries=100": its name and the names of its options.
 *  *out is its row; @p out NULL: not wanted. */
enum status scheduler_check(const char *spec, const struct scheduler **out, struct err *e);

/** Schedules by the scheduler of @p spec.  The schedule is dated; on success the caller's:
 *  schedule_clear(). */
enum status scheduler_run(const char *spec, const struct scheduler_input *in, struct schedule *out,
                          struct err *e);

/** Runs the scheduler of @p spec, for others that begin with what it finds; @p host and @p order as
 *  of struct scheduler. */
enum status scheduler_order(const char *spec, const struct scheduler_input *in, uint32_t *host,
                            uint32_t *order, struct err *e);

#endif

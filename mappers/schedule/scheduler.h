/** @file scheduler.h
 *  The registry of schedulers: each is one file and one row of the table in scheduler.c.  They know
 *  the network and the farm of hosts, no load and no engine.
 */
#ifndef MAPPERS_SCHEDULE_SCHEDULER_H
#define MAPPERS_SCHEDULE_SCHEDULER_H

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

struct scheduler_input {
  const struct tasknet *net;
  const struct farm *farm;
  const struct hosts *hosts; /**< the hierarchy that the farm's classes are leaves of, in order */
};

/** The value, as text, of each option of the row, in the row's order. */
struct scheduler_values {
  const char *value[SCHEDULER_MAX_OPTIONS];
};

struct scheduler {
  const char *name;
  const char *help; /**< one line */
  const struct scheduler_option *options;
  /** Writes a host for each element, and an order of all elements in which producers come before
   *  consumers; each host runs its elements in it. */
  enum status (*run)(const struct scheduler_input *in, const struct scheduler_values *values,
                     uint32_t *host, uint32_t *order, struct err *e);
};

/** Of struct scheduler. */
extern const struct registry schedulers;

/** Checks a spec, as "hierarchical" or "best:tries=100": its name and the names of its options. */
enum status scheduler_check(const char *spec, struct err *e);

/** Schedules by the scheduler of @p spec.  The schedule is dated; on success the caller's:
 *  schedule_clear(). */
enum status scheduler_run(const char *spec, const struct scheduler_input *in, struct schedule *out,
                          struct err *e);

/** Runs the scheduler of @p spec, for others that begin with what it finds; @p host and @p order as
 *  of struct scheduler. */
enum status scheduler_order(const char *spec, const struct scheduler_input *in, uint32_t *host,
                            uint32_t *order, struct err *e);

#endif

/** @file tasknets.h
 *  One task network on one platform: scheduled, or with a schedule from a file, and executed.
 */
#ifndef CAMPAIGN_TASKNETS_H
#define CAMPAIGN_TASKNETS_H

#include <stdint.h>
#include <stdio.h>

#include "common/column.h"
#include "common/err.h"
#include "common/registry.h"
#include "common/report.h"
#include "mappers/schedule/scheduler.h"
#include "sim/load/load.h"
#include "sim/model.h"
#include "sim/output/timeline.h"
#include "sim/tasknet/abstract.h"

/** How networks are executed. */
struct tasknets_model {
  const char *name;
  const char *help;
  const char *engine; /**< its name; NULL: the abstract model */
};

/** Of struct tasknets_model. */
extern const struct registry tasknets_models;

/** What a cost of 1 stands for where neither the user nor the network says. */
#define TASKNETS_WORK 1e9
#define TASKNETS_DATA 1e6

/** What is run, and how; all text is the caller's. */
struct tasknets_options {
  const char *network;             /**< a file or a spec */
  const struct tasknet *net;       /**< the network, if it is open; NULL: `network` is opened */
  const char *platform;            /**< a file or a spec */
  const struct platform *on;       /**< the platform, if it is open; NULL: `platform` is opened */
  uint32_t cores;                  /**< of the hosts of a platform that is a spec; 0: 1 */
  const char *scheduler;           /**< a spec; NULL: `schedule` is read */
  const char *schedule;            /**< a file */
  struct scheduler_search *search; /**< of a scheduler that searches; NULL: it has to prove */
  const char *output;              /**< file for the schedule; NULL: none */
  const struct tasknets_model *model;
  const struct sim_model *links;        /**< network model of an engine */
  double precision_s, maxmin_precision; /**< as in struct engine_config */
  const struct steal_policy *steal;
  struct load_specs loads;
  struct tasknet_units units; /**< 0: those of the network, or TASKNETS_WORK and TASKNETS_DATA */
  uint64_t seed;              /**< of stealing; added to the seeds of loads */

  /* Files to write (sim/tasknet/record.h); NULL: none. */
  const char *per_task, *per_host, *timeline;
  const struct timeline_format *timeline_format;
  FILE *gantt; /**< open: the timeline as CSV */
};

/** How it went. */
struct tasknets_result {
  uint32_t tasks, hosts;
  double makespan_s;
  double expected_s; /**< without load or stealing */
  double use;        /**< work / (speed of all hosts * makespan) */
  double speedup;    /**< time of all work on one fastest host / makespan */
  uint64_t steals, stolen;
  bool loaded;              /**< there was load, on an engine: */
  struct load_figures load; /**< what it took */
  double scheduling_s;      /**< CPU time */
  double bound_s;           /**< no schedule is expected to take less; 0: not known */
};

/** The columns of a tasknets_result, but for its load and the scheduling time, which is not the
 *  same each time. */
extern const struct column tasknets_columns[];

/** Without options that have no default. */
struct tasknets_options tasknets_defaults(void);

/** Refuses loads that cannot be on @p p, or that the model does not know. */
enum status tasknets_check_loads(const struct tasknets_options *o, const struct platform *p,
                                 struct err *e);

enum status tasknets_run(const struct tasknets_options *o, struct tasknets_result *out,
                         struct err *e);

/** Adds these columns and the load. */
void tasknets_report(const struct tasknets_result *x, struct report *r);

#endif

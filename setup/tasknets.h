/** @file tasknets.h
 *  Schedules one task network on one platform, or reads a schedule from a file, and executes it.
 */
#pragma once

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

/** A model of the execution of networks. */
struct tasknets_model {
  const char *name;
  const char *engine; /**< name of the engine; NULL: the abstract model */
};

/** Registry of struct tasknets_model. */
extern const struct registry tasknets_models;

/** Flops and bytes of a cost of 1 if neither the user nor the network gives them. */
#define TASKNETS_WORK 1e9
#define TASKNETS_DATA 1e6

/** Options of a run; all texts are the caller's. */
struct tasknets_options {
  const char *network;             /**< a file or a spec */
  const struct tasknet *net;       /**< the network, if it is open; NULL: `network` is opened */
  const char *platform;            /**< a file or a spec */
  const struct platform *on;       /**< the platform, if it is open; NULL: `platform` is opened */
  uint32_t cores;                  /**< cores per host of a platform that is a spec; 0 means 1 */
  const char *scheduler;           /**< a spec; NULL: `schedule` is read */
  const char *schedule;            /**< a file with a schedule */
  struct scheduler_search *search; /**< limits of a scheduler that searches; NULL: it fails unless
                                      it proves its schedule */
  const char *output;              /**< output file for the schedule; NULL: none */
  const struct tasknets_model *model;
  const struct sim_model *network_model; /**< model of the links, for an engine */
  double precision_s, maxmin_precision;  /**< as in struct engine_config */
  const struct steal_policy *steal;
  struct load_specs loads;
  struct tasknet_units units; /**< 0: units of the network, or TASKNETS_WORK and TASKNETS_DATA */
  uint64_t seed; /**< seed of stealing, from 1; seed - 1 is added to the seeds of loads */

  /* Files to write (sim/tasknet/record.h); NULL: none. */
  const char *per_task, *per_host, *timeline;
  const struct timeline_format *timeline_format;
  FILE *gantt; /**< open stream: receives the timeline as CSV; NULL: none */
};

/** Result of a run. */
struct tasknets_result {
  uint32_t tasks, hosts;
  double makespan_s;
  double expected_s; /**< makespan of the schedule in the abstract model */
  double use;        /**< work / (speed of all hosts * makespan); 0 if the makespan is 0 */
  double speedup;    /**< time of all work on the fastest host / makespan; 1 if the makespan is 0 */
  uint64_t steals, stolen;
  bool loaded;              /**< load was simulated on an engine, and `load` is valid */
  struct load_figures load; /**< work and traffic of the load */
  double scheduling_s;      /**< CPU time of the scheduler */
  double bound_s; /**< lower bound of the expected makespan of any schedule; NAN: not known */
};

/** Columns of struct tasknets_result, except the load, the bound and the scheduling time, which
 *  differs from run to run. */
extern const struct column tasknets_columns[];

/** Default options; options without a default are zero. */
struct tasknets_options tasknets_defaults(void);

/** Refuses loads that are impossible on @p p or unknown to the model. */
enum status tasknets_check_loads(const struct tasknets_options *o, const struct platform *p,
                                 struct err *e);

enum status tasknets_run(const struct tasknets_options *o, struct tasknets_result *out,
                         struct err *e);

/** Adds the columns of tasknets_columns, the bound and the load to the report. */
void tasknets_report(const struct tasknets_result *x, struct report *r);

/** @file kind.h
 *  The kinds of campaigns: what is run (subjects), and how (methods).  A kind is a row of functions
 *  and names, and one file kind_NAME.c; all else of a campaign, from the plan to the report, is the
 *  same for all kinds.
 *
 *      kind       a subject is                a method is
 *      traces     a trace                     a mapper, with its seeds
 *      networks   a task network under load   a scheduler, and how its hosts steal
 */
#ifndef CAMPAIGN_KIND_H
#define CAMPAIGN_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "campaign/run/result.h"
#include "common/err.h"
#include "common/registry.h"

struct plan;
struct plan_args;
struct plan_run;
struct run_worker;

/** Most columns that name a subject. */
enum { KIND_MOST_SUBJECT = 2 };

struct kind {
  const char *name; /**< "traces" */
  /** Columns of tables that name the subject, and the method; the former end with NULL. */
  const char *subject[KIND_MOST_SUBJECT + 1], *method;
  bool seeds;            /**< a column with the seed of the method follows */
  const char *time;      /**< the column that methods are compared by */
  const char *methods;   /**< in words, as the name is the subjects: "mappers" */
  enum run_group spread; /**< what repetitions of a row say of its time */
  unsigned timings;      /**< groups of timings.tsv */
  bool extras;           /**< runs leave files for pictures (enum run_extra) */
  bool paired;           /**< repetition r is the same draw for all methods */
  const char *test;      /**< how differences are tested, for people */
  const char *usual; /**< the label of the method that others are relative to, if there is one */
  /** Fills in subjects, methods, options and groups of columns of a plan that has its platform. */
  enum status (*add)(struct plan *p, const struct plan_args *a, struct err *e);
  /** Prints subjects and methods, a line each, as plan_print(). */
  void (*print)(const struct plan *p, FILE *f);
  /** The same of one run. */
  void (*print_run)(const struct plan *p, const struct plan_run *r, FILE *f);
  /** Opens what all runs of a subject share, and frees it. */
  void (*prepare)(const struct plan *p, size_t subject);
  void (*drop)(const struct plan *p, size_t subject);
  /** Makes a run in a process of its own: fills *r as of an ok run, but for its timings, and leaves
   *  the files @p extra, each NULL or a path. */
  enum status (*make)(const struct run_worker *w, char *const extra[RUN_EXTRAS],
                      struct run_result *r, struct err *e);
};

/** Of struct kind. */
extern const struct registry kinds;
extern const struct kind kind_traces, kind_networks;

/** The kind whose tables have the columns that @p has knows; the first one's if none's. */
const struct kind *kind_of_columns(bool (*has)(const void *table, const char *column),
                                   const void *table);

#endif

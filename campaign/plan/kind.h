/** @file kind.h
 *  The kinds of campaigns.  A campaign runs each method on each subject.  A subject is an input of
 *  the table below on one machine (machine.h).  A kind is a struct of functions and names in one
 *  file kind_NAME.c; all other parts of a campaign, from the plan to the report, are the same for
 *  all kinds.
 *
 *      kind       an input is                 a method is
 *      traces     a trace                     a mapper with its seeds
 *      matrices   a traffic matrix            a mapper with its seeds
 *      networks   a task network under load   a scheduler with a stealing policy
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "campaign/run/result.h"
#include "common/err.h"
#include "common/registry.h"

struct cli_option;
struct plan;
struct plan_args;
struct plan_run;
struct plan_subject;
struct run_worker;

/** Maximum number of columns that name a subject. */
enum { KIND_MOST_SUBJECT = 2 };

struct kind {
  const char *name; /**< "traces" */
  /** Columns of tables that name the subject (NULL-terminated) and the method. */
  const char *subject[KIND_MOST_SUBJECT + 1], *method;
  bool seeds;          /**< a column with the seed of the method follows */
  const char *time;    /**< the column by which methods are compared */
  const char *methods; /**< plural for messages: "mappers"; `name` is the plural of the subjects */
  enum run_group spread; /**< group of columns with the spread over repetitions */
  unsigned timings;      /**< groups of columns of timings.tsv: a set of RUN_BIT(group) */
  bool extras;           /**< runs also write files for pictures (enum run_extra) */
  bool paired;           /**< repetition r has the same random draws for all methods */
  const char *test;      /**< describes the significance test; printed in the summary */
  const char
      *default_baseline; /**< default baseline: the label of a method, used if the plan has it */
  const struct cli_option *options; /**< the options whose values plan.options lists */
  /** Sets subjects (grouped by machine), methods, options and groups of columns of a plan whose
   *  machines are set.  Opens and checks only the inputs that are needed (plan_args.needed). */
  enum status (*add)(struct plan *p, const struct plan_args *a, struct err *e);
  /** Prints subjects and methods, one per line, for plan_print(). */
  void (*print)(const struct plan *p, FILE *f);
  /** Prints subject and method of one run, for plan_print_run(). */
  void (*print_run)(const struct plan *p, const struct plan_run *r, FILE *f);
  /** prepare() loads the data that all runs of a subject share; a failure is kept in the subject
   *  (plan_subject.problem) and becomes the result of each of its runs.  drop() frees the data. */
  void (*prepare)(const struct plan *p, size_t subject);
  void (*drop)(const struct plan *p, size_t subject);
  /** Computes the checksum of the file of a subject as it is now.  Only for subjects that have a
   *  checksum. */
  enum status (*checksum)(struct plan_subject *x, char *hex, struct err *e);
  /** Executes a run; called in a process of its own.  On success, sets r->status to RUN_OK and all
   *  fields of *r except the timings of the process.  extra[i] is the path of a file to write, or
   *  NULL. */
  enum status (*make)(const struct run_worker *w, char *const extra[RUN_EXTRAS],
                      struct run_result *r, struct err *e);
};

/** Registry of struct kind. */
extern const struct registry kinds;
extern const struct kind kind_traces, kind_matrices, kind_networks;

/** Returns the first kind whose method column and first subject column are in a table, or traces if
 *  there is none.  @p has returns true if the table has a column. */
const struct kind *kind_of_columns(bool (*has)(const void *table, const char *column),
                                   const void *table);

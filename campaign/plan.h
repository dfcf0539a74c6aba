/** @file plan.h
 *  The runs of a campaign: every mapper with each of its seeds on every trace, on one platform.
 *  Rows of results.tsv are in this order.  What can be known of a run before it starts is refused
 *  here: a mapper that does not know the platform, more ranks than hosts take.
 */
#ifndef CAMPAIGN_PLAN_H
#define CAMPAIGN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "campaign/checksum.h"
#include "campaign/settings.h"
#include "common/err.h"

enum { PLAN_MAX_SEEDS = 10000, PLAN_MAX_RUNS = 100000 };

/** What is compared, as given; nothing is owned. */
struct plan_args {
  const char *platform; /**< file or spec */
  char **trace, **mapper;
  size_t traces, mappers;
  uint64_t seed; /**< of mappers that have one and are given none */
  struct settings settings;
};

struct plan_input {
  char *name;                   /**< as given */
  char checksum[CHECKSUM_SIZE]; /**< "" of a spec without a file */
};

struct plan_trace {
  struct plan_input file;
  struct input_trace input; /**< opened, and its traffic counted, once for all runs */
  struct err *problem;      /**< why it cannot be; NULL: none that is known */
};

/** A mapper with its seeds: one curve of a plot. */
struct plan_mapper {
  char *label; /**< the spec without its seed */
  bool seeded;
  uint64_t *seed; /**< each once, in the order given; NULL if it has none */
  size_t seeds;
  struct plan_input file; /**< a mapping to read; name NULL if there is none */
};

struct plan_run {
  size_t trace, mapper; /**< indices */
  char *spec;           /**< with its seed; or the name of a mapping */
  bool seeded;
  uint64_t seed;
  bool first; /**< of its mapper's seeds on this trace */
};

struct plan {
  struct plan_input platform;
  struct plan_trace *trace;
  struct plan_mapper *mapper;
  struct plan_run *run;
  size_t traces, mappers, runs;
  struct platform *on; /**< the platform */
  struct reading reading;
  char router[16]; /**< the version of SimGrid that finds the routes; "" on a topology */
  char *options;   /**< as settings_print() prints them */
};

/** Checks the mappers and that all inputs can be read.  The caller's: plan_clear(). */
enum status plan_make(struct plan *p, const struct plan_args *a, struct err *e);

/** Accepts a zeroed plan. */
void plan_clear(struct plan *p);

/** Counts the traffic of trace @p i, if that has not been done; what fails is kept, and the runs of
 *  this trace with it. */
void plan_count_traffic(const struct plan *p, size_t i);

/** Frees the traffic again, and the trace. */
void plan_drop_trace(const struct plan *p, size_t i);

/** Fails with what is known to be wrong with trace @p i. */
enum status plan_check_trace(const struct plan *p, size_t i, struct err *e);

/** Lines that say what all results depend on. */
void plan_print(const struct plan *p, FILE *f);

/** The same for one run with such options: its identity (run_store.h). */
void plan_print_run(const struct plan *p, const struct plan_run *r, const char *options, FILE *f);

/** The mapper of that label; p->mappers if there is none. */
size_t plan_find_mapper(const struct plan *p, const char *label);

#endif

/** @file plan.h
 *  The runs of a campaign: every trace with every mapper and each of its seeds, on one platform.
 *  The rows of results.tsv have the order of the plan.  Errors that can be found before a
 *  run starts are found here, such as unknown mappers or more ranks than the hosts take.
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
  const bool *needed; /**< by trace: those that will be used; NULL: all */
  uint64_t seed;      /**< for mappers that take a seed and are given none */
  uint32_t repeats;   /**< runs of each row; 0: 1 */
  struct settings settings;
};

struct plan_input {
  char *name;                   /**< as given */
  char checksum[CHECKSUM_SIZE]; /**< of the file; "" for a spec */
};

struct plan_trace {
  struct plan_input file;
  struct input_trace input; /**< shared by all runs of the trace */
  struct err *problem;      /**< why the trace cannot be read; NULL: none known */
};

/** A mapper with its seeds: one series of a plot. */
struct plan_mapper {
  char *label; /**< the spec without its seed */
  bool seeded;
  uint64_t *seed; /**< distinct, in the order given; NULL if not seeded */
  size_t seeds;
  struct plan_input file; /**< the mapping file that it reads; name NULL: none */
};

struct plan_run {
  size_t trace, mapper; /**< indices in the plan */
  char *spec;           /**< mapper spec with its seed, or a mapping file */
  bool seeded;
  uint64_t seed;
  uint32_t repeat; /**< from 0; the repetitions of one row follow one another */
  bool first; /**< this is the first seed of its mapper on this trace, and its first repetition */
};

struct plan {
  struct plan_input platform;
  struct plan_trace *trace;
  struct plan_mapper *mapper;
  struct plan_run *run;
  size_t traces, mappers, runs;
  uint32_t repeats;    /**< runs of each row */
  struct platform *on; /**< the platform */
  struct reading reading;
  char router[16]; /**< version of SimGrid, which computes an opaque platform's routes; else "" */
  char *options;   /**< settings_text() of the settings */
  bool loaded;     /**< the runs have background load */
  bool overlay;    /**< the runs have an overlay */
  bool overfills;  /**< a mapper may have to move ranks (mapper.h) */
};

/** Checks the mappers and reads the inputs.  A trace file that cannot be parsed is not an error
 *  here: its runs will fail.  On success *p is the caller's: plan_clear(). */
enum status plan_make(struct plan *p, const struct plan_args *a, struct err *e);

/** Accepts a zeroed plan. */
void plan_clear(struct plan *p);

/** Counts the traffic of trace @p i unless that is done.  A failure is kept for
 *  plan_check_trace(), with which the runs of this trace fail. */
void plan_count_traffic(const struct plan *p, size_t i);

/** Frees trace @p i and its traffic. */
void plan_drop_trace(const struct plan *p, size_t i);

/** Fails if trace @p i is known to be unreadable, with the reason. */
enum status plan_check_trace(const struct plan *p, size_t i, struct err *e);

/** Prints what the results depend on, a line each: version, inputs and checksums, options. */
void plan_print(const struct plan *p, FILE *f);

/** The same for one run under @p options: the run's identity (run/store.h). */
void plan_print_run(const struct plan *p, const struct plan_run *r, const char *options, FILE *f);

/** Index of the mapper labelled @p label; p->mappers if there is none. */
size_t plan_find_mapper(const struct plan *p, const char *label);

#endif

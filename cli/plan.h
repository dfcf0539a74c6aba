/** @file plan.h
 *  The runs of a campaign: every mapper with each of its seeds on every trace, on one platform.
 *  Rows of results.tsv are in this order.  What can be known of a run before it starts is refused
 *  here: a mapper that does not know the platform, more ranks than hosts take.
 */
#ifndef CLI_PLAN_H
#define CLI_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/checksum.h"
#include "cli/model_args.h"
#include "common/err.h"

enum { PLAN_MAX_SEEDS = 10000, PLAN_MAX_RUNS = 100000 };

/** What is compared, as given; nothing is owned. */
struct plan_args {
  const char *platform; /**< file or spec */
  char **trace, **mapper;
  size_t traces, mappers;
  uint64_t seed; /**< of mappers that have one and are given none */
  struct model_args model;
};

struct plan_input {
  char *name;                   /**< as given */
  char checksum[CHECKSUM_SIZE]; /**< "" of a spec without a file */
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
  struct plan_input *trace;
  struct plan_mapper *mapper;
  struct plan_run *run;
  size_t traces, mappers, runs;
  uint32_t hosts;  /**< of the platform */
  char router[16]; /**< the version of SimGrid that finds the routes; "" on a topology */
  char *options;   /**< as model_args_print() prints them */
};

/** Checks the mappers and that all inputs can be read.  The caller's: plan_clear(). */
enum status plan_make(struct plan *p, const struct plan_args *a, struct err *e);

/** Accepts a zeroed plan. */
void plan_clear(struct plan *p);

/** Lines that say what all results depend on. */
void plan_print(const struct plan *p, FILE *f);

/** The same for one run with such options: its identity (run_store.h). */
void plan_print_run(const struct plan *p, const struct plan_run *r, const char *options, FILE *f);

/** The mapper of that label; p->mappers if there is none. */
size_t plan_find_mapper(const struct plan *p, const char *label);

#endif

/** @file plan.h
 *  The runs of a campaign: every subject with every method and each of its seeds, on one platform;
 *  what these are depends on its kind (kind.h).  The rows of results.tsv have the order of the
 *  plan.  Errors that can be found before a run starts are found here, such as unknown mappers or
 *  more ranks than the hosts take.
 */
#ifndef CAMPAIGN_PLAN_H
#define CAMPAIGN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "campaign/checksum.h"
#include "campaign/kind.h"
#include "campaign/settings.h"
#include "campaign/tasknets.h"
#include "common/err.h"

enum { PLAN_MAX_SEEDS = 10000, PLAN_MAX_RUNS = 100000 };

/** Words of the user, who owns them. */
struct plan_words {
  char **word;
  size_t count, room;
};

/** What is compared, as given; nothing is owned. */
struct plan_args {
  const struct kind *kind;
  const char *platform;      /**< file or spec */
  struct plan_words subject; /**< traces or networks */
  struct plan_words method;  /**< mappers or schedulers */
  struct plan_words load;    /**< of networks, each with each; none: without load */
  struct plan_words steal;   /**< policies of schedulers, each with each; none: without stealing */
  const bool *needed;        /**< by subject: those that will be used; NULL: all */
  uint64_t seed;    /**< for mappers that take a seed and are given none; first one of networks */
  uint32_t repeats; /**< runs of each row; 0: 1 */
  struct settings settings;         /**< of traces */
  struct tasknets_options tasknets; /**< of networks: how they are executed */
};

struct plan_input {
  char *name;                   /**< as given */
  char checksum[CHECKSUM_SIZE]; /**< of the file; "" for a spec */
};

struct plan_subject {
  struct plan_input file;   /**< the trace or the network */
  struct plan_input load;   /**< of a network; name NULL: a trace */
  struct input_trace trace; /**< of a trace: shared by all its runs */
  struct tasknet net;       /**< of a network file: the same; without arrays: not open */
  struct err *problem;      /**< why it cannot be read; NULL: none known */
};

/** A mapper with its seeds, or a scheduler and how is stolen: one series of a plot. */
struct plan_method {
  char *label; /**< in tables: the spec without its seed, with the way to steal if there is one */
  char *spec;  /**< of the mapper without its seed, or of the scheduler */
  bool seeded;
  uint64_t *seed; /**< distinct, in the order given; NULL if not seeded */
  size_t seeds;
  struct plan_input file;           /**< the mapping file that it reads; name NULL: none */
  const struct steal_policy *steal; /**< of a scheduler */
  const char *library;              /**< that a mapper calls, as struct mapper; NULL: none */
};

struct plan_run {
  size_t subject, method; /**< indices in the plan */
  char *spec;             /**< the method's with its seed, or a mapping file */
  bool seeded;
  uint64_t seed;
  uint32_t repeat; /**< from 0; the repetitions of one row follow one another */
  bool first; /**< this is the first seed of its method on this subject, and its first repetition */
};

struct plan {
  const struct kind *kind;
  struct plan_input platform;
  struct plan_subject *subject;
  struct plan_method *method;
  struct plan_run *run;
  size_t subjects, methods, runs;
  size_t loads, steals; /**< of networks: how many loads each has, and how many ways to steal */
  uint32_t repeats;     /**< runs of each row */
  uint64_t seed;        /**< as in the arguments, as the next */
  struct tasknets_options tasknets;
  struct platform *on; /**< the platform */
  struct reading reading;
  char router[16]; /**< version of SimGrid, which computes an opaque platform's routes; else "" */
  char *options;   /**< what else the results depend on, as settings_text() */
  unsigned groups; /**< of columns in results.tsv: RUN_BIT() of run/result.h */
};

/** Number of subjects that a plan will have. */
size_t plan_subjects(const struct plan_args *a);

/** Checks the methods and reads the inputs.  An input file that cannot be parsed is not an error
 *  here: its runs will fail.  On success *p is the caller's: plan_clear(). */
enum status plan_make(struct plan *p, const struct plan_args *a, struct err *e);

/** Accepts a zeroed plan. */
void plan_clear(struct plan *p);

/** Opens what the runs of subject @p i share unless that is done, such as the traffic of a trace. A
 *  failure is kept for plan_check(), with which these runs fail. */
void plan_prepare(const struct plan *p, size_t i);

/** Frees what they share. */
void plan_drop(const struct plan *p, size_t i);

/** Fails if subject @p i is known to be unreadable, with the reason. */
enum status plan_check(const struct plan *p, size_t i, struct err *e);

/** Prints what the results depend on, a line each: version, inputs and checksums, options. */
void plan_print(const struct plan *p, FILE *f);

/** The same for one run under @p options: the run's identity (run/store.h). */
void plan_print_run(const struct plan *p, const struct plan_run *r, const char *options, FILE *f);

/** Prints the names of a subject, each column's and a tab; those of all if @p i is p->subjects. */
void plan_print_subject(const struct plan *p, size_t i, FILE *f);

/** Index of the method labelled @p label; p->methods if there is none. */
size_t plan_find_method(const struct plan *p, const char *label);

/* For kinds, as what follows. */

/** Refuses a name that a table cannot hold, as the first one of a row if @p first. */
enum status plan_check_name(const char *name, bool first, struct err *e);

/** Refuses pipes and devices: every run opens its inputs again. */
enum status plan_check_lasting(const char *path, struct err *e);

/** Keeps @p why as the problem of a subject. */
enum status plan_keep_problem(struct plan_subject *s, const struct err *why, struct err *e);

/** Prints "WORD NAME sha256:SUM". */
void plan_print_input(const char *word, const struct plan_input *in, FILE *f);

#endif

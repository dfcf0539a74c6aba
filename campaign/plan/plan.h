/** @file plan.h
 *  The runs of a campaign: every input on every machine (machine.h) with every method and each of
 *  its seeds; kind.h defines inputs and methods.  A subject is an input on a machine.  The rows of
 *  results.tsv have the order of the plan.  Errors that can be found before a run starts, such as
 *  unknown mappers or too many ranks for the hosts, are reported here.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "campaign/plan/kind.h"
#include "campaign/plan/machine.h"
#include "common/err.h"
#include "setup/checksum.h"
#include "setup/settings.h"
#include "setup/tasknets.h"
#include "traces/matrix/load.h"

enum { PLAN_MAX_SEEDS = 10000, PLAN_MAX_RUNS = 100000 };

/** Arguments of a plan; nothing is owned. */
struct plan_args {
  const struct kind *kind;
  struct plan_words machine[MACHINE_OPTIONS]; /**< platforms, at least one; swept options */
  struct plan_words subject;                  /**< traces, matrices or networks */
  struct plan_words method;                   /**< mappers or schedulers */
  struct plan_words load;                     /**< loads, combined with each network; empty: none */
  struct plan_words steal; /**< stealing policies, combined with each scheduler; empty: none */
  const bool *needed; /**< by subject: true if its data is needed; NULL: all subjects are needed */
  uint64_t seed;      /**< seed of mappers whose spec has none; first seed of networks */
  uint32_t repeats;   /**< repetitions of each run; 0 means 1 */
  struct settings settings;         /**< settings of campaigns of traces or matrices */
  struct matrix_reading matrix;     /**< for campaigns of matrices: how files are read */
  struct tasknets_options tasknets; /**< options of campaigns of networks */
};

struct plan_input {
  char *name;                   /**< as given */
  char checksum[CHECKSUM_SIZE]; /**< checksum of the file; "" for a spec */
};

struct plan_subject {
  size_t machine;           /**< index in the plan */
  struct plan_input file;   /**< the trace, the matrix or the network */
  struct plan_input load;   /**< load of a network; name NULL for a trace */
  struct input_trace trace; /**< the opened trace, shared by all its runs */
  struct matrix matrix;     /**< the opened matrix, shared by all its runs; 0 ranks: not open */
  struct tasknet net;  /**< the opened network file, shared by all its runs; no arrays: not open */
  uint32_t ranks;      /**< number of ranks of the trace or matrix; 0: not known */
  bool opened;         /**< checksum, ranks and problem are set, for this or an earlier machine */
  struct err *problem; /**< why the file cannot be read; NULL: no error known; owned */
};

/** A mapper with its seeds, or a scheduler with a stealing policy: one series of a plot. */
struct plan_method {
  char *label; /**< name in tables: the spec without its seed, with the stealing policy if any */
  char *spec;  /**< spec of the mapper without its seed, or of the scheduler */
  bool seeded;
  uint64_t *seed; /**< distinct, in the order given; NULL if not seeded */
  size_t seeds;
  struct plan_input file;           /**< mapping file that the mapper reads; name NULL: none */
  const struct steal_policy *steal; /**< stealing policy of a scheduler */
  const char *library; /**< library that a mapper calls, see struct mapper; NULL: none */
};

struct plan_run {
  size_t subject, method; /**< indices in the plan */
  char *spec;             /**< spec of the method with its seed, or a mapping file */
  bool seeded;
  uint64_t seed;
  uint32_t repeat; /**< number of the repetition, from 0; repetitions of a row are consecutive */
  bool first;      /**< first seed of its method on this subject, first repetition */
};

struct plan {
  const struct kind *kind;
  struct machine *machine;
  struct plan_subject *subject; /**< by machine, then input */
  struct plan_method *method;
  struct plan_run *run;
  size_t machines, subjects, methods, runs;
  size_t loads, steals; /**< networks: number of loads, number of stealing policies */
  uint32_t repeats;     /**< runs of each row */
  uint64_t seed;        /**< as in the arguments */
  struct tasknets_options tasknets;
  struct matrix_reading matrix; /**< as in the arguments */
  char *options;                /**< settings that change results, as one line: settings_text() */
  char *rest;      /**< settings that change no result, one per line; "": all are defaults */
  unsigned groups; /**< groups of columns in results.tsv: sum of RUN_BIT() (run/result.h) */
};

/** Number of subjects that a plan will have. */
size_t plan_subjects(const struct plan_args *a);

/** Checks the methods and reads the inputs.  An input file that cannot be parsed is not an error
 *  here: its runs will fail.  On success, free *p with plan_clear(). */
enum status plan_make(struct plan *p, const struct plan_args *a, struct err *e);

/** Accepts a zeroed struct. */
void plan_clear(struct plan *p);

/** Opens the data shared by the runs of subject @p i, such as the traffic of a trace, unless it is
 *  open.  Keeps an error for plan_check(). */
void plan_prepare(const struct plan *p, size_t i);

/** Frees the shared data of subject @p i. */
void plan_drop(const struct plan *p, size_t i);

/** Fails, with the reason, if subject @p i is known to be unreadable. */
enum status plan_check(const struct plan *p, size_t i, struct err *e);

/** Fails if the trace, matrix or network of a run, its mapping file or a file of its platform has
 *  changed since the plan was made. */
enum status plan_check_inputs(const struct plan *p, const struct plan_run *r, struct err *e);

/** Prints all that the results depend on, one item per line: version, inputs with checksums,
 *  options. */
void plan_print(const struct plan *p, FILE *f);

/** Prints the identity of one run (run/store.h): all that its result depends on, with @p options in
 *  place of the plan's. */
void plan_print_run(const struct plan *p, const struct plan_run *r, const char *options, FILE *f);

/** A group of subjects over which means are taken: subjects first .. first + count - 1.  With
 *  several machines, each has a group, and the last group has all subjects; with one machine there
 *  is only the last.  A group of one subject has no means. */
struct plan_group {
  size_t first, count;
};

/** Number of groups, and group @p g. */
size_t plan_groups(const struct plan *p);
struct plan_group plan_group_at(const struct plan *p, size_t g);

/** The machine of subject @p i. */
const struct machine *plan_machine(const struct plan *p, size_t i);

/** Prints the names of the columns of machine and subject, each with a tab. */
void plan_print_columns(const struct plan *p, FILE *f);

/** Prints machine and names of subject @p i, each with a tab.  If @p i is p->subjects + g, prints
 *  the values of group g, with "*" for names that differ in the group. */
void plan_print_subject(const struct plan *p, size_t i, FILE *f);

/** Name of machine @p i for pictures and messages; free it with free(). */
char *plan_machine_label(const struct plan *p, size_t i, struct err *e);

/** Name of subject @p i in tables that are read again: machine_subject_label().  The caller frees
 *  it. */
char *plan_subject_label(const struct plan *p, size_t i, struct err *e);

/** Index of the method labelled @p label; p->methods if there is none. */
size_t plan_find_method(const struct plan *p, const char *label);

/* Functions for the kinds. */

/** The first opened subject of subjects first, first + each, first + 2 * each...; NULL: none.
 *  @p each is the number of subjects per machine. */
const struct plan_subject *plan_find_opened(const struct plan *p, size_t first, size_t each);

/** Refuses a name that a table cannot hold; @p first: it would be the first field of a row. */
enum status plan_check_name(const char *name, bool first, struct err *e);

/** Refuses pipes and devices: every run opens its inputs again. */
enum status plan_check_lasting(const char *path, struct err *e);

/** Copies @p why as the problem of a subject. */
enum status plan_keep_problem(struct plan_subject *s, const struct err *why, struct err *e);

/** Copies checksum, ranks and problem of a subject with the same file. */
enum status plan_copy_file(struct plan_subject *to, const struct plan_subject *from, struct err *e);

/** Prints "WORD NAME sha256:SUM". */
void plan_print_input(const char *word, const struct plan_input *in, FILE *f);

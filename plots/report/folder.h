/** @file folder.h
 *  The tables of a finished campaign's folder, in memory.
 */
#pragma once

#include "campaign/plan/kind.h"
#include "campaign/results/provenance.h"
#include "common/err.h"
#include "plots/report/sheet.h"

/** The tables of a folder, in the order in which they are shown. */
enum folder_table {
  FOLDER_EXPLAINED,
  FOLDER_SUMMARY,
  FOLDER_DIFFERENCES,
  FOLDER_RESULTS, /**< the only one that is required */
  FOLDER_REPEATS,
  FOLDER_TIMINGS,
  FOLDER_TABLES
};

struct folder {
  const char *path;        /**< owned by the caller */
  char id[16];             /**< "f1": prefix of identifiers in the page */
  char *shown;             /**< the path as UTF-8; owned */
  char *results;           /**< path of results.tsv; owned */
  const struct kind *kind; /**< kind of campaign, found by the columns of results.tsv */
  struct provenance about;
  struct names machine;              /**< machines of the results; one empty name for one machine */
  struct sheet table[FOLDER_TABLES]; /**< a table without columns is missing */
  char *test;    /**< statistical test, as named in the summary; "" if it names none */
  size_t failed; /**< rows that are not ok */
};

/** The file name of a table, for example "results.tsv". */
const char *folder_file(enum folder_table t);

/** A short description of a table. */
const char *folder_help(enum folder_table t);

/** Reads folder @p number, from 1.  The caller frees *f with folder_clear(). */
enum status folder_load(struct folder *f, const char *path, size_t number, struct err *e);

/** Accepts a zeroed struct. */
void folder_clear(struct folder *f);

/** The number of provenance lines of a kind. */
size_t folder_count(const struct folder *f, const char *kind);

/** Name of the machine of a row of a table (machine_label()); free it with free(). */
char *folder_machine(const struct folder *f, enum folder_table t, size_t row, struct err *e);

/** Finds the columns that name the subject of a row of a table, KIND_MOST_SUBJECT entries, and
 *  returns their number; 0 if a column is missing. */
size_t folder_subject(const struct folder *f, enum folder_table t, size_t *column);

/** The methods that are best over all subjects, as UTF-8, such as "greedy" or "greedy, xyz"; "-" if
 *  there is no summary.  The caller frees it.  NULL with @p e filled on failure. */
char *folder_best(const struct folder *f, struct err *e);

/** True if both campaigns have the same kind, the same names of platforms and the same swept
 *  options. */
bool folder_is_like(const struct folder *a, const struct folder *b);

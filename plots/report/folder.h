/** @file folder.h
 *  The folder of a finished campaign, as a report shows it: its tables, read whole.
 */
#ifndef PLOTS_REPORT_FOLDER_H
#define PLOTS_REPORT_FOLDER_H

#include "campaign/kind.h"
#include "campaign/provenance.h"
#include "common/err.h"
#include "plots/report/sheet.h"

/** The tables of a folder, in the order in which they are shown. */
enum folder_table {
  FOLDER_SUMMARY,
  FOLDER_DIFFERENCES,
  FOLDER_RESULTS, /**< the only one that must be there */
  FOLDER_REPEATS,
  FOLDER_TIMINGS,
  FOLDER_TABLES
};

struct folder {
  const char *path;        /**< the caller's */
  char id[16];             /**< "f1": the first part of identifiers in the page */
  char *shown;             /**< the path as UTF-8; owned, as the next */
  char *results;           /**< the path of results.tsv */
  const struct kind *kind; /**< of campaign, as its results.tsv says */
  struct provenance about;
  struct sheet table[FOLDER_TABLES]; /**< without columns: it is not there */
  char *test;    /**< how the summary's differences were tested, as it says; "" if it does not */
  size_t failed; /**< rows that are not ok */
};

/** The file name of a table: "results.tsv", and a few words on it. */
const char *folder_file(enum folder_table t);
const char *folder_help(enum folder_table t);

/** Reads folder @p number, from 1.  On success *f is the caller's: folder_clear(). */
enum status folder_load(struct folder *f, const char *path, size_t number, struct err *e);

/** Accepts a zeroed one. */
void folder_clear(struct folder *f);

/** The number of lines of a kind that the provenance has. */
size_t folder_count(const struct folder *f, const char *kind);

/** The columns that name the subject of a row of a table, KIND_MOST_SUBJECT entries, and their
 *  number; 0: it lacks one. */
size_t folder_subject(const struct folder *f, enum folder_table t, size_t *column);

/** The method that is best over all subjects, as UTF-8; "-" if there is no summary. */
const char *folder_best(const struct folder *f);

/** Are both of one kind, on a platform of the same name? */
bool folder_is_like(const struct folder *a, const struct folder *b);

#endif

/** @file timeline.h
 *  The state of each rank, or of each host, over simulated time, written during the run as changes
 *  in order of time, at one instant in order of ranks.  Equal consecutive states are merged, and
 *  states without duration left out.  Memory: O(ranks), whatever the length of the run.
 *
 *  A format is one file and one row of the table in timeline.c.  A timeline of a format with
 *  `archive` set is a set of files, which also has the messages and is written at the end
 *  (traces/otf2/otf2_run.h).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "common/registry.h"
#include "traces/otf2/otf2_run.h"

/** The rows of a timeline: ranks, or hosts that run tasks. */
struct timeline_rows {
  const char *what; /**< "rank" or "host" */
  uint32_t count;
  const char *const *name; /**< by row; NULL: rows are named by their numbers */
};

/** A rank changes from one state to another. */
struct timeline_change {
  uint32_t rank;
  const char *name; /**< name of the row; NULL: its number */
  const char *from; /**< NULL: the rank begins */
  double since;     /**< start of `from` in s */
  const char *to;   /**< NULL: the rank has ended */
  double at;        /**< in s, > since */
  uint32_t state;   /**< number of @p to, from 0 in order of first appearance */
  bool fresh;       /**< first appearance of @p to */
};

struct timeline_format {
  const char *name;       /**< "csv" */
  const char *endings[3]; /**< of file names, for example ".csv"; the last is NULL */
  bool archive;           /**< a set of files; the functions are NULL */
  void (*begin)(FILE *f, const struct timeline_rows *rows);
  void (*change)(FILE *f, const struct timeline_change *c);
  void (*end)(FILE *f);
};

/** Registry of struct timeline_format. */
extern const struct registry timeline_formats;

/** Finds the format by the ending of a file name; fails if no format has that ending. */
enum status timeline_format_of(const char *path, const struct timeline_format **out, struct err *e);

/** Fails if an archive cannot have this name. */
enum status timeline_check(const struct timeline_format *format, const char *path, struct err *e);

struct timeline;

/** Where a timeline goes. */
struct timeline_target {
  const struct timeline_format *format;
  FILE *f;          /**< the caller closes it and checks it for errors; NULL for an archive */
  const char *path; /**< of an archive */
};

/** Begins a timeline.  The caller frees *out with timeline_free(). */
enum status timeline_new(struct timeline **out, const struct timeline_target *to, uint32_t ranks,
                         struct err *e);

/** Accepts NULL. */
void timeline_free(struct timeline *t);

/** Notes the state of a rank from simulated time @p at (s) on; @p at never decreases.  @p state
 *  must outlive the timeline and be one of at most TIMELINE_STATES; NULL: the rank has ended. */
void timeline_note(struct timeline *t, uint32_t rank, const char *state, double at);

/** Notes one side of a message at time @p at (s).  Does nothing if @p t is NULL or no archive. */
void timeline_message(struct timeline *t, const struct otf2_run_message *m, double at);

/** Writes the last instant and the end of the file, or the archive, once all ranks have ended. */
enum status timeline_finish(struct timeline *t, struct err *e);

#define TIMELINE_STATES 64

/** @file timeline.h
 *  The state of each rank, or of each host, over simulated time, written during the run as changes
 * in order of time, at one instant in order of ranks.  Equal states that follow each other are
 * merged, and those of no duration left out.  Memory: O(ranks), whatever the length of the run.
 *
 *  A format is one file and one row of the table in timeline.c.
 */
#ifndef SIM_OUTPUT_TIMELINE_H
#define SIM_OUTPUT_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "common/registry.h"

/** The rows of a timeline: ranks, or hosts that run tasks. */
struct timeline_rows {
  const char *what; /**< "rank" or "host" */
  uint32_t count;
  const char *const *name; /**< by row; NULL: rows are called by their numbers */
};

/** A rank changes from one state to another. */
struct timeline_change {
  uint32_t rank;
  const char *name; /**< of the row; NULL: it is called by its number */
  const char *from; /**< NULL: the rank has only begun */
  double since;     /**< start of that, in s */
  const char *to;   /**< NULL: the rank has ended */
  double at;        /**< in s, > since */
  uint32_t state;   /**< number of @p to, from 0 by first appearance */
  bool fresh;       /**< first appearance of @p to */
};

struct timeline_format {
  const char *name;       /**< "csv" */
  const char *help;       /**< one line */
  const char *endings[3]; /**< of file names, as ".csv"; the last is NULL */
  void (*begin)(FILE *f, const struct timeline_rows *rows);
  void (*change)(FILE *f, const struct timeline_change *c);
  void (*end)(FILE *f);
};

/** Of struct timeline_format. */
extern const struct registry timeline_formats;

/** The format that has the ending of a file's name; fails if none has. */
enum status timeline_format_of(const char *path, const struct timeline_format **out, struct err *e);

struct timeline;

/** Begins a timeline on @p f, which the caller closes and checks for errors.  On success *out is
 *  the caller's: timeline_free(). */
enum status timeline_new(struct timeline **out, const struct timeline_format *format, FILE *f,
                         uint32_t ranks, struct err *e);

/** Accepts NULL. */
void timeline_free(struct timeline *t);

/** Notes the state of a rank from simulated time @p at on (s, not below that of the last call).
 *  @p state outlives the timeline and is one of at most TIMELINE_STATES; NULL: it has ended. */
void timeline_note(struct timeline *t, uint32_t rank, const char *state, double at);

/** Writes the last instant and the end of the file, once all ranks have ended. */
void timeline_finish(struct timeline *t);

#define TIMELINE_STATES 64

#endif

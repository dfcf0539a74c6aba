/** @file timeline.h
 *  What each rank did when, written as the run goes: its changes of state in order of time, of
 *  one instant in order of ranks.  Equal states that follow each other are one, and those that
 *  last no time are left out.  Memory: some words a rank, whatever the length of the run.
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

/** A rank stops doing one thing and starts another. */
struct timeline_change {
  uint32_t rank;
  const char *from; /**< NULL: the rank has only begun */
  double since;     /**< start of that, in s */
  const char *to;   /**< NULL: the rank has ended */
  double at;        /**< in s, > since */
  uint32_t state;   /**< number of @p to, from 0 by first appearance */
  bool fresh;       /**< it has not appeared before */
};

struct timeline_format {
  const char *name;       /**< "csv" */
  const char *help;       /**< one line */
  const char *endings[3]; /**< of file names, as ".csv"; the last is NULL */
  void (*begin)(FILE *f, uint32_t ranks);
  void (*change)(FILE *f, const struct timeline_change *c);
  void (*end)(FILE *f);
};

/** Row @p i of the table, and its name; NULL past the last. */
const struct timeline_format *timeline_format_at(size_t i);
const char *timeline_format_name(size_t i);

enum status timeline_format_find(const char *name, const struct timeline_format **out,
                                 struct err *e);

/** The format that the ending of a file's name says. */
enum status timeline_format_of(const char *path, const struct timeline_format **out, struct err *e);

struct timeline;

/** Begins one on @p f, which stays the caller's, as its failures do.  The caller's:
 *  timeline_free(). */
enum status timeline_new(struct timeline **out, const struct timeline_format *format, FILE *f,
                         uint32_t ranks, struct err *e);
void timeline_free(struct timeline *t);

/** From @p at (s, never below the call's before) on the rank does @p state, a name that outlives
 *  the timeline and is one of at most TIMELINE_STATES; NULL: it has ended. */
void timeline_note(struct timeline *t, uint32_t rank, const char *state, double at);

/** Writes what is left, once all ranks have ended. */
void timeline_finish(struct timeline *t);

#define TIMELINE_STATES 64

#endif

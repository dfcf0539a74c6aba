/** @file loops.h
 *  The loops around communication, and the loops that the user reduces: --loops NAME=COUNT.
 */
#pragma once

#include "predict/instrument/comm.h"
#include "predict/instrument/source/edits.h"
#include "predict/instrument/source/tree.h"

/** Selection of loops by the user: "NAME=COUNT" or "FILE:LINE=COUNT", each also with
 *  "COUNT/REAL". */
struct loop_spec {
  char name[160];       /**< a word of the loop's header; "": selected by place */
  char path[160];       /**< last components of the path of the file */
  uint64_t line, count; /**< rounds in the timing program */
  uint64_t real;        /**< rounds in the real program; 0: the program computes them */
  bool used, assigned;  /**< set by loops_find(): a loop matches; `real` replaces the values
                             assigned to NAME */
};

struct loop_specs {
  struct loop_spec *spec; /**< owned */
  size_t count, room;
};

/** Parses a selection, which it overwrites, and adds it. */
enum status loop_specs_add(struct loop_specs *s, char *text, struct err *e);
void loop_specs_clear(struct loop_specs *s);

struct loop {
  uint32_t node;
  const struct loop_spec *spec; /**< NULL: not selected */
  uint32_t clock;               /**< node that reads the clock for the loop's bound, or TREE_NONE */
};

struct loops {
  struct loop *loop; /**< in text order, function by function; owned */
  uint32_t count;
  size_t room;
  uint32_t *fixed; /**< expressions with values given by the user (slice.h); owned */
  size_t fixed_count, fixed_room;
};

/** Finds the loops and their selections; fails if a selection matches no loop. */
enum status loops_find(struct loops *l, const struct tree *t, const struct comm *c,
                       struct loop_specs *specs, struct err *e);

/** The timing program bounds the rounds of a loop.  If the condition of a loop is replaced, the
 *  counting program makes the real number of rounds, the program apart the reduced number. */
enum loops_use { LOOPS_TIMING, LOOPS_APART, LOOPS_COUNTING };

/** Adds the edits for one of the programs. */
enum status loops_edit(const struct loops *l, const struct tree *t, enum loops_use use,
                       struct edits *out, struct err *e);

/** Accepts a zeroed struct. */
void loops_clear(struct loops *l);

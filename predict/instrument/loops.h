/** @file loops.h
 *  The loops around communication, and which of them the user reduces: --loops NAME=COUNT.
 */
#ifndef PREDICT_INSTRUMENT_LOOPS_H
#define PREDICT_INSTRUMENT_LOOPS_H

#include "predict/instrument/comm.h"
#include "predict/instrument/edits.h"
#include "predict/instrument/tree.h"

/** What the user says of a loop: "NAME=COUNT", "FILE:LINE=COUNT", each also "COUNT/REAL". */
struct loop_spec {
  char name[160];       /**< a word of the loop's header; "": by place */
  char path[160];       /**< the end of the file's path */
  uint64_t line, count; /**< rounds in the timing program */
  uint64_t real;        /**< rounds in truth; 0: the program knows */
  bool used, assigned;  /**< set by loops_find(): `real` replaces what is assigned to NAME */
};

struct loop_specs {
  struct loop_spec *spec; /**< owned */
  size_t count, room;
};

/** Reads one. */
enum status loop_specs_add(struct loop_specs *s, char *text, struct err *e);
void loop_specs_clear(struct loop_specs *s);

struct loop {
  uint32_t node;
  const struct loop_spec *spec; /**< NULL: not reduced */
  uint32_t clock;               /**< the node that reads the clock for its bound; TREE_NONE */
};

struct loops {
  struct loop *loop; /**< in the order of the text of each function; owned */
  uint32_t count;
  size_t room;
  uint32_t *fixed; /**< expressions whose value is given by the user (slice.h); owned */
  size_t fixed_count, fixed_room;
};

/** Finds the loops and what is given of them; refuses a spec of which there is no loop. */
enum status loops_find(struct loops *l, const struct tree *t, const struct comm *c,
                       struct loop_specs *specs, struct err *e);

/** Timing bounds the rounds; counting has the real ones, and apart the reduced ones, where the
 *  condition of a loop is not evaluated. */
enum loops_use { LOOPS_TIMING, LOOPS_APART, LOOPS_COUNTING };

/** Adds the edits of one of the programs. */
enum status loops_edit(const struct loops *l, const struct tree *t, enum loops_use use,
                       struct edits *out, struct err *e);

/** Accepts a zeroed one. */
void loops_clear(struct loops *l);

#endif

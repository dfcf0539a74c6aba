/** @file slice.h
 *  What of a program stays so that it passes the same marks as often as the whole: a backward
 *  slice (Weiser, Program slicing, ICSE 1981) from the conditions, loops and jumps that decide
 *  which marks are passed, over classes of variables (effects.h), without regard to the order
 *  of statements.
 *
 *  MPI is taken to succeed: a call that does not stay has the value MPI_SUCCESS.
 */
#ifndef PREDICT_INSTRUMENT_SLICE_H
#define PREDICT_INSTRUMENT_SLICE_H

#include "predict/instrument/comm.h"
#include "predict/instrument/effects.h"
#include "predict/instrument/messages.h"
#include "predict/instrument/tree.h"

struct slice_job {
  const struct tree *t;
  const struct comm *c;
  struct effects *x;
  const uint32_t *fixed; /**< expressions whose value is given: they are not evaluated */
  size_t fixed_count;
  uint32_t only;      /**< a loop: what its header needs, and nothing else; TREE_NONE: all marks */
  bool communicating; /**< all calls of MPI stay, with where data lies, but not with the data */
};

/** One a node: does it stay?  Of a control statement, its header; of a call of MPI, the call. */
struct slice {
  bool *stays;    /**< owned */
  uint32_t *why;  /**< for each node that stays, a class that it sets; TREE_NONE; owned */
  uint32_t *asks; /**< for each class, the node that first needed it; owned */
  uint32_t clock; /**< a node that stays and reads the clock; TREE_NONE */
  bool *live;     /**< for each symbol: does a part of the function stay?; owned */
  bool *returns;  /**< for each symbol: does what the function returns matter?; owned */
};

enum status slice_find(struct slice *s, const struct slice_job *job, struct err *e);

/** Accepts a zeroed one. */
void slice_clear(struct slice *s);

/** Can the text of a call of MPI be replaced by its value? */
bool slice_replaceable(const struct tree *t, uint32_t call);

#endif

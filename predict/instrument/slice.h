/** @file slice.h
 *  The part of a program that must stay so that it passes the same marks as often as the whole
 *  program: a backward slice (Weiser, Program slicing, ICSE 1981) from the conditions, loops and
 *  jumps that decide which marks are passed.  It works on classes of variables (effects.h) and
 *  ignores the order of statements.
 *
 *  MPI is assumed to succeed: a call that does not stay has the value MPI_SUCCESS.
 */
#pragma once

#include "predict/instrument/comm.h"
#include "predict/instrument/effects.h"
#include "predict/instrument/source/messages.h"
#include "predict/instrument/source/tree.h"

struct slice_job {
  const struct tree *t;
  const struct comm *c;
  struct effects *x;
  const uint32_t *fixed; /**< expressions with given values: they are not evaluated */
  size_t fixed_count;
  uint32_t only;      /**< a loop: only the part that its header needs; TREE_NONE: all marks */
  bool communicating; /**< all calls of MPI stay, with the addresses of their data but not with the
                           data */
};

/** A slice. stays: by node, true if the node stays; for a control statement its header, for a call
 *  of MPI the call. */
struct slice {
  bool *stays;    /**< owned */
  uint32_t *why;  /**< by node that stays: a class that it sets, or TREE_NONE; owned */
  uint32_t *asks; /**< by class: the node that first needed it; owned */
  uint32_t clock; /**< a node that stays and reads the clock, or TREE_NONE */
  bool *live;     /**< by symbol: a part of the function stays; owned */
  bool *returns;  /**< by symbol: the result of the function matters; owned */
};

/** Computes the slice, in passes over the program until a pass adds nothing.  The caller frees *s
 *  with slice_clear(); on failure *s is cleared. */
enum status slice_find(struct slice *s, const struct slice_job *job, struct err *e);

/** Accepts a zeroed struct. */
void slice_clear(struct slice *s);

/** True if the text of a call of MPI can be replaced by its value. */
bool slice_replaceable(const struct tree *t, uint32_t call);

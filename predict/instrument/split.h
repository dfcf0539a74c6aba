/** @file split.h
 *  Splits a program into blocks: each statement with a call of MPI is a block of communication, and
 *  the code between forms blocks of computation.  A block begins at its mark and ends at the next
 *  mark passed, in any function: the blocks partition the time of a run.
 */
#pragma once

#include "predict/instrument/comm.h"
#include "predict/instrument/source/edits.h"
#include "predict/instrument/source/tree.h"

struct block {
  bool communication;
  uint32_t node;            /**< its first statement, or the expression of a header */
  uint32_t line, last_line; /**< lines of its text */
  uint32_t call;            /**< first call of MPI, or TREE_NONE */
};

struct split {
  struct block *block; /**< owned */
  uint32_t count;
  size_t room;
  struct edits marks; /**< edits that insert the marks */
};

/** Splits all functions that communicate. */
enum status split_blocks(struct split *s, const struct tree *t, const struct comm *c,
                         struct err *e);

/** Accepts a zeroed struct. */
void split_clear(struct split *s);

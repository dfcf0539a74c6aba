/** @file comm.h
 *  Which calls of a program communicate, and which functions reach them; what an MPI function is.
 */
#ifndef PREDICT_INSTRUMENT_COMM_H
#define PREDICT_INSTRUMENT_COMM_H

#include <stdbool.h>
#include <stdint.h>

#include "predict/instrument/messages.h"
#include "predict/instrument/tree.h"

/** What keeps calls of MPI together: if one of the calls of a family stays, all do. */
enum comm_family {
  COMM_NOT,       /**< no MPI function, or one that only tells: MPI_Wtime() */
  COMM_ALWAYS,    /**< begins or ends the program */
  COMM_LOCAL,     /**< no other rank takes part: MPI_Comm_rank() */
  COMM_MESSAGES,  /**< point to point */
  COMM_WINDOWS,   /**< one-sided */
  COMM_COLLECTIVE /**< a family with all calls of the same function */
};

enum comm_family comm_family_of(const char *name);

/** For each node: is a call that communicates, or one of a function that does, at or below it?  For
 *  each symbol: does the function communicate?  For each node: a call of MPI itself at or below. */
struct comm {
  bool *reaches, *direct; /**< a node; owned */
  bool *function;         /**< a symbol; owned */
};

enum status comm_find(struct comm *c, const struct tree *t, struct err *e);

/** Accepts a zeroed one. */
void comm_clear(struct comm *c);

/** The first call of MPI at or below a node, itself not below a call of a function of the program;
 *  TREE_NONE. */
uint32_t comm_first(const struct tree *t, uint32_t node);

/** Adds what cannot be split into blocks to @p said: calls through pointers, long jumps, calls in
 *  parallel regions, and programs without MPI. */
void comm_refuse(const struct comm *c, const struct tree *t, struct messages *said);

#endif

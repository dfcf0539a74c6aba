/** @file comm.h
 *  Finds the calls of a program that communicate and the functions that reach them; classifies the
 *  functions of MPI.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "predict/instrument/source/messages.h"
#include "predict/instrument/source/tree.h"

/** Families of MPI functions: if one call of a family stays in a slice (slice.h), all calls of the
 *  family stay. */
enum comm_family {
  COMM_NOT,       /**< no MPI function, or one that only returns information: MPI_Wtime() */
  COMM_ALWAYS,    /**< begins or ends the program */
  COMM_LOCAL,     /**< no other rank takes part: MPI_Comm_rank() */
  COMM_MESSAGES,  /**< point to point */
  COMM_WINDOWS,   /**< one-sided */
  COMM_COLLECTIVE /**< each function is a family of its own */
};

/** Family of the function @p name; COMM_COLLECTIVE for an MPI function that no other family has. */
enum comm_family comm_family_of(const char *name);

/** reaches: the node or a node below it calls MPI, or a function that communicates.
 *  direct: the node or a node below it calls MPI itself.  function: the function communicates. */
struct comm {
  bool *reaches, *direct; /**< by node; owned */
  bool *function;         /**< by symbol; owned */
};

/** Finds the calls and functions that communicate.  The caller frees *c with comm_clear(). */
enum status comm_find(struct comm *c, const struct tree *t, struct err *e);

/** Accepts a zeroed struct. */
void comm_clear(struct comm *c);

/** The first call of MPI at or below a node, not in the functions that it calls; TREE_NONE if there
 *  is none. */
uint32_t comm_first(const struct tree *t, uint32_t node);

/** Adds to @p said a message for each construct that cannot be split into blocks: calls through
 *  pointers, long jumps, calls in parallel regions, functions made by macros and assembly with
 *  operands that communicate, and a program without MPI. */
void comm_refuse(const struct comm *c, const struct tree *t, struct messages *said);

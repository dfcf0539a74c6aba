/** @file effects.h
 *  The reads and writes of a piece of a program.  Variables, and the objects that pointers point
 *  to, are grouped into classes: two objects that one pointer may reach are in the same class
 *  (Steensgaard, Points-to analysis in almost linear time, POPL 1996).  A record and its fields are
 *  in one class; so are an array and its elements.
 *
 *  A call through a pointer calls any function of the program whose address is used.  A function
 *  without a body calls the functions that are its arguments.
 *
 *  The result is conservative under two assumptions: a function that a system header declares
 *  writes only variables that are passed to it, and an unknown function writes no static variables.
 */
#pragma once

#include "predict/instrument/source/tree.h"

/** Classes for hidden state, which no variable names. */
enum effects_hidden { HIDDEN_RANDOM, HIDDEN_INPUT, HIDDEN_OPTIONS, HIDDEN_OTHER, HIDDEN_COUNT };

struct effects {
  const struct tree *t;
  uint32_t *same;    /**< union-find over classes; owned */
  uint32_t *pointee; /**< of a representative: the class it points to; TREE_NONE: none yet; owned */
  uint32_t *of;      /**< class of each symbol; of a function: class of its result; owned */
  uint32_t *made;    /**< by call: class of the object that it allocates or returns, or TREE_NONE;
                          owned */
  bool *taken;       /**< by symbol: a function with a body whose address is used; owned */
  uint32_t classes;
  size_t same_room, pointee_room;
  uint32_t hidden[HIDDEN_COUNT];
  bool failed; /**< out of memory */
};

/** Groups the objects of a program into classes.  @p t must outlive *x.  The caller frees *x with
 *  effects_clear(); on failure *x is cleared. */
enum status effects_new(struct effects *x, const struct tree *t, struct err *e);

/** Accepts a zeroed struct. */
void effects_clear(struct effects *x);

/** The class that represents all classes unified with @p class. */
uint32_t effects_class(const struct effects *x, uint32_t class);

/** Effects that a visitor sees.  `what` of see() is a class, a symbol or a node. */
enum effect {
  EFFECT_READ,    /**< of a class */
  EFFECT_WRITE,   /**< of a class */
  EFFECT_CALL,    /**< of a symbol: a function with a body */
  EFFECT_EXIT,    /**< of a symbol: a function that does not return */
  EFFECT_CLOCK,   /**< of a symbol: a function that tells the time */
  EFFECT_UNKNOWN, /**< of a symbol, or TREE_NONE for a pointer: a function that may write any
                       variable that is not static */
  EFFECT_MPI      /**< of a node: a call of MPI; its effects are visited by effects_visit_mpi() */
};

struct effects_visitor {
  void (*see)(void *context, enum effect effect, uint32_t what);
  void *context;
  /** True if argument @p i of a call of function @p symbol is needed; NULL: all are. */
  bool (*wants)(void *context, uint32_t symbol, uint32_t i);
  /** True if the value of a call of a function with a body is used; NULL: always. */
  bool (*value_of)(void *context, uint32_t call);
};

/** Visits the reads, writes and calls of the evaluation of @p node.  Calls of MPI are reported
 *  without their effects. */
void effects_visit(struct effects *x, uint32_t node, const struct effects_visitor *v);

/** Visits the reads and writes of a call of MPI.  With @p contents the data that it sends counts as
 *  read, too. */
void effects_visit_mpi(struct effects *x, uint32_t call, bool contents,
                       const struct effects_visitor *v);

/** The class of the variable that a name or declaration refers to. */
uint32_t effects_variable(const struct effects *x, uint32_t symbol);

/** @file effects.h
 *  What a piece of a program reads and writes.  Variables, and what pointers point to, are
 *  sorted into classes: two that a pointer may reach both are of one class (Steensgaard,
 *  Points-to analysis in almost linear time, POPL 1996).  Fields of a record and elements of an
 *  array are of its class.
 *
 *  Conservative but for what no call does in practice: a library function of a system header
 *  does not write variables that it is not given, and an unknown one none that is static.
 */
#ifndef PREDICT_INSTRUMENT_EFFECTS_H
#define PREDICT_INSTRUMENT_EFFECTS_H

#include "predict/instrument/tree.h"

/** Classes of what has no variable. */
enum effects_hidden { HIDDEN_RANDOM, HIDDEN_INPUT, HIDDEN_OPTIONS, HIDDEN_OTHER, HIDDEN_COUNT };

struct effects {
  const struct tree *t;
  uint32_t *same;    /**< union-find over classes; owned */
  uint32_t *pointee; /**< of the class that represents; TREE_NONE: nothing yet; owned */
  uint32_t *of;      /**< class of each symbol, of a function: of what it returns; owned */
  uint32_t *made;    /**< class of what each call allocates or returns; TREE_NONE; owned */
  uint32_t classes;
  size_t same_room, pointee_room;
  uint32_t hidden[HIDDEN_COUNT];
  bool failed; /**< out of memory */
};

enum status effects_new(struct effects *x, const struct tree *t, struct err *e);

/** Accepts a zeroed one. */
void effects_clear(struct effects *x);

/** The class that stands for all that are the same. */
uint32_t effects_class(const struct effects *x, uint32_t class);

enum effect {
  EFFECT_READ,    /**< a class */
  EFFECT_WRITE,   /**< a class */
  EFFECT_CALL,    /**< a symbol: a function with a body */
  EFFECT_EXIT,    /**< a symbol: a function that does not return */
  EFFECT_CLOCK,   /**< a symbol: a function that tells the time */
  EFFECT_UNKNOWN, /**< a symbol, or TREE_NONE for a pointer: may write any variable but static ones
                   */
  EFFECT_MPI      /**< a node: a call of MPI, whose effects the visitor asks for if it wants them */
};

struct effects_visitor {
  void (*see)(void *context, enum effect effect, uint32_t what);
  void *context;
  /** Is argument @p i of a call of function @p symbol wanted?  NULL: all are. */
  bool (*wants)(void *context, uint32_t symbol, uint32_t i);
  /** Is the value of a call of a function with a body used?  NULL: yes. */
  bool (*value_of)(void *context, uint32_t call);
};

/** Visits what the evaluation of @p node reads, writes and calls; calls of MPI are only named. */
void effects_visit(struct effects *x, uint32_t node, const struct effects_visitor *v);

/** What a call of MPI reads and writes.  @p contents: the data that it sends counts as read, too.
 */
void effects_visit_mpi(struct effects *x, uint32_t call, bool contents,
                       const struct effects_visitor *v);

/** The class of the variable that a name or declaration names. */
uint32_t effects_variable(const struct effects *x, uint32_t symbol);

#endif

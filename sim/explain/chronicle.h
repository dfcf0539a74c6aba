/** @file chronicle.h
 *  The states of actors, and the messages between them, in a recorded run.  They are collected in a
 *  pass backwards through the run (rewind.h): the state or message that ended last comes first.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "sim/explain/path.h"
#include "sim/explain/rewind.h"

/** An actor computes, sleeps or waits. */
struct chronicle_state {
  double begin, end; /**< s */
  uint32_t actor;
  uint8_t kind;   /**< enum step_kind */
  uint8_t action; /**< index for causes_action() */
};

/** A transfer, from the post of its later side on. */
struct chronicle_message {
  double begin, end; /**< s */
  double bytes;      /**< envelope included */
  double alone_s;    /**< time that it would take without other messages */
  uint32_t src, dst; /**< actors */
  bool critical;     /**< on the critical path */
};

/** Empty if zeroed. */
struct chronicle {
  struct chronicle_state *state;
  struct chronicle_message *message;
  size_t states, messages;
  size_t state_room, message_room;
  uint32_t *open; /**< by flow: index of its message + 1 while the pass is between the end and the
                     start of the message; 0: none */
};

/** Begins at the end of the run.  Free with chronicle_clear(), also after a failure. */
enum status chronicle_begin(struct chronicle *c, const struct rewind *r, struct err *e);

/** Takes an event that rewind_next() has read, before path_event() and rewind_undo(). */
enum status chronicle_event(struct chronicle *c, const struct rewind *r, const struct walk *w,
                            struct err *e);

/** Accepts a zeroed struct. */
void chronicle_clear(struct chronicle *c);

/** The loads of some links over time: the mean of each interval, relative to the bandwidth. */
struct link_use {
  const uint32_t *link; /**< of the maxmin */
  uint32_t links, intervals;
  float *use; /**< [link * intervals + interval]; the intervals divide the run equally */
};

/** Fills u->use, which the caller has zeroed, in a pass of its own through the run.  O(events +
 *  flows on these links, at each change of rates). */
enum status link_use_find(struct link_use *u, const struct causes *c, struct err *e);

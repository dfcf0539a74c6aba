/** @file rewind.h
 *  Reads a recorded run (sim/flow/causes.h) backwards and restores the state of the network before
 *  each event: the flows in progress, the links that each uses, their bottlenecks and the levels of
 *  the links.  Knows no causes and no derivatives: path.c and adjoint.c are its readers.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "sim/flow/causes.h"
#include "sim/flow/maxmin.h"
#include "sim/flow/tape.h"

/** A flow on a link. */
struct rewind_use {
  uint32_t flow;
  uint32_t hop;  /**< index in the flow's use[] */
  double weight; /**< load / level: share / penalty */
};

struct rewind_link {
  double level;           /**< as in maxmin.h */
  struct rewind_use *use; /**< flows that share it, in no order; a flow may use a link twice */
  uint32_t uses;
  bool spare; /**< it is full and stops no flow: maxmin_is_spare() */
  size_t room;
};

/** A flow.  The fields read most often come first. */
struct rewind_flow {
  uint32_t bottleneck;
  uint32_t uses;  /**< 0: shares no links */
  uint32_t forth; /**< hops from this index on are on the way back, with a share below 1 */
  bool twice;     /**< it uses a link twice */
  double cap;     /**< out.cap */
  struct maxmin_use *use;
  struct causes_out out; /**< valid from its end, seen backwards, to its start */
  uint32_t *place;       /**< by hop: index in the link's use[] */
  size_t use_room, place_room;
};

/** The event that rewind_next() has read last.  The state is the state after it until
 *  rewind_undo().  A date is no event:
 *  see rewind.now. */
struct rewind_event {
  enum causes_kind kind;
  union {
    struct causes_step step;
    struct causes_begin begin;
    struct causes_start start;
    struct causes_in in;
    struct causes_out out;
    struct causes_wake wake;
    struct causes_settle settle; /**< with link[] and flow[] below */
    struct causes_change change;
  } as;
  /** Changes of the last settle; they stay until the next one is read. */
  struct causes_link *link;     /**< links whose level changed */
  struct causes_flow *flow;     /**< flows whose bottleneck changed */
  uint32_t *spare;              /**< links that became spare, or ceased to be */
  const struct maxmin_use *use; /**< links of a flow that has shared links, for CAUSES_OUT */
  uint32_t links, flows, spares, uses;
};

struct rewind {
  const struct causes *causes;
  struct flow_net *net;
  struct tape_reader tape;
  double now; /**< simulated time in s of the last event */
  struct rewind_link *link;
  struct rewind_flow *flow;
  uint32_t links, flows;
  uint32_t spares; /**< links that are spare */
  struct rewind_event event;
  size_t link_room, flow_room, spare_room;
  struct tape_record record; /**< read last */
  bool held; /**< it was read after the changes of a settle, and is the next event */
};

/** Starts at the end of the run.  @p c must outlive it.  Free with rewind_clear(), also after a
 *  failure. */
enum status rewind_start(struct rewind *r, const struct causes *c, struct err *e);

void rewind_clear(struct rewind *r);

/** Reads the event before the current state; *more is false at the start of the run. */
enum status rewind_next(struct rewind *r, bool *more, struct err *e);

/** True if the event changes the state of the network.  rewind_undo() has no effect on others. */
static inline bool rewind_changes(const struct rewind *r)
{
  const enum causes_kind kind = r->event.kind;
  return kind == CAUSES_IN || kind == CAUSES_OUT || kind == CAUSES_SETTLE;
}

/** Restores the state before the event that rewind_next() has read. */
enum status rewind_undo(struct rewind *r, struct err *e);

/** The level of a flow that shares links: rate times penalty. */
static inline double rewind_level(const struct rewind *r, uint32_t flow)
{
  const struct rewind_flow *f = &r->flow[flow];
  if (f->bottleneck == MAXMIN_NONE)
    return f->cap;
  return f->bottleneck == CAUSES_ABSENT ? 0 : r->link[f->bottleneck].level;
}

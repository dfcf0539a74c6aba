/** @file causes.h
 *  Records on a tape (tape.h) why each event of a run of engine flow happens when it does: the
 *  steps of actors, the start and end of transfers, and the changes of links' levels and flows'
 *  bottlenecks (maxmin.h).  Changes are stored for each link, as the engine computes them, not for
 *  each flow. sim/explain/ reads the tape backwards.  Nothing is recorded if engine_config.causes
 *  is NULL.
 *
 *  Each record holds the state before the event, so that a backward reader can restore it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "sim/driver.h"
#include "sim/engine.h"
#include "sim/flow/net.h"
#include "sim/flow/tape.h"

/** The kinds of records, each a struct causes_KIND. */
enum causes_kind {
  CAUSES_DATE,   /**< time advances */
  CAUSES_STEP,   /**< an actor resumes after a step that took time, or ends */
  CAUSES_BEGIN,  /**< an actor begins a computation */
  CAUSES_START,  /**< a transfer starts with its latency */
  CAUSES_IN,     /**< a flow begins to share links */
  CAUSES_OUT,    /**< a flow ends, or leaves its links because one of them changes */
  CAUSES_WAKE,   /**< an actor is woken */
  CAUSES_SETTLE, /**< rates change; the records of links and flows before this one belong to it */
  CAUSES_LINK,   /**< a link has another level */
  CAUSES_FLOW,   /**< a flow has another bottleneck */
  CAUSES_SPARE,  /**< a link becomes spare (maxmin_is_spare()), or ceases to be spare */
  CAUSES_CHANGE  /**< a profile changes a host or a link */
};

/** The bottleneck of a flow that shares no links yet. */
#define CAUSES_ABSENT (MAXMIN_NONE - 1)

/** Upper limit of the number of different actions. */
enum { CAUSES_ACTIONS = 128 };

/** No actor, flow or rank. */
#define CAUSES_NONE UINT32_MAX

struct causes_date {
  double before; /**< s */
};

/** What ended a step. */
enum causes_reason {
  CAUSES_TIME,
  CAUSES_TRANSFER,
  CAUSES_WOKEN,
  CAUSES_END,
  CAUSES_EARLY /**< a wait for a transfer that had ended, at date `begin`: it took no time */
};

struct causes_step {
  double begin; /**< s */
  uint32_t actor;
  uint32_t by;              /**< the flow, for CAUSES_TRANSFER and CAUSES_EARLY */
  uint32_t line, iteration; /**< struct driver_where; 0: unknown */
  uint8_t kind, cause;      /**< enum step_kind, enum causes_reason */
  uint8_t action;           /**< index in causes_action() */
  uint8_t poll;             /**< the time of a test or probe */
  double amount;            /**< of STEP_EXEC and STEP_BUSY: flops */
};

/** Bytes of a record of any other step, which has no amount. */
#define CAUSES_STEP_SIZE offsetof(struct causes_step, amount)

struct causes_begin {
  uint32_t actor;
};

struct causes_start {
  uint32_t flow, actor; /**< the actor that has posted the later side */
  uint32_t other;       /**< the other actor if the transfer needs both sides, or CAUSES_NONE */
  float slack;          /**< s since the other actor has posted its side, or less */
};

/** The last event on the links of a flow before the flow begins or ends: another flow has begun or
 *  ended on one of them. */
struct causes_near {
  uint32_t link; /**< MAXMIN_NONE: no event */
  float slack;   /**< s since then */
};

struct causes_in {
  uint32_t flow;
  struct causes_near near;
};

struct causes_out {
  double bytes, penalty, factor, latency_s; /**< struct flow_message; envelope included */
  double cap;                               /**< maxmin_cap() of the flow */
  uint32_t flow, src, dst;                  /**< actors */
  uint32_t bottleneck;
  struct causes_near near; /**< valid if it shared links */
  uint8_t ended, shared;   /**< shared: it shared links */
};

struct causes_wake {
  uint32_t actor, by; /**< by: an actor, or a flow that has arrived */
  uint32_t by_flow;   /**< 1: a flow */
};

struct causes_settle {
  uint32_t events; /**< number of flows that have begun or ceased to share links since the last
                      CAUSES_SETTLE */
};

struct causes_link {
  double before; /**< level */
  uint32_t link;
  float slack; /**< s since its level changed last */
};

struct causes_flow {
  uint32_t flow, before; /**< bottleneck */
};

struct causes_spare {
  uint32_t link;
};

struct causes_change {
  uint32_t target, kind; /**< enum profile_kind */
};

struct causes;

/** Creates an empty record for one run: set engine_config.causes.  @p e receives errors of the run.
 *  The caller frees *out with causes_free(). */
enum status causes_new(struct causes **out, struct err *e);

/** Accepts NULL. */
void causes_free(struct causes *r);

/* Called by the engine.  Failures are kept: see causes_failed(). */

enum status causes_attach(struct causes *r, const struct engine_config *c, const struct driver *d,
                          struct flow_net *net, struct err *e);
/** Takes over the net from the engine; false if causes_attach() has not been called. */
bool causes_finish(struct causes *r);
/** Time advances from date @p before (s). */
void causes_advance(struct causes *r, double before);
/** The step of @p actor is over. */
void causes_resume(struct causes *r, uint32_t actor, double now);
/** @p actor begins @p step. */
void causes_take(struct causes *r, uint32_t actor, const struct step *step, double now);
/** @p flow has ended a wait of @p actor. */
void causes_awaited(struct causes *r, uint32_t actor, uint32_t flow);
/** Transfer @p t starts as flow @p flow. */
void causes_start(struct causes *r, uint32_t flow, const struct transfer *t);
/** @p actor begins to wait for @p flow, which has ended before. */
void causes_over(struct causes *r, uint32_t actor, uint32_t flow, double now);
/** After the flow has entered the maxmin. */
void causes_in(struct causes *r, uint32_t flow, double now);
/** Before the flow leaves the maxmin.  Sets the fields cap, bottleneck and near of @p out. */
void causes_out(struct causes *r, struct causes_out *out, double now);
/** @p flow has arrived and may wake actors, until the next call; CAUSES_NONE: none. */
void causes_arrive(struct causes *r, uint32_t flow);
void causes_wake(struct causes *r, uint32_t actor);
void causes_settle(struct causes *r, double now);
void causes_change(struct causes *r, uint32_t target, uint32_t kind);
bool causes_failed(const struct causes *r);

/* Read after the run. */

/** Identity of an actor. */
struct causes_actor {
  uint32_t job, rank; /**< CAUSES_NONE: not a rank of a program */
  uint32_t host;
  double flops;     /**< full speed of its host in flop/s */
  const char *file; /**< of its trace, owned by the trace; NULL: unknown */
};

const struct tape *causes_tape(const struct causes *r);
uint32_t causes_actors(const struct causes *r);
struct causes_actor causes_actor(const struct causes *r, uint32_t actor);
/** True if the actor computes when the run ends. */
bool causes_computes(const struct causes *r, uint32_t actor);
/** Name of the action that has a number; "" for unknown. */
const char *causes_action(const struct causes *r, uint8_t number);
/** The routes of the run. */
struct flow_net *causes_net(const struct causes *r);
/** Number of flow numbers used. */
uint32_t causes_flows(const struct causes *r);
/** Level of a link at the end. */
double causes_level(const struct causes *r, uint32_t link);
/** True if the link is spare at the end (maxmin_is_spare()). */
bool causes_is_spare(const struct causes *r, uint32_t link);
/** The first of the actors that ended at the date of the last end; CAUSES_NONE: none has ended. */
uint32_t causes_first(const struct causes *r);
/** Date in s when the last step of an actor began: its end, if it has ended. */
double causes_last(const struct causes *r, uint32_t actor);
/** Simulated time at the end, in s. */
double causes_end(const struct causes *r);

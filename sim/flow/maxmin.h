/** @file maxmin.h
 *  Weighted max-min fair sharing of links among flows, kept up to date while flows come and go:
 *  only what changes is computed.  Knows no time, no routes and no SimGrid.
 *
 *  A flow of penalty p takes share * rate of each link that it uses.  Its level is rate * p.  The
 *  solution is SimGrid's (MaxMin::maxmin_solve in src/kernel/lmm/maxmin.cpp of 3.32): levels rise
 *  together from 0; a flow stops at its own bound, or when one of its links (its bottleneck) is
 *  full.  A link has the level of the flows that it stops, INFINITY if it stops none.  A fat link
 *  ("fat pipe") does not divide its capacity: it stops all of its flows once one flow takes it all.
 *
 *  docs/developers/flow-engine.md has the algorithm, why it ends at the solution, and its cost.
 */
#ifndef SIM_FLOW_MAXMIN_H
#define SIM_FLOW_MAXMIN_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"

struct maxmin;

/** Both the number of links and that of flows stay below this. */
#define MAXMIN_MOST (UINT32_C(1) << 26)

/** No link. */
#define MAXMIN_NONE UINT32_MAX

/** One link of a flow.  One maxmin has at most 64 different shares. */
struct maxmin_use {
  uint32_t link;
  double share; /**< of the flow's rate, > 0 */
};

struct maxmin_flow_spec {
  double penalty; /**< > 0 */
  double bound;   /**< of the rate, > 0; INFINITY: none */
  const struct maxmin_use
      *use;      /**< of a link named twice shares add up; on a fat one the larger counts */
  uint32_t uses; /**< at least 1 */
};

/** Without links and flows; on success *out is the caller's: maxmin_free(). */
enum status maxmin_new(struct maxmin **out, struct err *e);

/** Accepts NULL. */
void maxmin_free(struct maxmin *m);

/** Adds a link; numbers rise from 0.  @p capacity has the unit of rates; *link is untouched on
 *  failure. */
enum status maxmin_add_link(struct maxmin *m, double capacity, bool fat, uint32_t *link,
                            struct err *e);

/** Changes the capacity of a link that no flow uses now. */
void maxmin_set_capacity(struct maxmin *m, uint32_t link, double capacity);

/** Adds a flow under a number of the caller's choice that is not in use; memory grows with the
 *  largest number.  Its rate is valid after maxmin_settle().  On failure nothing has changed. */
enum status maxmin_add(struct maxmin *m, uint32_t flow, const struct maxmin_flow_spec *s,
                       struct err *e);

/** Removes a flow, whose number may then be used again. */
void maxmin_remove(struct maxmin *m, uint32_t flow);

/** Brings all rates up to date with the flows added and removed since the last call, within a
 *  relative error of about 1e-11. */
void maxmin_settle(struct maxmin *m);

/** What the last maxmin_settle() has changed, each once; valid until the next change.  Flows:
 *  those whose bottleneck may have changed, new ones included.  Links: those whose level or list
 *  may have changed.  A flow that is neither among the former nor in a list of the latter keeps its
 *  level. */
const uint32_t *maxmin_changed(const struct maxmin *m, uint32_t *count);
const uint32_t *maxmin_changed_links(const struct maxmin *m, uint32_t *count);

/** The link that stops the flow and has its level; MAXMIN_NONE if its bound does, or the capacity
 *  of a link that it fills alone. */
uint32_t maxmin_bottleneck(const struct maxmin *m, uint32_t flow);

/** The flow's rate * penalty. */
double maxmin_level(const struct maxmin *m, uint32_t flow);

/** The flows that the link stops, in no order; valid until the next change. */
const uint32_t *maxmin_list(const struct maxmin *m, uint32_t link, uint32_t *count);

/** Number of links. */
uint32_t maxmin_links(const struct maxmin *m);

/** The level of the flows that the link stops; INFINITY if it stops none.  A fat link that stops
 *  none may have the level of a flow whose own bound is equally low. */
double maxmin_link_level(const struct maxmin *m, uint32_t link);

#endif

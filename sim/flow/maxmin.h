/** @file maxmin.h
 *  Weighted max-min fair sharing of links among flows, kept up to date while flows come and go:
 *  only what changes is computed.  Knows no time, no routes and no SimGrid.
 *
 *  A flow of penalty p takes share * rate of each link that it uses.  Its level is rate * p.  The
 *  solution is SimGrid's (MaxMin::maxmin_solve in src/kernel/lmm/maxmin.cpp of 3.32): levels rise
 *  together from 0; a flow stops at its own bound, or when a link of its becomes full; a link whose
 *  flows are stopped by it has their level, any other has none (INFINITY).  A fat link ("fat pipe")
 *  does not divide its capacity: it stops all of its flows once the greediest takes it whole.
 *
 *  docs/flow-engine.md has the algorithm, why it ends at the solution, and its cost.
 */
#ifndef SIM_FLOW_MAXMIN_H
#define SIM_FLOW_MAXMIN_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"

struct maxmin;

/** Links and flows are fewer than this. */
#define MAXMIN_MOST (UINT32_C(1) << 26)

/** No link. */
#define MAXMIN_NONE UINT32_MAX

/** One link of a flow; the shares in one maxmin are at most 64 different numbers. */
struct maxmin_use {
  uint32_t link;
  double share; /**< of the flow's rate, > 0 */
};

struct maxmin_flow_spec {
  double penalty;               /**< > 0 */
  double bound;                 /**< of the rate, > 0; INFINITY: none */
  const struct maxmin_use *use; /**< a link twice: shares add up; on a fat link the larger counts */
  uint32_t uses;                /**< at least 1 */
};

enum status maxmin_new(struct maxmin **out, struct err *e);

/** Accepts NULL. */
void maxmin_free(struct maxmin *m);

/** A new link, numbered from 0 on; *link is untouched on failure. */
enum status maxmin_add_link(struct maxmin *m, double capacity, bool fat, uint32_t *link,
                            struct err *e);

/** Adds @p flow, a number of the caller's choice that is not in use, best a small one.  Its rate
 *  is right after maxmin_settle().  On failure nothing has changed. */
enum status maxmin_add(struct maxmin *m, uint32_t flow, const struct maxmin_flow_spec *s,
                       struct err *e);
void maxmin_remove(struct maxmin *m, uint32_t flow);

/** Brings all rates up to date; what came and went since the last call is one change.  Rates are
 *  right within a relative 1e-11 or so. */
void maxmin_settle(struct maxmin *m);

/** What the last maxmin_settle() has changed, each once; valid until the next change.  Flows:
 *  those that another link may stop now, new ones among them.  Links: those whose level or list may
 *  be another.  All flows that are neither the former nor in a list of the latter have the level
 *  that they had. */
const uint32_t *maxmin_changed(const struct maxmin *m, uint32_t *count);
const uint32_t *maxmin_changed_links(const struct maxmin *m, uint32_t *count);

/** The link that stops the flow, and whose level it has; MAXMIN_NONE if its bound does, or a link
 *  would that it has for itself. */
uint32_t maxmin_bottleneck(const struct maxmin *m, uint32_t flow);

/** rate * penalty. */
double maxmin_level(const struct maxmin *m, uint32_t flow);

/** The flows that the link stops, in no order; valid until the next change. */
const uint32_t *maxmin_list(const struct maxmin *m, uint32_t link, uint32_t *count);

uint32_t maxmin_links(const struct maxmin *m);

/** The level of the flows that the link stops; INFINITY if it stops none, unless it is fat: then it
 *  may be that of a flow whose own bound is as low. */
double maxmin_link_level(const struct maxmin *m, uint32_t link);

#endif

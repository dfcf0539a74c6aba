/** @file maxmin.h
 *  Weighted max-min fair sharing of links among flows, updated incrementally: when flows start or
 *  end, only the affected levels are computed.  Knows no time, no routes and no SimGrid.
 *
 *  A flow of penalty p takes share * rate of each link that it uses.  Its level is rate * p.  The
 *  solution is SimGrid's (MaxMin::maxmin_solve in src/kernel/lmm/maxmin.cpp of 3.32): levels rise
 *  together from 0; a flow stops at its own bound, or when one of its links (its bottleneck) is
 *  full.  A link has the level of the flows that it stops, INFINITY if it stops none.  A fat link
 *  ("fat pipe") does not divide its capacity: it stops all of its flows once one of them takes the
 *  whole capacity.
 *
 *  docs/developers/flow-engine.md describes the algorithm, proves that it ends at the solution, and
 *  gives its cost.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"

struct maxmin;

/** Exclusive upper limit of the number of links, and of the number of flows. */
#define MAXMIN_MOST (UINT32_C(1) << 26)

/** No link. */
#define MAXMIN_NONE UINT32_MAX

/** One link of a flow.  One maxmin has at most 64 different shares. */
struct maxmin_use {
  uint32_t link;
  double share; /**< capacity taken per unit of the flow's rate, > 0 */
};

struct maxmin_flow_spec {
  double penalty; /**< > 0 */
  double bound;   /**< upper bound of the rate, > 0; INFINITY: none */
  const struct maxmin_use
      *use;      /**< shares of a link named twice add up; on a fat link the larger counts */
  uint32_t uses; /**< at least 1 */
};

/** Makes a maxmin without links and flows.  The caller frees *out with maxmin_free(). */
enum status maxmin_new(struct maxmin **out, struct err *e);

/** Accepts NULL. */
void maxmin_free(struct maxmin *m);

/** Adds a link; links are numbered from 0.  @p capacity has the unit of rates.  On failure *link is
 *  untouched. */
enum status maxmin_add_link(struct maxmin *m, double capacity, bool fat, uint32_t *link,
                            struct err *e);

/** Changes the capacity of a link that no flow uses now. */
void maxmin_set_capacity(struct maxmin *m, uint32_t link, double capacity);

/** Adds a link whose capacity may change while flows use it.  A flow that uses it has a finite
 *  bound or uses another link, too. */
enum status maxmin_add_varying(struct maxmin *m, double capacity, uint32_t *link, struct err *e);

/** Changes the capacity of a link of maxmin_add_varying().  Rates are valid after
 *  maxmin_settle(). */
void maxmin_vary(struct maxmin *m, uint32_t link, double capacity);

/** Adds a flow.  The caller chooses a number that is not in use; memory grows with the largest
 *  number.  The rate is valid after maxmin_settle().  On failure nothing has changed. */
enum status maxmin_add(struct maxmin *m, uint32_t flow, const struct maxmin_flow_spec *s,
                       struct err *e);

/** Removes a flow, whose number may then be used again. */
void maxmin_remove(struct maxmin *m, uint32_t flow);

/** Brings all rates up to date with the flows added and removed since the last call, within a
 *  relative error of about 1e-11.  Fails when out of memory, also for the functions above. */
enum status maxmin_settle(struct maxmin *m, struct err *e);

/** The flows and links that the last maxmin_settle() has changed, each once; valid until the next
 *  change.  Flows: their bottleneck may have changed; new flows are included.  Links: their level
 *  or list may have changed.  A flow that is neither in the first array nor in the list of a link
 *  of the second keeps its level. */
const uint32_t *maxmin_changed(const struct maxmin *m, uint32_t *count);
const uint32_t *maxmin_changed_links(const struct maxmin *m, uint32_t *count);

/** The link that stops the flow and has its level.  MAXMIN_NONE if the flow is stopped by its
 *  bound, or by the capacity of a link that it fills alone. */
uint32_t maxmin_bottleneck(const struct maxmin *m, uint32_t flow);

/** The flow's rate * penalty. */
double maxmin_level(const struct maxmin *m, uint32_t flow);

/** Upper bound of maxmin_level() by the flow's bound and by each link alone. */
double maxmin_cap(const struct maxmin *m, uint32_t flow);

/** The flows that the link stops, in no order; valid until the next change. */
const uint32_t *maxmin_list(const struct maxmin *m, uint32_t link, uint32_t *count);

/** Number of links. */
uint32_t maxmin_links(const struct maxmin *m);

/** The level of the flows that the link stops; INFINITY if it stops none.  A fat link that stops
 *  none may have the level of a flow whose own bound is equally low. */
double maxmin_link_level(const struct maxmin *m, uint32_t link);

/** True if the link is full to a relative 1e-9 and stops no flow: another link stops its flows at
 *  the level that this link would give them.  Never true for a fat link. */
bool maxmin_is_spare(const struct maxmin *m, uint32_t link);

/** True if maxmin_is_spare() is true for a link for which @p known is false.  O(links). */
bool maxmin_has_spare(const struct maxmin *m, const bool *known);

/** The links of a flow, each once, as numbers for maxmin_hop_link(); valid until the next change.
 */
const uint32_t *maxmin_hops(const struct maxmin *m, uint32_t flow, uint32_t *count);

static inline uint32_t maxmin_hop_link(uint32_t hop)
{
  return hop % MAXMIN_MOST;
}

/** The next link of the flow for which maxmin_is_spare() is true, from index *hop of its links on;
 *  MAXMIN_NONE: none.  Sets *hop to the index after it.  Leaves out links that are full with this
 *  flow alone if its cap stops it: no link stops it, so none could take the place of another. */
uint32_t maxmin_next_spare(const struct maxmin *m, uint32_t flow, uint32_t *hop);

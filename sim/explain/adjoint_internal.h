/** @file adjoint_internal.h
 *  Private to adjoint*.c: the state of a sweep.  Notation of docs/developers/explain.md: the bar of
 * a quantity is the derivative of the end of the run by it; mu is the bar of a flow's work.
 */
#ifndef SIM_EXPLAIN_ADJOINT_INTERNAL_H
#define SIM_EXPLAIN_ADJOINT_INTERNAL_H

#include "common/numeric/rng.h"
#include "sim/explain/adjoint.h"
#include "sim/explain/rewind.h"

/* Limits of a rate this close, relative to it, are equal. */
#define EQUAL 1e-9

struct flow_bars {
  double end, start; /* of the dates of the end and of the start */
  double in;         /* of the date when it begins to share links */
  double rest;       /* the same at the rate that it would have alone, less `in` */
  double mu;
  double cap;    /* of the level, while its cap stops it */
  double weight; /* part of `penalty` by its weights on links, times the penalty */
  double penalty;
  double since; /* cap is summed up from this date on */
};

struct link_bars {
  double mu;    /* sum over the flows that it stops */
  double level; /* of its level, from `since` on */
  double since;
  bool dirty; /* in sweep.dirty */
};

struct host_bars {
  double mu; /* sum over the computations on the host */
  uint32_t running;
};

struct actor_bars {
  double now, wake; /* of the date of its present step, and of the date when it is woken */
  double mu;        /* of its computation */
};

struct sweep {
  struct adjoint *out;
  const struct adjoint_options *options;
  const struct causes *causes;
  struct rewind rewind;
  struct flow_bars *flow;
  struct link_bars *link;
  struct host_bars *host;
  struct actor_bars *actor;
  uint32_t *number; /* by link of the maxmin: link of the platform */
  uint32_t *dirty;  /* links whose equation is about to change */
  uint32_t dirties;
  double jump;  /* bar of the date of the last update of rates */
  double shift; /* see take_shift() */
  bool other;   /* the events of this update are treated by the other choice */
  struct rng rng;
  uint32_t events, event;
  bool found; /* the end of the last rank */
};

/** Sums up the bar of a link's level to the present. */
void adjoint_sum_link(struct sweep *w, uint32_t link);

/** Before an update of rates is undone: passes on the bars of all links whose equation it changes,
 *  from the highest level down, since an equation contains lower levels only. */
void adjoint_push_levels(struct sweep *w);

/** True if the flow does not use the link of a hop before. */
static inline bool adjoint_is_first(const struct rewind_flow *f, uint32_t hop)
{
  for (uint32_t i = 0; i < hop; i++)
    if (f->use[i].link == f->use[hop].link)
      return false;
  return true;
}

#endif

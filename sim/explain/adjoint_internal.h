/** @file adjoint_internal.h
 *  Private to adjoint*.c: the state of a sweep.  Notation of docs/developers/explain.md: the bar of
 *  a quantity is the derivative of the end of the run by it; mu is the bar of a flow's work.
 */
#pragma once

#include "common/numeric/rng.h"
#include "sim/explain/adjoint.h"

/* Limits of a rate this close, relative to it, are equal. */
#define EQUAL 1e-9

#define LANES ADJOINT_LANES

typedef struct adjoint_bar bar;

/* The lanes NEAR of a bar whose other lanes are 0. */
struct nears {
  double of[ADJOINT_LANES - ADJOINT_NEAR];
};

/* Flows on a link with one bottleneck, or that their caps stop: one term of the equation of the
 * link's load. */
struct group {
  bar paid;    /* sum of x · level of the bottleneck; of capped flows: sum of x */
  double most; /* of capped flows: upper bound of their levels */
  uint32_t flows;
  uint32_t place; /* in reached[] of the bottleneck */
};

/* A flow in a group of one of its links. */
struct hop {
  bar paid;      /* of the group, when the flow joined it */
  uint32_t slot; /* of the group at that time; groups may move */
};

struct flow_bars {
  bar end, start; /* of the dates of the end and of the start */
  bar in;         /* of the date when it begins to share links */
  bar rest;       /* the same at the rate that it would have alone, less `in` */
  bar mu;
  bar cap;    /* of the level, while its cap stops it */
  bar weight; /* part of `penalty` by its weights on links, times the penalty */
  bar penalty;
  double since; /* cap is summed up from this date on */
  double level; /* after the last update that changed its bottleneck, seen backwards */
  struct hop *hop;
  size_t room;
};

struct link_bars {
  /* If it stops flows: the groups of the flows on it, in no order; what searches and sums read has
   * own arrays.  These fields are read for each link of each flow that changes its bottleneck. */
  struct group *group;
  uint32_t *by;   /* by group: the bottleneck; MAXMIN_NONE: flows that their caps stop */
  double *weight; /* by group: sum of share / penalty; of capped flows: of the load */
  uint32_t groups;
  uint32_t own; /* group of the flows that it stops, when it was last pushed */
  bool fat;
  bool crowd_marked; /* kink is set for all links of its flows */
  bool ordered;      /* in sweep.order */
  uint32_t reaches;
  bar mu;    /* sum over the flows that it stops */
  bar level; /* of its level, from `since` on */
  double since;
  double least;                /* lower bound of the caps of the flows that it stops */
  uint64_t changes;            /* sweep.pushes of the last update that changes its level */
  uint32_t *reached;           /* links that stop flows and have a group of flows that it stops */
  struct nears change, use;    /* of decisions with later dates: bars of the dates when its level
                                  changed before, and when a flow on it began or ended before */
  uint32_t tied;               /* its last entry of sweep.tied, or arbitrary */
  uint32_t sample;             /* the last flow found that it stops, or any flow */
  double bandwidth, latency_s; /* of the platform */
  size_t group_room, by_room, weight_room, reached_room;
};

struct host_bars {
  bar mu;              /* sum over the computations on the host */
  double speed, cores; /* of the platform */
  uint32_t running;
};

struct actor_bars {
  bar now, wake; /* of the date of its present step, and of the date when it is woken */
  bar mu;        /* of its computation */
  bar end;       /* of the date of its end: of the decision which actor ends last */
};

/* A link whose equation is about to change. */
struct level {
  double level;
  uint32_t link;
};

/* A flow that begins or ends in an update of several events.  Of the bars, ADJOINT_MIXED only. */
struct tie {
  uint32_t flow;
  bool ends;
  uint32_t begin, end; /* its links are `begin` to `end` - 1 of sweep.tied */
  uint32_t other;      /* event that it was compared with last; CAUSES_NONE */
  bar *date;           /* of its date, while the event is being read, then NULL */
  double level;        /* of the flow, while it shares links */
  double alone;        /* change of the time per s for which it shares no links with the others */
  double held;         /* per s for which they hold it up */
};

/* A link of such a flow. */
struct tied {
  uint32_t link, tie;
  double load; /* of the flow there */
};

/* The events of one update of rates. */
struct update {
  bar jump;  /* bar of the date of the update */
  bar shift; /* see take_shift() */
  bar other; /* the part that takes the other choice: 0 to 1 */
};

struct sweep {
  struct adjoint *out;
  const struct adjoint_options *options;
  const struct causes *causes;
  const struct rewind *rewind;
  struct flow_bars *flow;
  struct link_bars *link;
  struct host_bars *host;
  struct actor_bars *actor;
  struct level *order; /* links whose equation is about to change, from the highest level down */
  uint32_t ordered;    /* length of order[] */
  uint32_t *dirty;     /* the same links, in no order */
  uint32_t dirties;
  bool *stops;       /* by link: it stops flows, as its level is finite */
  bool *is_dirty;    /* by link: in dirty[] */
  double *level;     /* by group of one link: scratch */
  bool *marked;      /* by flow: kink is set for all of its links */
  struct tied *tied; /* of the present update */
  struct tie *tie;
  uint32_t tieds, ties;
  size_t tied_room, tie_room, level_room;
  uint64_t pushes; /* of the dirty links, so far */
  struct update update;
  bool found; /* the end of the last rank */
  struct rng rng, signs, thirds;
  uint32_t events, event;
  uint32_t flows; /* length of flow[] */
};

static inline bool adjoint_is_zero(const bar *x)
{
  bool zero = true;
  for (int k = 0; k < LANES; k++)
    zero = zero && x->of[k] == 0;
  return zero;
}

static inline double *adjoint_nears(bar *x)
{
  return &x->of[ADJOINT_NEAR];
}

/* Two lanes, for vector instructions: compilers find few of them in loops over lanes. */
typedef double lanes __attribute__((vector_size(2 * sizeof(double)), aligned(8), may_alias));
_Static_assert(LANES == 4, "a bar is two vectors");

/* Adds a bar, times @p factor, to another one. */
static inline void adjoint_add(bar *to, const bar *x, double factor)
{
  lanes *a = (lanes *)to->of;
  const lanes *b = (const lanes *)x->of;
  const lanes low = b[0] * factor, high = b[1] * factor;
  a[0] += low;
  a[1] += high;
}

static inline bar adjoint_times(const bar *x, double factor)
{
  bar y;
  for (int k = 0; k < LANES; k++)
    y.of[k] = x->of[k] * factor;
  return y;
}

/* Sums up the bar of a link's level to the present. */
static inline void adjoint_sum_link(struct sweep *w, uint32_t link)
{
  struct link_bars *l = &w->link[link];
  for (int k = 0; k < LANES; k++)
    l->level.of[k] -= l->mu.of[k] * (l->since - w->rewind->now);
  l->since = w->rewind->now;
}

/** Adds a decision to the lanes NEAR of two bars: it changes once @p earlier, of a date or level
 *  that is less by @p slack, is beyond @p later.  @p influence: the derivative of the time by the
 *  date that decides; relative to the time by the level. */
void adjoint_decide(struct sweep *w, double *later, double *earlier, double slack,
                    double influence);

/** Passes the bars of a flow on to its parameters.  @p start: the bar of the date when it begins to
 *  share links. */
void adjoint_push_flow(struct sweep *w, uint32_t flow, const bar *start);

/** Several events at one date: adds the part of the bar of this date that belongs to the next of
 *  them.  The other choice takes the one that was recorded first as the latest.  Until then the
 *  others have another rate, which moves @p own from their dates to its date. */
void adjoint_take_jump(struct sweep *w, bar *to, const bar *own);

/** A flow of an update with several events begins or ends, and is still in the state; @p date: the
 *  bar of this date.  Other events of the update that use one of its links are at a kink with it:
 *  marks the links of both, and adds the effects of the other order to the lane MIXED of both
 *  dates.  Adds them, too, for events whose links a third flow uses.  Reads rewind.event.flow[] of
 *  the update. */
enum status adjoint_tie(struct sweep *w, uint32_t flow, bool ends, bar *date, struct err *e);

/** Before an update of rates is undone: passes on the bars of all links whose equation it changes,
 *  from the highest level down, since an equation contains lower levels only. */
void adjoint_push_levels(struct sweep *w);

/** Passes on the bars of the links on the way of a flow that is about to enter its groups. */
void adjoint_push_hops(struct sweep *w, const struct maxmin_use *use, uint32_t uses);

/** A flow enters the groups of its bottleneck on its links that stop flows, or leaves them; its
 * bars of weight and cap are then complete. */
enum status adjoint_enter(struct sweep *w, uint32_t flow, struct err *e);
void adjoint_leave(struct sweep *w, uint32_t flow);

/** Before an update of rates is undone, and after its bars are passed on: a link stops flows before
 *  it, or none. */
enum status adjoint_set_stops(struct sweep *w, uint32_t link, bool stops, struct err *e);

/** True if the flow does not use the link of a hop before. */
static inline bool adjoint_is_first(const struct rewind_flow *f, uint32_t hop)
{
  for (uint32_t i = 0; i < hop && f->twice; i++)
    if (f->use[i].link == f->use[hop].link)
      return false;
  return true;
}

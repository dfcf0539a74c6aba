/** @file adjoint_internal.h
 *  Private to adjoint*.c: the state of a sweep.  Notation of docs/developers/explain.md: the bar of
 *  a quantity is the derivative of the end of the run by it; mu is the bar of a flow's work.
 */
#pragma once

#include "common/mem.h"
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

/* The flows on a link that have the same bottleneck, or all flows on it that their caps stop: one
 * term of the equation of the link's load. */
struct group {
  double most; /* upper bound of the levels of capped flows */
  uint32_t flows;
  uint32_t place; /* index in reached[] of the bottleneck */
};

/* A flow.  The comment of a bar names its quantity.  Bars that are never needed at one time share
 * their place, since the sweep often waits for the memory of flows; a flow that changes from link
 * to link needs only the first line of the cache. */
struct flow_bars {
  bar mu;       /* work */
  bar penalty;  /* complete while the flow is in no group */
  bar cap;      /* level, while its cap stops it; complete while the flow is in no group */
  double since; /* while its cap stops it: `cap` is summed up from this date on */
  double level; /* while `in` is valid: its level */
  union {
    _Alignas(MEM_LINE) bar end; /* date of its end, until the end is undone */
    bar in;                     /* date when it begins to share links, before this is undone */
  };
  union {
    bar rest;  /* the same date, at the rate that the flow would have alone, less `in` */
    bar start; /* date of its start, after that */
  };
};

/* A link.  The comment of a bar names its quantity. */
struct link_bars {
  /* If the link stops flows: the groups of the flows on it, in no order.  by[], weight[] and paid[]
   * are arrays of their own because searches and sums read only them.  The first fields are read
   * for each link of each flow that changes its bottleneck. */
  struct group *group;
  uint32_t *by;   /* by group: the bottleneck; MAXMIN_NONE: flows that their caps stop */
  double *weight; /* by group: sum of share / penalty; for capped flows: sum of the loads */
  bar *paid;      /* by group: sum of x times the level of the bottleneck; for capped flows: of x
                     (explain.md) */
  uint32_t groups;
  uint32_t own;             /* group of the flows that it stops, when it was last pushed */
  bool crowd_marked;        /* kink is set for all links of its flows */
  bool ordered;             /* in sweep.order */
  uint32_t reaches;         /* length of reached[] */
  bar mu;                   /* sum of the mu of the flows that it stops */
  double since;             /* sweep.level_bar[] is summed up from this date on */
  double least;             /* lower bound of the caps of the flows that it stops */
  uint64_t changes;         /* value of sweep.pushes at the last update that changes its level */
  uint32_t *reached;        /* links that stop flows and have a group of flows that it stops */
  struct nears change, use; /* date of the previous change of its level, and date when a flow on it
                               last began or ended: parts from decisions with later dates */
  uint32_t sample;          /* the last flow found that it stops, or any flow */
  double bandwidth, latency_s; /* of the platform */
  size_t group_room, by_room, weight_room, paid_room, reached_room;
};

/* A flow that is about to leave the groups of bottleneck `from` and to enter the groups of
 * bottleneck `to`; CAUSES_ABSENT: none. */
struct move {
  bar paid_from, paid_to;    /* sums of what its groups have paid, times its loads */
  double load_from, load_to; /* load on a link of share 1 divided by the level of the bottleneck;
                                the load itself if its cap stops the flow */
  double cap;
  uint32_t flow, from, to;
};

/* A hop of a move on a link that stops flows. */
struct hop {
  double share;
  uint32_t move, next; /* next: the next hop on the same link; UINT32_MAX: none */
};

/* A host. */
struct host_bars {
  bar mu;              /* sum of the mu of the computations on the host */
  double speed, cores; /* of the platform */
  uint32_t running;
};

/* An actor.  The comment of a bar names its quantity. */
struct actor_bars {
  bar now, wake; /* date of its present step, and date when it is woken */
  bar mu;        /* work of its computation */
  bar end;       /* date of its end: part from the decision which actor ends last */
};

/* A link whose equation is about to change. */
struct level {
  double level;
  uint32_t link;
};

/* A flow that begins or ends in an update of several events.  Of the bars, ADJOINT_MIXED only. */
struct tie {
  uint32_t flow;
  bool ends, marked;   /* marked: kink is set for its links */
  uint32_t begin, end; /* its links are `begin` to `end` - 1 of sweep.tied */
  uint32_t other;      /* event that it was compared with last; CAUSES_NONE: none */
  bar *date;           /* bar of its date while the event is being read, then NULL */
  double level;        /* level of the flow while it shares links */
  double alone; /* change of the time per s during which it shares no links with the other flows */
  double held;  /* change of the time per s during which the other flows delay it */
};

/* A link of the flow of a tie. */
struct tied {
  uint32_t link, tie;
  double load; /* load of the flow on the link */
};

/* The events of one update of rates. */
struct update {
  bar jump;  /* bar of the date of the update */
  bar shift; /* see adjoint_take_jump() */
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
  uint32_t *dirty;     /* the same links, in no order; one more element is scratch */
  uint32_t dirties;
  bar *level_bar;      /* by link: bar of its level */
  bool *stops;         /* by link: it stops flows, as its level is finite */
  bool *fat;           /* by link: its capacity limits each flow alone */
  bool *is_dirty;      /* by link: in dirty[] */
  double *level;       /* by group of one link: scratch */
  bool *marked;        /* by flow: kink is set for all of its links */
  struct move *move;   /* moves not executed */
  struct hop *hop;     /* hops of these moves */
  uint32_t *first_hop; /* by link: its first hop in hop[]; UINT32_MAX: none */
  uint32_t *moved;     /* links with hops; one more element is scratch */
  uint32_t moves, hops, moveds;
  struct tied *tied;   /* links of the ties of the present update */
  uint32_t *last_tied; /* by link: its last entry of tied[]; CAUSES_NONE: none */
  uint64_t *tie_bits;  /* by link: the ties on it; bit k: one of tie[k], tie[k + 64], ... */
  struct tie *tie;
  uint32_t tieds, ties;
  size_t tied_room, tie_room, level_room, move_room, hop_room;
  uint64_t pushes; /* number of times that dirty links were pushed */
  struct update update;
  bool found; /* the end of the last rank has been read */
  struct rng rng, signs, thirds;
  uint32_t events, event; /* of the present update: number of events; events read so far */
  uint32_t flows;         /* length of flow[] */
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
  adjoint_add(&w->level_bar[link], &l->mu, w->rewind->now - l->since);
  l->since = w->rewind->now;
}

/** Adds a decision to the lanes NEAR.  @p later and @p earlier are the bars of two dates, or of two
 *  levels, whose difference is @p slack > 0; the decision changes when the earlier date (the lower
 *  level) passes the other.  @p influence: the derivative of the time by the date that decides; for
 *  levels, the relative change of the time per relative change of the level. */
void adjoint_decide(struct sweep *w, double *later, double *earlier, double slack,
                    double influence);

/** Passes the bars of a flow on to its parameters.  @p start: the bar of the date when it begins to
 *  share links. */
void adjoint_push_flow(struct sweep *w, uint32_t flow, const bar *start);

/** For several events at one date: adds the part of the bar of this date that belongs to the next
 *  of these events.  The other choice treats the event that was recorded first as the latest one.
 *  Until the date of this event the other flows have another rate, which moves the bar @p own from
 *  their dates to its date. */
void adjoint_take_jump(struct sweep *w, bar *to, const bar *own);

/** A flow of an update with several events begins or ends; the event is not undone yet.  @p date is
 *  the bar of its date.  Two events of one update are at a kink if their flows use a common link,
 * or if a third flow uses links of both: marks the links of both flows, and adds the effects of the
 *  other order of the events to the lane MIXED of both dates.  Reads rewind.event.flow[] of the
 *  update. */
enum status adjoint_tie(struct sweep *w, uint32_t flow, bool ends, bar *date, struct err *e);

/** Before the events of another update are read. */
void adjoint_forget_ties(struct sweep *w);

/** Before an update of rates is undone: passes on the bars of all links whose equation it changes,
 *  from the highest level down, since an equation contains lower levels only. */
void adjoint_push_levels(struct sweep *w);

/** Passes on the bars of the links on the way of a flow that is about to enter its groups. */
void adjoint_push_hops(struct sweep *w, const struct maxmin_use *use, uint32_t uses);

/** A flow leaves the groups of bottleneck @p from on its links that stop flows, and enters the
 * groups of bottleneck @p to; CAUSES_ABSENT: none.  Takes effect in adjoint_move_all().  Its bars
 * of cap and penalty are complete while it is in no groups. */
enum status adjoint_add_move(struct sweep *w, uint32_t flow, uint32_t from, uint32_t to,
                             struct err *e);

/** Executes the moves added since the last call. */
enum status adjoint_move_all(struct sweep *w, struct err *e);

/** Sets whether a link stops flows before an update of rates.  Called before the update is undone,
 *  after adjoint_push_levels(). */
enum status adjoint_set_stops(struct sweep *w, uint32_t link, bool stops, struct err *e);

/** True if the flow does not use the link of hop @p hop on an earlier hop. */
static inline bool adjoint_is_first(const struct rewind_flow *f, uint32_t hop)
{
  for (uint32_t i = 0; i < hop && f->twice; i++)
    if (f->use[i].link == f->use[hop].link)
      return false;
  return true;
}

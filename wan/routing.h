/** @file routing.h
 *  Routing tables on a graph of connections: the tables to which a distance-vector protocol
 *  converges with the RTT as its metric (MC-MPI, 3.4).  A connection carries messages both ways,
 *  whichever side opened it.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "wan/adjacency.h"
#include "wan/processes.h"

#define ROUTING_NO_ROUTE UINT32_MAX

/** Routes of all ordered pairs (p, q), at index p * n + q.  Empty if zeroed. */
struct routing {
  uint32_t n;
  uint32_t *next;   /**< next process on the route; ROUTING_NO_ROUTE: no route; owned */
  uint32_t *hops;   /**< connections on the route; 0 from a process to itself; owned */
  uint64_t *rtt_ps; /**< sum of the RTTs along the route; UINT64_MAX: no route; owned */
};

/** Computes the routes of least RTT.  Ties: fewest hops, then lowest next process.  The RTTs are
 *  rtt_ps[p * n + q], or those in @p p if @p rtt_ps is NULL.  Free with routing_clear().
 *  O(n * edges * log n) if no RTT is 0. */
enum status routing_new(struct routing *out, const struct adjacency *graph,
                        const struct processes *p, const uint64_t *rtt_ps, struct err *e);

/** Accepts a zeroed struct. */
void routing_clear(struct routing *r);

/** The process to which @p from forwards messages for @p to; ROUTING_NO_ROUTE if there is no route
 *  or from == to. */
static inline uint32_t routing_next(const struct routing *r, uint32_t from, uint32_t to)
{
  return r->next[(size_t)from * r->n + to];
}

static inline uint32_t routing_hops(const struct routing *r, uint32_t from, uint32_t to)
{
  return r->hops[(size_t)from * r->n + to];
}

static inline uint64_t routing_rtt(const struct routing *r, uint32_t from, uint32_t to)
{
  return r->rtt_ps[(size_t)from * r->n + to];
}

/** Figures over all ordered pairs of different processes that have a route. */
struct routing_figures {
  uint64_t pairs, direct; /**< direct: with a route of one hop */
  uint32_t most_hops;
  double mean_hops, mean_rtt_s, most_rtt_s;
};

struct routing_figures routing_figures(const struct routing *r);

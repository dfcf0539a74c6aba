/** @file processes.h
 *  The processes of a program on wide-area platforms, one for each rank: their round-trip times
 *  (RTTs), their clusters, and which of them accept no connections from other clusters.  Several
 *  processes may share a host.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "platforms/mapping/mapping.h"
#include "platforms/platform.h"

/** Picoseconds per second.  RTTs are integers, so that sums along routes compare exactly. */
#define PROCESSES_PS_PER_S 1e12

/** Empty if zeroed. */
struct processes {
  uint32_t n, clusters;
  uint64_t *rtt_ps;  /**< from p to q, at p * n + q, in 1e-12 s; owned */
  uint32_t *cluster; /**< by process; owned */
  bool *closed;      /**< by process: a firewall blocks connections from other clusters; owned */
  const char **name; /**< by cluster; NULL: no names; the array is owned, its strings belong to the
                        platform */
};

/** Places process r on host m->host[r].  The RTT of two processes is the latency of the route
 *  between their hosts plus the latency of the route back, or twice the latency of the loopback
 *  on one host (0 without a loopback).  Fails for opaque platforms, hosts without a route, and
 *  RTTs above 1000 s.  @p p must outlive @p out.  Free with processes_clear().  Looks up O(n^2)
 *  routes. */
enum status processes_on_platform(struct processes *out, const struct platform *p,
                                  const struct mapping *m, struct err *e);

/** Makes @p n processes in one cluster without firewalls.  Each process has its own random order of
 *  the other processes; the RTT to the i-th of them is i ms.  RTTs are not symmetric: the RTT from
 *  p to q is independent of the RTT from q to p.  Free with processes_clear(). */
enum status processes_random(struct processes *out, uint32_t n, uint64_t seed, struct err *e);

/** Maps @p n processes to the clusters of @p p in equal shares, numbered cluster by cluster.  If n
 *  is no multiple of the number of clusters, the first clusters get one process more.  Within a
 *  cluster, processes take the hosts in turn.  With n = 0, each host gets one process.  Free with
 *  mapping_clear(). */
enum status processes_share(struct mapping *out, const struct platform *p, uint32_t n,
                            struct err *e);

/** Mean RTT in s over all ordered pairs of different processes; NAN for fewer than 2. */
double processes_mean_rtt_s(const struct processes *p);

/** Accepts a zeroed struct. */
void processes_clear(struct processes *p);

static inline uint64_t processes_rtt(const struct processes *p, uint32_t from, uint32_t to)
{
  return p->rtt_ps[(size_t)from * p->n + to];
}

/** True if a firewall blocks a connection that @p from opens to @p to.  An open connection carries
 *  messages both ways. */
static inline bool processes_blocked(const struct processes *p, uint32_t from, uint32_t to)
{
  return p->closed[to] && p->cluster[from] != p->cluster[to];
}

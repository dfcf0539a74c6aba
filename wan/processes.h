/** @file processes.h
 *  The processes of a program on wide-area platforms, one for each rank: their round-trip times
 *  (RTTs), their clusters, and which of them take no connections from other clusters.  Not hosts:
 *  several processes may share one.
 */
#ifndef WAN_PROCESSES_H
#define WAN_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "platforms/mapping/mapping.h"
#include "platforms/platform.h"

/** RTTs are integers, so that sums along routes compare exactly. */
#define PROCESSES_PS_PER_S 1e12

/** Zeroed: no processes. */
struct processes {
  uint32_t n, clusters;
  uint64_t *rtt_ps;  /**< from p to q, at p * n + q, in 1e-12 s; owned */
  uint32_t *cluster; /**< by process; owned */
  bool *closed;      /**< by process: a firewall blocks connections from other clusters; owned */
  const char **name; /**< by cluster; the names are the platform's; NULL: none; owned */
};

/** Process r is on m->host[r]; its RTT to another one is the latency of the route there and of the
 *  route back, of two on one host that of the host's loopback (0 without one).  Refuses opaque
 *  platforms, hosts without a route, and RTTs above 1000 s.  @p p outlives it.
 *  The caller's: processes_clear().  O(n^2) routes between different hosts. */
enum status processes_on_platform(struct processes *out, const struct platform *p,
                                  const struct mapping *m, struct err *e);

/** @p n processes in one cluster without firewalls, each of which has the others in a random
 *  order of its own: the RTT to its i-th nearest is i ms.  The RTT from p to q is independent
 *  of that from q to p.  The caller's: processes_clear(). */
enum status processes_random(struct processes *out, uint32_t n, uint64_t seed, struct err *e);

/** Places @p n processes, numbered cluster by cluster, on equal shares of the clusters of @p p, the
 *  first clusters taking one more where n is no multiple, and there on the hosts in turn; n of 0:
 *  one for each host.  The caller's: mapping_clear(). */
enum status processes_share(struct mapping *out, const struct platform *p, uint32_t n,
                            struct err *e);

/** Accepts zeroed ones. */
void processes_clear(struct processes *p);

static inline uint64_t processes_rtt(const struct processes *p, uint32_t from, uint32_t to)
{
  return p->rtt_ps[(size_t)from * p->n + to];
}

/** Does a firewall block connections that @p from tries to open to @p to?  Once open, they carry
 *  messages both ways. */
static inline bool processes_blocked(const struct processes *p, uint32_t from, uint32_t to)
{
  return p->closed[to] && p->cluster[from] != p->cluster[to];
}

#endif

#include "wan/processes.h"

#include <stdlib.h>

#include "common/mem.h"
#include "common/numeric/rng.h"
#include "platforms/clusters/clusters.h"

#define LONGEST_RTT_S 1e3
#define RANDOM_STEP   UINT64_C(1000000000) /* 1 ms */

void processes_clear(struct processes *p)
{
  free(p->rtt_ps);
  free(p->cluster);
  free(p->closed);
  free(p->name);
  *p = (struct processes){0};
}

static enum status alloc(struct processes *p, uint32_t n, struct err *e)
{
  *p = (struct processes){.n = n};
  if ((p->rtt_ps = mem_array((size_t)n * n, sizeof *p->rtt_ps, e)) == NULL ||
      (p->cluster = mem_array(n, sizeof *p->cluster, e)) == NULL ||
      (p->closed = mem_array(n, sizeof *p->closed, e)) == NULL) {
    processes_clear(p);
    return FAIL;
  }
  return OK;
}

/* --- on a platform ---------------------------------------------------------------------------- */

static enum status measure(struct platform_finder *f, uint32_t from, uint32_t to, uint64_t *rtt,
                           struct err *e)
{
  struct platform_route r;
  if (from == to) {
    if (platform_route(f, from, to, &r, e) != OK)
      return FAIL;
    *rtt = (uint64_t)(2 * r.latency_s * PROCESSES_PS_PER_S + 0.5);
    return OK;
  }
  if (platform_route_needed(f, from, to, &r, e) != OK)
    return FAIL;
  const double there = r.latency_s;
  if (platform_route_needed(f, to, from, &r, e) != OK)
    return FAIL;
  if (there + r.latency_s > LONGEST_RTT_S)
    return err_set(e, "a round trip takes %g s, above %g", there + r.latency_s, LONGEST_RTT_S);
  *rtt = (uint64_t)((there + r.latency_s) * PROCESSES_PS_PER_S + 0.5);
  return OK;
}

static enum status fill_rtts(struct processes *p, const struct platform *platform,
                             const struct mapping *m, struct err *e)
{
  struct platform_finder *f;
  enum status s = platform_finder_new(&f, platform, e);
  if (s != OK)
    return FAIL;
  for (uint32_t a = 0; s == OK && a < p->n; a++)
    for (uint32_t b = 0; s == OK && b < a; b++) {
      uint64_t *there = &p->rtt_ps[(size_t)a * p->n + b];
      s = measure(f, m->host[a], m->host[b], there, e);
      p->rtt_ps[(size_t)b * p->n + a] = *there;
    }
  platform_finder_free(f);
  return s;
}

enum status processes_on_platform(struct processes *out, const struct platform *p,
                                  const struct mapping *m, struct err *e)
{
  struct platform_clusters c;
  struct processes made;
  if (platform_need_routes(p, "wide-area connections", e) != OK || alloc(&made, m->ranks, e) != OK)
    return FAIL;
  enum status s = platform_clusters_find(&c, p, e);
  if (s == OK) {
    made.clusters = c.count;
    made.name = c.name;
    c.name = NULL;
    for (uint32_t i = 0; i < made.n; i++) {
      made.cluster[i] = c.of_host[m->host[i]];
      made.closed[i] = c.no_inbound[m->host[i]];
    }
    platform_clusters_clear(&c);
    s = fill_rtts(&made, p, m, e);
  }
  if (s == OK)
    *out = made;
  else
    processes_clear(&made);
  return s;
}

/* --- random orders ---------------------------------------------------------------------------- */

enum status processes_random(struct processes *out, uint32_t n, uint64_t seed, struct err *e)
{
  struct processes made;
  uint32_t *order = mem_array(n, sizeof *order, e);
  if (order == NULL || alloc(&made, n, e) != OK) {
    free(order);
    return FAIL;
  }
  made.clusters = 1;
  for (uint32_t p = 0; p < n; p++) {
    struct rng r = rng_new(seed, p);
    for (uint32_t i = 0; i + 1 < n; i++)
      order[i] = i < p ? i : i + 1;
    rng_shuffle(&r, order, n - 1);
    for (uint32_t i = 0; i + 1 < n; i++)
      made.rtt_ps[(size_t)p * n + order[i]] = (i + 1) * RANDOM_STEP;
  }
  free(order);
  *out = made;
  return OK;
}

/* --- placement -------------------------------------------------------------------------------- */

/* Sorts the hosts by cluster: the hosts of cluster c start at host[first[c]]. */
static void list_hosts(const struct platform_clusters *c, uint32_t *first, uint32_t *host)
{
  for (uint32_t i = 0; i < c->count; i++)
    first[i + 1] = first[i] + c->hosts[i];
  for (uint32_t h = 0; h < platform_hosts(c->p); h++)
    host[first[c->of_host[h]]++] = h;
  for (uint32_t i = c->count; i > 0; i--)
    first[i] = first[i - 1];
  first[0] = 0;
}

static enum status share(struct mapping *m, const struct platform_clusters *c, struct err *e)
{
  uint32_t *first = mem_array((size_t)c->count + 1, sizeof *first, e);
  uint32_t *host = first == NULL ? NULL : mem_array(platform_hosts(c->p), sizeof *host, e);
  if (host == NULL) {
    free(first);
    return FAIL;
  }
  list_hosts(c, first, host);
  uint32_t process = 0;
  for (uint32_t i = 0; i < c->count; i++) {
    const uint32_t count = m->ranks / c->count + (i < m->ranks % c->count);
    for (uint32_t k = 0; k < count; k++)
      m->host[process++] = host[first[i] + k % c->hosts[i]];
  }
  free(first);
  free(host);
  return OK;
}

enum status processes_share(struct mapping *out, const struct platform *p, uint32_t n,
                            struct err *e)
{
  struct platform_clusters c;
  if (platform_need_routes(p, "wide-area connections", e) != OK ||
      mapping_new(out, n == 0 ? platform_hosts(p) : n, e) != OK)
    return FAIL;
  for (uint32_t h = 0; n == 0 && h < out->ranks; h++)
    out->host[h] = h;
  if (n == 0)
    return OK;
  enum status s = platform_clusters_find(&c, p, e);
  if (s == OK) {
    s = share(out, &c, e);
    platform_clusters_clear(&c);
  }
  if (s != OK)
    mapping_clear(out);
  return s;
}

double processes_mean_rtt_s(const struct processes *p)
{
  double sum = 0;
  for (size_t i = 0; i < (size_t)p->n * p->n; i++)
    sum += (double)p->rtt_ps[i];
  return sum / ((double)p->n * (p->n - 1) * PROCESSES_PS_PER_S);
}

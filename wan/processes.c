#include "wan/processes.h"

#include <stdlib.h>

#include "common/mem.h"
#include "common/numeric/rng.h"
#include "platforms/clusters/clusters.h"
#include "platforms/distances.h"

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

static enum status fill_rtts(struct processes *p, struct distances *d, const struct mapping *m,
                             struct err *e)
{
  double rtt_s;
  for (uint32_t a = 0; a < p->n; a++)
    for (uint32_t b = 0; b < a; b++) {
      if (distances_round_trip(d, m->host[a], m->host[b], &rtt_s, e) != OK)
        return FAIL;
      if (rtt_s > LONGEST_RTT_S)
        return err_set(e, "a round trip takes %g s, above the maximum of %g s", rtt_s,
                       LONGEST_RTT_S);
      const uint64_t ps = (uint64_t)(rtt_s * PROCESSES_PS_PER_S + 0.5);
      p->rtt_ps[(size_t)a * p->n + b] = p->rtt_ps[(size_t)b * p->n + a] = ps;
    }
  return OK;
}

enum status processes_on_platform(struct processes *out, const struct platform *p,
                                  const struct mapping *m, struct err *e)
{
  struct platform_clusters c;
  struct processes made;
  struct distances *d;
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
    s = distances_new(&d, p, DISTANCE_LATENCY, e);
  }
  if (s == OK) {
    s = fill_rtts(&made, d, m, e);
    distances_free(d);
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
  OWNED uint32_t *order = mem_array(n, sizeof *order, e);
  if (order == NULL || alloc(&made, n, e) != OK)
    return FAIL;
  made.clusters = 1;
  for (uint32_t p = 0; p < n; p++) {
    struct rng r = rng_new(seed, p);
    for (uint32_t i = 0; i + 1 < n; i++)
      order[i] = i < p ? i : i + 1;
    rng_shuffle(&r, order, n - 1);
    for (uint32_t i = 0; i + 1 < n; i++)
      made.rtt_ps[(size_t)p * n + order[i]] = (i + 1) * RANDOM_STEP;
  }
  *out = made;
  return OK;
}

/* --- placement -------------------------------------------------------------------------------- */

static enum status share(struct mapping *m, struct platform_clusters *c, struct err *e)
{
  struct host_groups g = {.hosts = platform_hosts(c->p), .count = c->count, .of = c->of_host};
  uint32_t process = 0;
  c->of_host = NULL; /* owned by g */
  const enum status s = host_groups_list(&g, e);
  for (uint32_t i = 0; s == OK && i < c->count; i++) {
    const uint32_t count = m->ranks / c->count + (i < m->ranks % c->count);
    for (uint32_t k = 0; k < count; k++)
      m->host[process++] = g.member[g.first[i] + k % c->hosts[i]];
  }
  host_groups_clear(&g);
  return s;
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

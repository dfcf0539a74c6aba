#include "platforms/distances.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "common/mem.h"
#include "platforms/part.h"

/* The distance of a hop by DISTANCE_NEAR, in s: below any latency. */
#define HOP_S 1e-15

struct distances {
  const struct platform *platform;
  enum distance_measure measure;
  const struct topology *topology; /* of the whole platform, to compute hops; NULL: by routes */
  double *latency; /* of a route, by hops, if all links have one latency; NULL: by routes; owned */
  struct platform_finder *finder;
  struct host_groups groups; /* empty: not yet known */
  double **row;              /* by group, as distances_row(); NULL: not yet measured */
};

/* True if the latency of a route follows from its hops: *latency is the latency of all links. */
static bool has_one_latency(const struct platform *p, double *latency)
{
  bool first = true;
  if (platform_inside(p) != NULL)
    return false;
  for (uint32_t i = 0; i < platform_link_ids(p); i++) {
    if (!platform_has_link(p, i) || platform_is_loopback(p, i))
      continue;
    const double here = platform_link(p, i).latency_s;
    if (!first && here != *latency)
      return false;
    *latency = here;
    first = false;
  }
  return !first;
}

/* Makes the table of latencies by hops, added up as on a route. */
static enum status add_latencies(struct distances *d, const struct topology *t, double latency,
                                 struct err *e)
{
  const uint32_t most = topology_diameter(t);
  if ((d->latency = mem_array((size_t)most + 1, sizeof *d->latency, e)) == NULL)
    return FAIL;
  for (uint32_t i = 1; i <= most; i++)
    d->latency[i] = d->latency[i - 1] + latency;
  d->topology = t;
  return OK;
}

enum status distances_new(struct distances **out, const struct platform *p,
                          enum distance_measure measure, struct err *e)
{
  const struct topology *t = platform_topology(platform_whole(p));
  struct distances *d = mem_array(1, sizeof *d, e);
  if (d == NULL || platform_finder_new(&d->finder, p, e) != OK) {
    free(d);
    return FAIL;
  }
  d->platform = p;
  d->measure = measure;
  if (measure == DISTANCE_USUAL)
    d->measure = t != NULL ? DISTANCE_HOPS : DISTANCE_LATENCY;
  d->topology = distances_are_hops(d) ? t : NULL;
  double latency = 0;
  if (d->measure == DISTANCE_LATENCY && t != NULL && has_one_latency(platform_whole(p), &latency) &&
      add_latencies(d, t, latency, e) != OK) {
    distances_free(d);
    return FAIL;
  }
  *out = d;
  return OK;
}

void distances_free(struct distances *d)
{
  if (d == NULL)
    return;
  for (uint32_t g = 0; d->row != NULL && g < d->groups.count; g++)
    free(d->row[g]);
  free(d->row);
  host_groups_clear(&d->groups);
  platform_finder_free(d->finder);
  free(d->latency);
  free(d);
}

bool distances_are_hops(const struct distances *d)
{
  return d->measure == DISTANCE_HOPS;
}

/* --- hosts ------------------------------------------------------------------------------------ */

static uint32_t hops(const struct distances *d, uint32_t src, uint32_t dst)
{
  return topology_hops(d->topology, platform_whole_host(d->platform, src),
                       platform_whole_host(d->platform, dst));
}

/* A route without its links. */
static struct platform_route by_hops(const struct distances *d, uint32_t links)
{
  return (struct platform_route){.links = links,
                                 .latency_s = d->latency == NULL ? 0 : d->latency[links]};
}

static double slowest(const struct platform *p, const struct platform_route *r, double bandwidth)
{
  for (uint32_t i = 0; i < r->links; i++)
    bandwidth = fmin(bandwidth, platform_link(p, r->link[i]).bandwidth);
  return bandwidth;
}

/* Adds a route to a distance. */
static enum status add_route(struct distances *d, uint32_t src, uint32_t dst, double *sum,
                             struct err *e)
{
  struct platform_route r = {.links = 0};
  const bool needed = src != dst && d->measure != DISTANCE_NEAR;
  if (d->topology != NULL)
    r = by_hops(d, hops(d, src, dst));
  else if ((needed ? platform_route_needed : platform_route)(d->finder, src, dst, &r, e) != OK)
    return FAIL;
  if (d->measure == DISTANCE_HOPS)
    *sum += r.links;
  else if (d->measure == DISTANCE_LATENCY)
    *sum += r.latency_s;
  else if (d->measure == DISTANCE_BANDWIDTH)
    *sum = slowest(d->platform, &r, *sum);
  else
    *sum = r.links == 0 && r.latency_s <= 0 ? DBL_MAX : *sum + r.latency_s + r.links * HOP_S;
  return OK;
}

enum status distances_one_way(struct distances *d, uint32_t src, uint32_t dst, double *out,
                              struct err *e)
{
  *out = d->measure == DISTANCE_BANDWIDTH ? INFINITY : 0;
  return add_route(d, src, dst, out, e);
}

enum status distances_round_trip(struct distances *d, uint32_t a, uint32_t b, double *out,
                                 struct err *e)
{
  return distances_one_way(d, a, b, out, e) == OK ? add_route(d, b, a, out, e) : FAIL;
}

/* --- groups ----------------------------------------------------------------------------------- */

const struct host_groups *distances_groups(struct distances *d, struct err *e)
{
  if (d->groups.of == NULL && host_groups_alike(&d->groups, d->platform, e) != OK)
    return NULL;
  if (d->row == NULL && (d->row = mem_array(d->groups.count, sizeof *d->row, e)) == NULL)
    return NULL;
  return &d->groups;
}

static enum status measure_groups(struct distances *d, uint32_t a, uint32_t b, double *out,
                                  struct err *e)
{
  uint32_t ends[2];
  host_groups_ends(&d->groups, a, b, ends);
  *out = 0;
  if (ends[0] != ends[1] && distances_round_trip(d, ends[0], ends[1], out, e) != OK)
    return FAIL;
  *out = *out < DBL_MAX ? *out / 2 : DBL_MAX;
  return OK;
}

const double *distances_row(struct distances *d, uint32_t group, struct err *e)
{
  if (distances_groups(d, e) == NULL || d->row[group] != NULL)
    return d->row == NULL ? NULL : d->row[group];
  double *row = mem_array(d->groups.count, sizeof *row, e);
  enum status s = row == NULL ? FAIL : OK;
  for (uint32_t i = 0; s == OK && i < d->groups.count; i++)
    if (d->row[i] != NULL)
      row[i] = d->row[i][group];
    else
      s = measure_groups(d, group, i, &row[i], e);
  if (s == OK)
    return d->row[group] = row;
  free(row);
  return NULL;
}

enum status distances_fill(struct distances *d, struct err *e)
{
  if (d->topology != NULL)
    return OK;
  const struct host_groups *all = distances_groups(d, e);
  if (all == NULL || mem_fits((uint64_t)all->count * all->count, sizeof **d->row, e) != OK)
    return FAIL;
  for (uint32_t g = 0; g < all->count; g++)
    if (distances_row(d, g, e) == NULL)
      return FAIL;
  return OK;
}

static double one_way(const struct distances *d, uint32_t a, uint32_t b)
{
  const uint32_t n = hops(d, a, b);
  return d->latency == NULL ? n : d->latency[n];
}

double distances_mean(const struct distances *d, uint32_t a, uint32_t b)
{
  if (a == b)
    return 0;
  if (d->topology != NULL)
    return (one_way(d, a, b) + one_way(d, b, a)) / 2;
  return d->row[d->groups.of[a]][d->groups.of[b]];
}

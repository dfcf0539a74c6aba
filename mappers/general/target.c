#include "mappers/general/target.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "platforms/distances.h"

/* The largest distance: sums of distances times weights of a graph do not overflow. */
#define LARGEST_DISTANCE 65534.0

void target_clear(struct target *m)
{
  host_groups_clear(&m->groups);
  free(m->distance);
  *m = (struct target){0};
}

/* Sets the fields that follow from the sides.  The inverse of side 1 would be 2^64; with 0 instead,
 * target_split() returns *host as coordinate, which is 0. */
static void derive(struct target *m)
{
  m->cube = true;
  for (uint32_t d = 0; d < m->ndims; d++) {
    m->cube = m->cube && m->side[d] == 2;
    m->inverse[d] = m->side[d] > 1 ? UINT64_MAX / m->side[d] + 1 : 0;
  }
}

/* Drops sides of one host. */
static void take_grid(struct target *m, const struct topology *t)
{
  uint32_t ndims;
  const uint32_t *sides = grid_sides(t, &ndims);
  for (uint32_t d = 0; d < ndims; d++)
    if (sides[d] > 1) {
      m->wraps[m->ndims] = grid_kind(t) == GRID_TORUS && sides[d] > 2;
      m->side[m->ndims++] = sides[d];
    }
  if (m->ndims == 0)
    m->side[m->ndims++] = 1;
  derive(m);
}

/* The distance of two groups, or of two hosts of one group. */
static double between(const struct target *m, const struct distances *d, uint32_t a, uint32_t b)
{
  uint32_t ends[2];
  host_groups_ends(&m->groups, a, b, ends);
  return distances_mean(d, ends[0], ends[1]);
}

/* The unit of distances: half a hop, as mean hops are half the sum of both directions; for
 * latencies, the unit in which the largest one is LARGEST_DISTANCE. */
static double unit_of(const struct target *m, const struct distances *d)
{
  double most = 0;
  if (distances_are_hops(d))
    return 0.5;
  for (uint32_t a = 0; a < m->groups.count; a++)
    for (uint32_t b = a; b < m->groups.count; b++)
      most = fmax(most, between(m, d, a, b));
  return most > 0 ? most / LARGEST_DISTANCE : 1;
}

/* Fills distance[].  Distances above 0 are rounded to at least one unit. */
static void measure(struct target *m, const struct distances *d)
{
  const size_t n = m->groups.count;
  const double unit = unit_of(m, d);
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = a; b < n; b++) {
      const double far = between(m, d, a, b);
      const double units = fmin(round(far / unit), LARGEST_DISTANCE);
      m->distance[a * n + b] = far > 0 && units < 1 ? 1 : (uint16_t)units;
      m->distance[b * n + a] = m->distance[a * n + b];
    }
}

static enum status take_groups(struct target *m, const struct platform *p, struct err *e)
{
  struct distances *d;
  if (host_groups_alike(&m->groups, p, e) != OK)
    return FAIL;
  const size_t n = m->groups.count;
  if (n > TARGET_MOST_GROUPS)
    return err_set(e, "%s: %zu groups of alike hosts are more than %u", platform_name(p), n,
                   TARGET_MOST_GROUPS);
  if ((m->distance = mem_array(n * n, sizeof *m->distance, e)) == NULL ||
      distances_new(&d, p, DISTANCE_USUAL, e) != OK)
    return FAIL;
  const enum status s = distances_fill(d, e);
  m->latencies = !distances_are_hops(d);
  if (s == OK)
    measure(m, d);
  distances_free(d);
  return s;
}

enum status target_new(struct target *m, const struct platform *p, uint32_t per_host, struct err *e)
{
  const struct topology *t = platform_topology(p);
  const uint32_t hosts = platform_hosts(p);
  *m = (struct target){.hosts = hosts, .per_host = per_host, .slots = hosts * per_host};
  if (hosts > UINT32_MAX / 2 / per_host)
    return err_set(e, "%u hosts with %u ranks each are too many", hosts, per_host);
  if (t != NULL && topology_is_grid(t)) {
    take_grid(m, t);
    return OK;
  }
  if (take_groups(m, p, e) == OK)
    return OK;
  target_clear(m);
  return FAIL;
}

void target_box(struct target *box, const struct target *m, const uint32_t *side)
{
  *box = (struct target){.hosts = 1, .per_host = m->per_host};
  for (uint32_t d = 0; d < m->ndims; d++) {
    if (side[d] == 1)
      continue;
    box->wraps[box->ndims] = m->wraps[d] && side[d] == m->side[d];
    box->side[box->ndims++] = side[d];
    box->hosts *= side[d];
  }
  if (box->ndims == 0)
    box->side[box->ndims++] = 1;
  derive(box);
  box->slots = box->hosts * m->per_host;
}

uint32_t target_box_host(const struct target *m, const uint32_t *low, const uint32_t *side,
                         uint32_t h)
{
  uint32_t host = 0, stride = 1;
  for (uint32_t d = 0; d < m->ndims; d++) {
    host += (low[d] + h % side[d]) * stride;
    h /= side[d];
    stride *= m->side[d];
  }
  return host;
}

void target_slots(const struct target *m, const uint32_t *host, uint32_t n, uint32_t *fill,
                  uint32_t *slot)
{
  memset(fill, 0, m->hosts * sizeof *fill);
  for (uint32_t v = 0; v < n; v++)
    slot[v] = host[v] * m->per_host + fill[host[v]]++;
}

uint32_t target_hops(const struct target *m, uint32_t a, uint32_t b)
{
  uint32_t sum = 0;
  if (m->ndims == 0)
    return a == b ? 0 : target_row(m, a)[m->groups.of[b]];
  if (m->cube)
    return (uint32_t)__builtin_popcount(a ^ b);
  for (uint32_t d = 0; d < m->ndims; d++) {
    const uint32_t x = target_split(m, d, &a), y = target_split(m, d, &b);
    sum += target_along(m, d, x, y);
  }
  return sum;
}

double target_random_hops(const struct target *m)
{
  double sum = 0;
  for (uint32_t d = 0; d < m->ndims; d++)
    sum += m->wraps[d] ? m->side[d] / 4.0 : (m->side[d] - 1.0 / m->side[d]) / 3;
  return sum;
}

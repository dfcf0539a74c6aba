#include "mappers/general/target.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "mappers/distances.h"

/* The largest distance, in units: sums of distances times weights of a graph do not overflow. */
#define LARGEST_DISTANCE 65534.0

void target_clear(struct target *m)
{
  free(m->group);
  free(m->distance);
  *m = (struct target){0};
}

/* Computes the members that follow from the sides.  A side of one host has only coordinate 0. */
static void derive(struct target *m)
{
  m->cube = true;
  for (uint32_t d = 0; d < m->ndims; d++) {
    m->cube = m->cube && m->side[d] == 2;
    m->part[d] = m->side[d] > 1 ? UINT64_MAX / m->side[d] + 1 : 0;
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

/* Finds two hosts of each group; they are the same host if the group has only one. */
static enum status find_members(const struct target *m, uint32_t **out, struct err *e)
{
  uint32_t *member = mem_array(m->groups, 2 * sizeof *member, e);
  if (member == NULL)
    return FAIL;
  memset(member, 0xff, (size_t)m->groups * 2 * sizeof *member);
  for (uint32_t h = m->hosts; h-- > 0;) {
    uint32_t *two = member + 2 * (size_t)m->group[h];
    two[1] = two[0] == UINT32_MAX ? h : two[0];
    two[0] = h;
  }
  *out = member;
  return OK;
}

/* The distance of two groups, or of two hosts of one group. */
static double between(const struct distances *d, const uint32_t *member, uint32_t a, uint32_t b)
{
  return distances_of(d, member[2 * (size_t)a], member[2 * (size_t)b + (a == b)]);
}

/* The unit of distances.  Half a hop, so that the hops there and back are an integer; for
 * latencies, the unit in which the largest one is LARGEST_DISTANCE. */
static double unit_of(const struct target *m, const struct distances *d, const uint32_t *member)
{
  double most = 0;
  if (distances_are_hops(d))
    return 0.5;
  for (uint32_t a = 0; a < m->groups; a++)
    for (uint32_t b = a; b < m->groups; b++)
      most = fmax(most, between(d, member, a, b));
  return most > 0 ? most / LARGEST_DISTANCE : 1;
}

/* Distances above 0 are rounded to at least one unit. */
static void measure(struct target *m, const struct distances *d, const uint32_t *member)
{
  const size_t n = m->groups;
  const double unit = unit_of(m, d, member);
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = a; b < n; b++) {
      const double far = between(d, member, a, b);
      const double units = fmin(round(far / unit), LARGEST_DISTANCE);
      m->distance[a * n + b] = far > 0 && units < 1 ? 1 : (uint16_t)units;
      m->distance[b * n + a] = m->distance[a * n + b];
    }
}

static enum status measure_groups(struct target *m, const struct platform *p, struct err *e)
{
  struct distances *d;
  uint32_t *member = NULL;
  if (m->groups > TARGET_MOST_GROUPS)
    return err_set(e, "%s: %u groups of alike hosts are more than %u", platform_name(p), m->groups,
                   TARGET_MOST_GROUPS);
  if ((m->distance = mem_array((size_t)m->groups * m->groups, sizeof *m->distance, e)) == NULL ||
      find_members(m, &member, e) != OK)
    return FAIL;
  const enum status s = distances_new(&d, p, e);
  if (s == OK) {
    m->latencies = !distances_are_hops(d);
    measure(m, d, member);
    distances_free(d);
  }
  free(member);
  return s;
}

static enum status take_groups(struct target *m, const struct platform *p, struct err *e)
{
  if ((m->group = mem_array(m->hosts, sizeof *m->group, e)) == NULL ||
      platform_groups(p, m->group, &m->groups, e) != OK)
    return FAIL;
  return measure_groups(m, p, e);
}

enum status target_new(struct target *m, const struct platform *p, uint32_t per_host, struct err *e)
{
  const struct topology *t = platform_topology(p);
  const uint32_t hosts = platform_hosts(p);
  *m = (struct target){.hosts = hosts, .per_host = per_host, .slots = hosts * per_host};
  if (hosts > UINT32_MAX / 2 / per_host)
    return err_set(e, "%u hosts of %u ranks are too many", hosts, per_host);
  if (t != NULL && topology_is_grid(t)) {
    take_grid(m, t);
    return OK;
  }
  if (take_groups(m, p, e) == OK)
    return OK;
  target_clear(m);
  return FAIL;
}

void target_box(struct target *part, const struct target *m, const uint32_t *side)
{
  *part = (struct target){.hosts = 1, .per_host = m->per_host};
  for (uint32_t d = 0; d < m->ndims; d++) {
    if (side[d] == 1)
      continue;
    part->wraps[part->ndims] = m->wraps[d] && side[d] == m->side[d];
    part->side[part->ndims++] = side[d];
    part->hosts *= side[d];
  }
  if (part->ndims == 0)
    part->side[part->ndims++] = 1;
  derive(part);
  part->slots = part->hosts * m->per_host;
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

uint32_t target_hops(const struct target *m, uint32_t a, uint32_t b)
{
  uint32_t sum = 0;
  if (m->ndims == 0)
    return a == b ? 0 : m->distance[(size_t)m->group[a] * m->groups + m->group[b]];
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

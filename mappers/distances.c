#include "mappers/distances.h"

#include <stdlib.h>

#include "common/mem.h"

struct distances {
  const struct platform *platform;
  const struct topology *topology; /* NULL: distances are latencies, in the fields below */
  uint32_t hosts, groups;
  uint32_t *group;     /* by host */
  uint32_t *member[2]; /* first and last host of each group */
  double *far;         /* latencies in s, groups x groups; diagonal: within a group */
};

static enum status list_groups(struct distances *d, struct err *e)
{
  if ((d->group = mem_array(d->hosts, sizeof *d->group, e)) == NULL ||
      platform_groups(d->platform, d->group, &d->groups, e) != OK ||
      (d->member[0] = mem_array(d->groups, sizeof(uint32_t), e)) == NULL ||
      (d->member[1] = mem_array(d->groups, sizeof(uint32_t), e)) == NULL ||
      mem_fits((uint64_t)d->groups * d->groups, sizeof *d->far, e) != OK ||
      (d->far = mem_array((size_t)d->groups * d->groups, sizeof *d->far, e)) == NULL)
    return FAIL;
  for (uint32_t h = 0; h < d->hosts; h++)
    d->member[1][d->group[h]] = h;
  for (uint32_t h = d->hosts; h-- > 0;)
    d->member[0][d->group[h]] = h;
  return OK;
}

static enum status measure_pair(struct distances *d, struct platform_finder *f, uint32_t g,
                                uint32_t k, struct err *e)
{
  const uint32_t src = d->member[0][g], dst = d->member[g == k][k];
  struct platform_route there, back;
  if (src == dst)
    return OK;
  if (platform_route_needed(f, src, dst, &there, e) != OK)
    return FAIL;
  if (platform_route_needed(f, dst, src, &back, e) != OK)
    return FAIL;
  const double mean = (there.latency_s + back.latency_s) / 2;
  d->far[(size_t)g * d->groups + k] = d->far[(size_t)k * d->groups + g] = mean;
  return OK;
}

static enum status measure_all(struct distances *d, struct err *e)
{
  struct platform_finder *f;
  enum status s = list_groups(d, e);
  if (s != OK || platform_finder_new(&f, d->platform, e) != OK)
    return FAIL;
  for (uint32_t g = 0; s == OK && g < d->groups; g++)
    for (uint32_t k = g; s == OK && k < d->groups; k++)
      s = measure_pair(d, f, g, k, e);
  platform_finder_free(f);
  return s;
}

enum status distances_new(struct distances **out, const struct platform *p, struct err *e)
{
  struct distances *d = mem_array(1, sizeof *d, e);
  if (d == NULL)
    return FAIL;
  *d = (struct distances){
      .platform = p, .topology = platform_topology(p), .hosts = platform_hosts(p)};
  if (d->topology == NULL && measure_all(d, e) != OK) {
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
  free(d->group);
  free(d->member[0]);
  free(d->member[1]);
  free(d->far);
  free(d);
}

double distances_of(const struct distances *d, uint32_t a, uint32_t b)
{
  if (a == b)
    return 0;
  if (d->topology != NULL)
    return (topology_hops(d->topology, a, b) + topology_hops(d->topology, b, a)) / 2.0;
  return d->far[(size_t)d->group[a] * d->groups + d->group[b]];
}

bool distances_are_hops(const struct distances *d)
{
  return d->topology != NULL;
}

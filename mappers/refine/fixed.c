#include "mappers/refine/fixed.h"

#include "platforms/host_groups.h"

/* Marks a link, and sets *equal to false if its bandwidth is not *bandwidth, which is 0 before the
 * first link. */
static void mark(uint8_t *fixed, const struct platform *p, uint32_t link, double *bandwidth,
                 bool *equal)
{
  const double b = platform_link(p, link).bandwidth;
  *equal = *equal && (*bandwidth == 0 || *bandwidth == b);
  *bandwidth = b;
  fixed[link] = 1;
}

/* Marks the first link from each host and the last link to it. */
static enum status mark_cables(uint8_t *fixed, bool *equal, const struct platform *p,
                               struct platform_finder *f, struct err *e)
{
  const uint32_t hosts = platform_hosts(p);
  struct platform_route r;
  double bandwidth = 0;
  for (uint32_t h = 0; h < hosts; h++) {
    const uint32_t other = h == 0 ? 1 : 0;
    if (platform_route_needed(f, h, other, &r, e) != OK)
      return FAIL;
    mark(fixed, p, r.link[0], &bandwidth, equal);
    if (platform_route_needed(f, other, h, &r, e) != OK)
      return FAIL;
    mark(fixed, p, r.link[r.links - 1], &bandwidth, equal);
  }
  return OK;
}

enum status fixed_links(uint8_t *fixed, bool *found, const struct mapper_input *in, struct err *e)
{
  const struct platform *p = in->platform;
  struct platform_finder *f;
  *found = false;
  if (in->ranks_per_host > 1 || platform_hosts(p) < 2 || !host_groups_own_cables(p))
    return OK;
  if (platform_finder_new(&f, p, e) != OK)
    return FAIL;
  *found = true;
  const enum status s = mark_cables(fixed, found, p, f, e);
  platform_finder_free(f);
  return s;
}

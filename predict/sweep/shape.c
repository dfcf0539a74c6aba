#include "predict/sweep/shape.h"

#include <stdlib.h>
#include <string.h>

#include "common/containers/index.h"
#include "common/mem.h"

struct shaper {
  const struct platform *platform;
  struct platform_finder *finder;
  uint32_t *host, *link; /* by host and link: its number in order of appearance, from 1; 0: not seen
                            yet */
  uint32_t hosts, links;
  uint64_t hash;
};

static void add(struct shaper *s, uint64_t value)
{
  s->hash = index_mix(s->hash ^ index_mix(value + 1));
}

static void add_double(struct shaper *s, double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  add(s, bits);
}

static void add_host(struct shaper *s, uint32_t h)
{
  if (s->host[h] == 0) {
    s->host[h] = ++s->hosts;
    add_double(s, platform_host_speed(s->platform, h));
    add(s, platform_host_cores(s->platform, h));
  }
  add(s, s->host[h]);
}

static void add_link(struct shaper *s, uint32_t l)
{
  if (s->link[l] == 0) {
    const struct platform_link x = platform_link(s->platform, l);
    s->link[l] = ++s->links;
    add_double(s, x.bandwidth);
    add(s, x.fat);
  }
  add(s, s->link[l]);
}

static enum status add_route(struct shaper *s, uint32_t src, uint32_t dst, struct err *e)
{
  struct platform_route r;
  if (platform_route(s->finder, src, dst, &r, e) != OK)
    return FAIL;
  add_double(s, r.latency_s);
  for (uint32_t i = 0; i < r.links; i++)
    add_link(s, r.link[i]);
  add(s, r.links);
  return OK;
}

static enum status add_ranks(struct shaper *s, const struct mapping *m, struct err *e)
{
  for (uint32_t i = 0; i < m->ranks; i++)
    add_host(s, m->host[i]);
  for (uint32_t i = 0; i < m->ranks; i++)
    for (uint32_t k = 0; k < m->ranks; k++)
      if (i != k && add_route(s, m->host[i], m->host[k], e) != OK)
        return FAIL;
  return OK;
}

enum status shape_of(const struct platform *p, const struct mapping *m, uint64_t *out,
                     struct err *e)
{
  struct shaper s = {.platform = p};
  enum status status = FAIL;
  *out = 0;
  if (m->ranks > SHAPE_RANKS)
    return OK;
  if ((s.host = mem_array(platform_hosts(p), sizeof *s.host, e)) != NULL &&
      (s.link = mem_array(platform_link_ids(p), sizeof *s.link, e)) != NULL &&
      platform_finder_new(&s.finder, p, e) == OK)
    status = add_ranks(&s, m, e);
  if (status == OK)
    *out = s.hash == 0 ? 1 : s.hash;
  platform_finder_free(s.finder);
  free(s.host);
  free(s.link);
  return status;
}

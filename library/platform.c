#include <math.h>
#include <stdlib.h>

#include "common/mem.h"
#include "library/handles.h"

/* An opaque platform needs SimGrid in a child process, which a library must not start. */
static enum status open_platform(struct haichi_platform *p, const char *text, struct err *e)
{
  if (library_check_input(text, e) != OK)
    return FAIL;
  if (!platform_is_spec(text) && inputs_looks_like_spec(text))
    return inputs_platform(&p->p, text, 0, e); /* an error that names the topologies */
  return (platform_is_spec(text) ? platform_from_spec(&p->p, text, NULL, e)
                                 : platform_load(&p->p, text, e)) == OK
             ? platform_need_routes(p->p, "libhaichi", e)
             : FAIL;
}

enum haichi_status haichi_platform_open(struct haichi_platform **out, const char *spec_or_path,
                                        struct haichi_error *e)
{
  struct err why;
  struct haichi_platform *p = mem_array(1, sizeof *p, &why);
  if (p == NULL || open_platform(p, spec_or_path, &why) != OK) {
    haichi_platform_free(p);
    return library_fail(e, &why);
  }
  *out = p;
  return HAICHI_OK;
}

void haichi_platform_free(struct haichi_platform *p)
{
  if (p != NULL)
    platform_free(p->p);
  free(p);
}

uint32_t haichi_platform_hosts(const struct haichi_platform *p)
{
  return platform_hosts(p->p);
}

const char *haichi_platform_host_name(const struct haichi_platform *p, uint32_t host,
                                      char buffer[HAICHI_NAME_SIZE])
{
  _Static_assert(HAICHI_NAME_SIZE == PLATFORM_NAME_SIZE, "any name fits");
  return platform_host_name(p->p, host, buffer, HAICHI_NAME_SIZE);
}

enum haichi_status haichi_platform_find_host(const struct haichi_platform *p, const char *name,
                                             uint32_t *host, struct haichi_error *e)
{
  struct err why;
  if (platform_find_host(p->p, name, host))
    return HAICHI_OK;
  err_set(&why, "%s: no host '%.200s'", platform_name(p->p), name);
  return library_fail(e, &why);
}

double haichi_platform_host_speed(const struct haichi_platform *p, uint32_t host)
{
  return platform_host_speed(p->p, host);
}

uint32_t haichi_platform_host_cores(const struct haichi_platform *p, uint32_t host)
{
  return platform_host_cores(p->p, host);
}

static struct haichi_route describe(const struct platform *p, const struct platform_route *r)
{
  struct haichi_route out = {r->links, r->latency_s, INFINITY};
  for (uint32_t i = 0; i < r->links; i++)
    out.bandwidth_Bps = fmin(out.bandwidth_Bps, platform_link(p, r->link[i]).bandwidth);
  return out;
}

static enum status find_route(const struct platform *p, uint32_t from, uint32_t to,
                              struct haichi_route *out, struct err *e)
{
  struct platform_finder *f;
  struct platform_route r;
  const uint32_t hosts = platform_hosts(p);
  if (from >= hosts || to >= hosts)
    return err_set(e, "%s: no host %u: there are %u", platform_name(p), from >= hosts ? from : to,
                   hosts);
  if (platform_finder_new(&f, p, e) != OK)
    return FAIL;
  const enum status s = (from == to ? platform_route : platform_route_needed)(f, from, to, &r, e);
  if (s == OK)
    *out = describe(p, &r);
  platform_finder_free(f);
  return s;
}

enum haichi_status haichi_platform_route(const struct haichi_platform *p, uint32_t from,
                                         uint32_t to, struct haichi_route *out,
                                         struct haichi_error *e)
{
  struct err why;
  return find_route(p->p, from, to, out, &why) == OK ? HAICHI_OK : library_fail(e, &why);
}

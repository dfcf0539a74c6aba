/* Routes of a foreign platform, from SimGrid.  A link's number is kept at the link itself, as its
 * user data. */
#include "sim/flow_foreign.h"

#include <stdlib.h>

#include "common/mem.h"
#include "sim/pairs.h"
#include "sim/simgrid_platform.h"

/* What has been asked for one pair of hosts. */
struct known {
  size_t first; /* in link[] */
  uint32_t links;
  double latency_s;
};

struct flow_foreign {
  struct simgrid_api sg;
  const struct engine_config *config;
  flow_add_link_fn *add; /* gives a new link its number */
  void *arg;
  struct pairs pairs;  /* of hosts */
  struct known *known; /* by pair */
  size_t room;
  uint32_t *link; /* of all known routes */
  size_t links, link_room;
};

enum status flow_foreign_new(struct flow_foreign **out, const struct engine_config *c,
                             flow_add_link_fn *add, void *arg, struct err *e)
{
  struct flow_foreign *f = mem_array(1, sizeof *f, e);
  if (f == NULL)
    return FAIL;
  f->config = c;
  f->add = add;
  f->arg = arg;
  if (simgrid_platform_load(&f->sg, c, false, e) != OK) {
    flow_foreign_free(f);
    return FAIL;
  }
  *out = f;
  return OK;
}

void flow_foreign_free(struct flow_foreign *f)
{
  if (f == NULL)
    return;
  pairs_clear(&f->pairs);
  free(f->known);
  free(f->link);
  free(f);
}

static enum status number_link(struct flow_foreign *f, sg_link_t l, uint32_t *number, struct err *e)
{
  const uintptr_t data = (uintptr_t)f->sg.sg_link_get_data(l);
  *number = (uint32_t)(data - 1);
  if (data != 0)
    return OK;
  if (f->add(f->arg, f->sg.sg_link_get_bandwidth(l), !f->sg.sg_link_is_shared(l), number, e) != OK)
    return FAIL;
  f->sg.sg_link_set_data(l, (void *)((uintptr_t)*number + 1));
  return OK;
}

static enum status append(struct flow_foreign *f, xbt_dynar_t links, struct err *e)
{
  void *link = f->link;
  const unsigned long n = f->sg.xbt_dynar_length(links);
  if (mem_grow(&link, &f->link_room, f->links + n, sizeof *f->link, e) != OK)
    return FAIL;
  f->link = link;
  for (unsigned i = 0; i < n; i++) {
    const sg_link_t l = *(sg_link_t *)f->sg.xbt_dynar_get_ptr(links, i);
    if (number_link(f, l, &f->link[f->links + i], e) != OK)
      return FAIL;
  }
  f->links += n;
  return OK;
}

static sg_host_t host_of(const struct flow_foreign *f, uint32_t h)
{
  char name[PLATFORM_NAME_SIZE];
  return f->sg.sg_host_by_name(platform_host_name(f->config->platform, h, name, sizeof name));
}

static enum status ask(struct flow_foreign *f, uint32_t src, uint32_t dst, struct known *k,
                       struct err *e)
{
  const sg_host_t from = host_of(f, src), to = host_of(f, dst);
  xbt_dynar_t links = f->sg.xbt_dynar_new(sizeof(sg_link_t), NULL);
  f->sg.sg_host_get_route(from, to, links);
  k->first = f->links;
  const enum status s = append(f, links, e);
  f->sg.xbt_dynar_free(&links);
  if (s != OK)
    return FAIL;
  k->links = (uint32_t)(f->links - k->first);
  k->latency_s = f->sg.sg_host_get_route_latency(from, to);
  if (k->links == 0 && k->latency_s <= 0)
    return err_set(e, "%s: no route from host '%s' to host '%s'", f->config->platform_file,
                   f->sg.sg_host_get_name(from), f->sg.sg_host_get_name(to));
  return OK;
}

static enum status learn(struct flow_foreign *f, uint32_t src, uint32_t dst, uint32_t *pair,
                         struct err *e)
{
  void *known = f->known;
  if (mem_grow(&known, &f->room, (size_t)f->pairs.count + 1, sizeof *f->known, e) != OK)
    return FAIL;
  f->known = known;
  if (ask(f, src, dst, &f->known[f->pairs.count], e) != OK)
    return FAIL;
  return pairs_add(&f->pairs, src, dst, pair, e);
}

enum status flow_foreign_find(struct flow_foreign *f, uint32_t src, uint32_t dst,
                              struct flow_route *out, struct err *e)
{
  uint32_t pair = pairs_find(&f->pairs, src, dst);
  if (pair == PAIRS_NONE && learn(f, src, dst, &pair, e) != OK)
    return FAIL;
  const struct known *k = &f->known[pair];
  *out = (struct flow_route){f->link + k->first, k->links, k->latency_s};
  return OK;
}

void flow_foreign_host(const struct flow_foreign *f, uint32_t h, double *speed, uint32_t *cores)
{
  const sg_host_t host = host_of(f, h);
  *speed = f->sg.sg_host_get_speed(host);
  *cores = (uint32_t)f->sg.sg_host_core_count(host);
}

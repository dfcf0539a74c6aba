/* Routes of a foreign platform, from SimGrid.  A link's number is kept at the link itself, as its
 * user data. */
#include "sim/flow_foreign.h"

#include <stdlib.h>

#include "common/mem.h"
#include "sim/simgrid_platform.h"

/* What has been asked for one pair of hosts. */
struct known {
  uint64_t key; /* (source + 1) << 32 | destination; 0: free */
  size_t first; /* in link[] */
  uint32_t links;
  double latency_s;
};

struct flow_foreign {
  struct simgrid_api sg;
  const struct engine_config *config;
  flow_add_link_fn *add; /* gives a new link its number */
  void *arg;
  struct known *known; /* open addressing */
  size_t count, room;
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
  f->room = 64;
  f->known = mem_array(f->room, sizeof *f->known, e);
  if (f->known == NULL || simgrid_platform_load(&f->sg, c, false, e) != OK) {
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
  free(f->known);
  free(f->link);
  free(f);
}

static struct known *probe(struct known *table, size_t room, uint64_t key)
{
  const uint64_t h = key * UINT64_C(0x9e3779b97f4a7c15);
  size_t i = (h ^ (h >> 32)) & (room - 1);
  while (table[i].key != 0 && table[i].key != key)
    i = (i + 1) & (room - 1);
  return &table[i];
}

static enum status grow(struct flow_foreign *f, struct err *e)
{
  if (f->count * 2 < f->room)
    return OK;
  struct known *bigger = mem_array(f->room * 2, sizeof *bigger, e);
  if (bigger == NULL)
    return FAIL;
  for (size_t i = 0; i < f->room; i++)
    if (f->known[i].key != 0)
      *probe(bigger, f->room * 2, f->known[i].key) = f->known[i];
  free(f->known);
  f->known = bigger;
  f->room *= 2;
  return OK;
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

enum status flow_foreign_find(struct flow_foreign *f, uint32_t src, uint32_t dst,
                              struct flow_route *out, struct err *e)
{
  if (grow(f, e) != OK)
    return FAIL;
  struct known fresh = {.key = ((uint64_t)src + 1) << 32 | dst};
  struct known *k = probe(f->known, f->room, fresh.key);
  if (k->key == 0) {
    if (ask(f, src, dst, &fresh, e) != OK)
      return FAIL;
    *k = fresh;
    f->count++;
  }
  *out = (struct flow_route){f->link + k->first, k->links, k->latency_s};
  return OK;
}

void flow_foreign_host(const struct flow_foreign *f, uint32_t h, double *speed, uint32_t *cores)
{
  const sg_host_t host = host_of(f, h);
  *speed = f->sg.sg_host_get_speed(host);
  *cores = (uint32_t)f->sg.sg_host_core_count(host);
}

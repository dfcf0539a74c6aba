/* Routes of a foreign platform, from SimGrid.  A link's number is kept at the link itself, as its
 * user data. */
#include <simgrid/host.h>
#include <simgrid/link.h>
#include <stdlib.h>
#include <xbt/dynar.h>

#include "common/mem.h"
#include "sim/flow_routes.h"
#include "sim/simgrid_platform.h"

/* What has been asked for one pair of hosts. */
struct known {
  uint64_t key; /* (source + 1) << 32 | destination; 0: free */
  size_t first; /* in link[] */
  uint32_t links;
  double latency_s;
};

struct flow_foreign {
  const struct engine_config *config;
  struct known *known; /* open addressing */
  size_t count, room;
  uint32_t *link; /* of all known routes */
  size_t links, link_room;
};

enum status flow_foreign_new(struct flow_foreign **out, const struct engine_config *c,
                             struct err *e)
{
  struct flow_foreign *f = mem_array(1, sizeof *f, e);
  if (f == NULL)
    return FAIL;
  f->config = c;
  f->room = 64;
  f->known = mem_array(f->room, sizeof *f->known, e);
  if (f->known == NULL) {
    free(f);
    return FAIL;
  }
  simgrid_platform_load(c, false);
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

static enum status number_link(sg_link_t l, flow_add_link_fn *add, void *arg, uint32_t *number,
                               struct err *e)
{
  const uintptr_t data = (uintptr_t)sg_link_get_data(l);
  *number = (uint32_t)(data - 1);
  if (data != 0)
    return OK;
  if (add(arg, sg_link_get_bandwidth(l), !sg_link_is_shared(l), number, e) != OK)
    return FAIL;
  sg_link_set_data(l, (void *)((uintptr_t)*number + 1)); // NOLINT(performance-no-int-to-ptr)
  return OK;
}

static enum status append(struct flow_foreign *f, xbt_dynar_t links, flow_add_link_fn *add,
                          void *arg, struct err *e)
{
  void *link = f->link;
  const unsigned long n = xbt_dynar_length(links);
  if (mem_grow(&link, &f->link_room, f->links + n, sizeof *f->link, e) != OK)
    return FAIL;
  f->link = link;
  for (unsigned long i = 0; i < n; i++)
    if (number_link(xbt_dynar_get_as(links, i, sg_link_t), add, arg, &f->link[f->links + i], e) !=
        OK)
      return FAIL;
  f->links += n;
  return OK;
}

static sg_host_t host_of(const struct flow_foreign *f, uint32_t h)
{
  char name[PLATFORM_NAME_SIZE];
  return sg_host_by_name(platform_host_name(f->config->platform, h, name, sizeof name));
}

static enum status ask(struct flow_foreign *f, struct known *k, uint32_t src, uint32_t dst,
                       flow_add_link_fn *add, void *arg, struct err *e)
{
  const sg_host_t from = host_of(f, src), to = host_of(f, dst);
  xbt_dynar_t links = xbt_dynar_new(sizeof(sg_link_t), NULL);
  sg_host_get_route(from, to, links);
  const size_t first = f->links;
  const enum status s = append(f, links, add, arg, e);
  xbt_dynar_free(&links);
  if (s != OK)
    return FAIL;
  *k = (struct known){.first = first,
                      .links = (uint32_t)(f->links - first),
                      .latency_s = sg_host_get_route_latency(from, to)};
  if (k->links == 0 && k->latency_s <= 0)
    return err_set(e, "%s: no route from host '%s' to host '%s'", f->config->platform_file,
                   sg_host_get_name(from), sg_host_get_name(to));
  return OK;
}

enum status flow_foreign_find(struct flow_foreign *f, uint32_t src, uint32_t dst,
                              flow_add_link_fn *add, void *arg, struct flow_route *out,
                              struct err *e)
{
  if (grow(f, e) != OK)
    return FAIL;
  const uint64_t key = ((uint64_t)src + 1) << 32 | dst;
  struct known *k = probe(f->known, f->room, key);
  if (k->key == 0) {
    struct known fresh;
    if (ask(f, &fresh, src, dst, add, arg, e) != OK)
      return FAIL;
    fresh.key = key;
    *k = fresh;
    f->count++;
  }
  *out = (struct flow_route){f->link + k->first, k->links, k->latency_s};
  return OK;
}

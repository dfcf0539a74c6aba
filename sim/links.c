#include "sim/links.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "sim/pairs.h"

/* What went from one host to another. */
struct flow {
  uint32_t src, dst;
  uint64_t messages, bytes;
};

struct links {
  const struct mapping *mapping;
  struct pairs pairs; /* of hosts */
  struct flow *flow;  /* by pair */
  size_t room;
};

enum status links_new(struct links **out, const struct mapping *m, struct err *e)
{
  struct links *l = mem_array(1, sizeof *l, e);
  if (l == NULL)
    return FAIL;
  l->mapping = m;
  *out = l;
  return OK;
}

void links_free(struct links *l)
{
  if (l == NULL)
    return;
  pairs_clear(&l->pairs);
  free(l->flow);
  free(l);
}

enum status links_add(struct links *l, uint32_t src, uint32_t dst, uint64_t bytes, struct err *e)
{
  const uint32_t from = l->mapping->host[src], to = l->mapping->host[dst];
  if (from == to)
    return OK;
  void *flow = l->flow;
  if (mem_grow(&flow, &l->room, (size_t)l->pairs.count + 1, sizeof *l->flow, e) != OK)
    return FAIL;
  l->flow = flow;
  const uint32_t before = l->pairs.count;
  uint32_t pair;
  if (pairs_add(&l->pairs, from, to, &pair, e) != OK)
    return FAIL;
  struct flow *f = &l->flow[pair];
  if (pair == before)
    *f = (struct flow){.src = from, .dst = to};
  f->messages++;
  f->bytes += bytes;
  return OK;
}

/* --- a topology: counters by link id --- */

struct load {
  uint64_t messages, bytes;
};

static enum status add_up(const struct links *l, const struct topology *t, struct load *load,
                          struct err *e)
{
  uint32_t *route = mem_array(topology_diameter(t), sizeof *route, e);
  if (route == NULL)
    return FAIL;
  for (uint32_t i = 0; i < l->pairs.count; i++) {
    const struct flow *f = &l->flow[i];
    const uint32_t hops = topology_route(t, f->src, f->dst, route);
    for (uint32_t h = 0; h < hops; h++) {
      load[route[h]].messages += f->messages;
      load[route[h]].bytes += f->bytes;
    }
  }
  free(route);
  return OK;
}

static void print_link(FILE *f, const char *name, struct load load, double capacity)
{
  fprintf(f, "%s\t%" PRIu64 "\t%" PRIu64 "\t%.6g\n", name, load.messages, load.bytes,
          capacity > 0 ? (double)load.bytes / capacity : 0.0);
}

static enum status print_topology(const struct links *l, FILE *f, const struct platform *p,
                                  double time_s, struct err *e)
{
  const struct topology *t = platform_topology(p);
  struct load *load = mem_array(topology_link_ids(t), sizeof *load, e);
  if (load == NULL || add_up(l, t, load, e) != OK) {
    free(load);
    return FAIL;
  }
  for (uint32_t i = 0; i < topology_link_ids(t); i++) {
    char name[256];
    if (!topology_has_link(t, i))
      continue;
    platform_link_name(p, i, name, sizeof name);
    print_link(f, name, load[i], platform_bandwidth(p) * time_s);
  }
  free(load);
  return OK;
}

/* --- a foreign platform: counters by the names that the engine gives --- */

struct crossing {
  char *name;
  double bandwidth;
  struct load load;
};

struct crossings {
  struct crossing *crossing;
  size_t count, room;
  struct load load; /* of the route that is being walked */
  bool failed;
  struct err *err;
};

static void add_crossing(void *arg, const char *name, double bandwidth)
{
  struct crossings *c = arg;
  void *grown = c->crossing;
  if (c->failed || mem_grow(&grown, &c->room, c->count + 1, sizeof *c->crossing, c->err) != OK) {
    c->failed = true;
    return;
  }
  c->crossing = grown;
  char *copy = mem_strdup(name, c->err);
  c->failed = copy == NULL;
  if (!c->failed)
    c->crossing[c->count++] = (struct crossing){copy, bandwidth, c->load};
}

static int by_name(const void *a, const void *b)
{
  return strcmp(((const struct crossing *)a)->name, ((const struct crossing *)b)->name);
}

static void print_crossings(struct crossings *c, FILE *f, double time_s)
{
  if (c->count > 0)
    qsort(c->crossing, c->count, sizeof *c->crossing, by_name);
  for (size_t i = 0, k; i < c->count; i = k) {
    struct load sum = {0, 0};
    for (k = i; k < c->count && strcmp(c->crossing[k].name, c->crossing[i].name) == 0; k++) {
      sum.messages += c->crossing[k].load.messages;
      sum.bytes += c->crossing[k].load.bytes;
    }
    print_link(f, c->crossing[i].name, sum, c->crossing[i].bandwidth * time_s);
  }
}

static enum status print_foreign(const struct links *l, FILE *f, const struct platform *p,
                                 const struct engine *engine, double time_s, struct err *e)
{
  struct crossings c = {.err = e};
  for (uint32_t i = 0; i < l->pairs.count && !c.failed; i++) {
    const struct flow *w = &l->flow[i];
    char src[256], dst[256];
    c.load = (struct load){w->messages, w->bytes};
    engine->route(platform_host_name(p, w->src, src, sizeof src),
                  platform_host_name(p, w->dst, dst, sizeof dst), add_crossing, &c);
  }
  if (!c.failed)
    print_crossings(&c, f, time_s);
  for (size_t i = 0; i < c.count; i++)
    free(c.crossing[i].name);
  free(c.crossing);
  return c.failed ? FAIL : OK;
}

enum status links_print(const struct links *l, FILE *f, const struct platform *p,
                        const struct engine *engine, double time_s, struct err *e)
{
  fputs("link\tmessages\tbytes\tutilisation\n", f);
  return platform_topology(p) != NULL ? print_topology(l, f, p, time_s, e)
                                      : print_foreign(l, f, p, engine, time_s, e);
}

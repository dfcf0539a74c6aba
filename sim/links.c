#include "sim/links.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"

/* What went from one host to another. */
struct flow {
  uint64_t key; /* (source + 1) << 32 | destination; 0: free */
  uint64_t messages, bytes;
};

struct links {
  const struct mapping *mapping;
  struct flow *flow; /* open addressing */
  size_t flows, room;
};

enum status links_new(struct links **out, const struct mapping *m, struct err *e)
{
  struct links *l = mem_array(1, sizeof *l, e);
  if (l == NULL)
    return FAIL;
  l->mapping = m;
  l->room = 64;
  l->flow = mem_array(l->room, sizeof *l->flow, e);
  if (l->flow == NULL) {
    free(l);
    return FAIL;
  }
  *out = l;
  return OK;
}

void links_free(struct links *l)
{
  if (l == NULL)
    return;
  free(l->flow);
  free(l);
}

static struct flow *probe(struct flow *table, size_t room, uint64_t key)
{
  const uint64_t h = key * UINT64_C(0x9e3779b97f4a7c15);
  size_t i = (h ^ (h >> 32)) & (room - 1);
  while (table[i].key != 0 && table[i].key != key)
    i = (i + 1) & (room - 1);
  return &table[i];
}

static enum status grow(struct links *l, struct err *e)
{
  if (l->flows * 2 < l->room)
    return OK;
  struct flow *bigger = mem_array(l->room * 2, sizeof *bigger, e);
  if (bigger == NULL)
    return FAIL;
  for (size_t i = 0; i < l->room; i++)
    if (l->flow[i].key != 0)
      *probe(bigger, l->room * 2, l->flow[i].key) = l->flow[i];
  free(l->flow);
  l->flow = bigger;
  l->room *= 2;
  return OK;
}

enum status links_add(struct links *l, uint32_t src, uint32_t dst, uint64_t bytes, struct err *e)
{
  const uint32_t from = l->mapping->host[src], to = l->mapping->host[dst];
  if (from == to)
    return OK;
  if (grow(l, e) != OK)
    return FAIL;
  const uint64_t key = ((uint64_t)from + 1) << 32 | to;
  struct flow *f = probe(l->flow, l->room, key);
  l->flows += f->key == 0;
  f->key = key;
  f->messages++;
  f->bytes += bytes;
  return OK;
}

static uint32_t source_of(const struct flow *f)
{
  return (uint32_t)(f->key >> 32) - 1;
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
  for (size_t i = 0; i < l->room; i++) {
    const struct flow *f = &l->flow[i];
    const uint32_t hops =
        f->key == 0 ? 0 : topology_route(t, source_of(f), (uint32_t)f->key, route);
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
  for (size_t i = 0; i < l->room && !c.failed; i++) {
    const struct flow *w = &l->flow[i];
    char src[256], dst[256];
    if (w->key == 0)
      continue;
    c.load = (struct load){w->messages, w->bytes};
    engine->route(platform_host_name(p, source_of(w), src, sizeof src),
                  platform_host_name(p, (uint32_t)w->key, dst, sizeof dst), add_crossing, &c);
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

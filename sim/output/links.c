#include "sim/output/links.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/pairs.h"

/* The traffic from one host to another. */
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
  if (MEM_GROW(l->flow, l->room, (size_t)l->pairs.count + 1, e) != OK)
    return FAIL;
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

/* --- an opaque platform: counters by link of its router --- */

struct crossing {
  const struct platform_link *link; /* NULL: no route uses it */
  uint32_t number;
  struct load load;
};

struct crossings {
  struct crossing *crossing; /* by number */
  size_t room, count;
};

/* The counter of a link; new ones are zeroed. */
static enum status find_crossing(struct crossings *c, uint32_t number, struct crossing **out,
                                 struct err *e)
{
  if (MEM_GROW(c->crossing, c->room, (size_t)number + 1, e) != OK)
    return FAIL;
  for (; c->count <= number; c->count++)
    c->crossing[c->count] = (struct crossing){.number = (uint32_t)c->count};
  *out = &c->crossing[number];
  return OK;
}

static enum status cross(struct crossings *c, const struct platform *p, const struct flow *w,
                         struct err *e)
{
  struct platform_route route;
  struct crossing *x = NULL;
  if (platform_route(p, w->src, w->dst, &route, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < route.links; i++) {
    if (find_crossing(c, route.link[i], &x, e) != OK)
      return FAIL;
    x->load.messages += w->messages;
    x->load.bytes += w->bytes;
  }
  return OK;
}

/* Of two links of one name the lower number comes first. */
static int by_name(const void *a, const void *b)
{
  const struct crossing *x = a, *y = b;
  const int order = strcmp(x->link->name, y->link->name);
  return order != 0 ? order : (x->number > y->number) - (x->number < y->number);
}

static void print_crossings(struct crossings *c, FILE *f, const struct platform *p, double time_s)
{
  size_t used = 0;
  for (size_t i = 0; i < c->count; i++) {
    if (c->crossing[i].load.messages == 0)
      continue;
    c->crossing[used] = c->crossing[i];
    c->crossing[used].link = platform_link(p, c->crossing[used].number);
    used++;
  }
  if (used > 0)
    qsort(c->crossing, used, sizeof *c->crossing, by_name);
  for (size_t i = 0; i < used; i++)
    print_link(f, c->crossing[i].link->name, c->crossing[i].load,
               c->crossing[i].link->bandwidth * time_s);
}

static enum status print_opaque(const struct links *l, FILE *f, const struct platform *p,
                                double time_s, struct err *e)
{
  struct crossings c = {0};
  enum status s = OK;
  for (uint32_t i = 0; i < l->pairs.count && s == OK; i++)
    s = cross(&c, p, &l->flow[i], e);
  if (s == OK)
    print_crossings(&c, f, p, time_s);
  free(c.crossing);
  return s;
}

enum status links_print(const struct links *l, FILE *f, const struct platform *p, double time_s,
                        struct err *e)
{
  fputs("link\tmessages\tbytes\tutilisation\n", f);
  return platform_topology(p) != NULL ? print_topology(l, f, p, time_s, e)
                                      : print_opaque(l, f, p, time_s, e);
}

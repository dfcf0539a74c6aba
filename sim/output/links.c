#include "sim/output/links.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/containers/pairs.h"
#include "common/mem.h"
#include "common/numeric/rising.h"

/* The traffic from one host to another. */
struct flow {
  uint32_t src, dst;
  uint64_t messages, bytes;
};

struct links {
  const struct mapping *mapping;
  struct pairs pairs; /* pairs of hosts */
  struct flow *flow;  /* by pair of hosts */
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

/* --- a platform whose links are known: counters by link --- */

struct load {
  uint64_t messages, bytes;
};

static enum status add_up(const struct links *l, struct platform_finder *finder, struct load *load,
                          struct err *e)
{
  for (uint32_t i = 0; i < l->pairs.count; i++) {
    const struct flow *f = &l->flow[i];
    struct platform_route route;
    if (platform_route(finder, f->src, f->dst, &route, e) != OK)
      return FAIL;
    for (uint32_t h = 0; h < route.links; h++) {
      load[route.link[h]].messages += f->messages;
      load[route.link[h]].bytes += f->bytes;
    }
  }
  return OK;
}

static void print_link(FILE *f, const char *name, struct load load, double capacity)
{
  fprintf(f, "%s\t%" PRIu64 "\t%" PRIu64 "\t%.6g\n", name, load.messages, load.bytes,
          capacity > 0 ? (double)load.bytes / capacity : 0.0);
}

static enum status print_known(const struct links *l, FILE *f, const struct platform *p,
                               struct platform_finder *finder, double time_s, struct err *e)
{
  const uint32_t ids = platform_link_ids(p);
  OWNED struct load *load = mem_array(ids, sizeof *load, e);
  if (load == NULL || add_up(l, finder, load, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < ids; i++) {
    char name[PLATFORM_NAME_SIZE];
    if (platform_has_link(p, i) && !platform_is_loopback(p, i))
      print_link(f, platform_link_name(p, i, name, sizeof name), load[i],
                 platform_link(p, i).bandwidth * time_s);
  }
  return OK;
}

/* --- an opaque platform: counters by link of its router --- */

struct crossing {
  struct platform_link link;
  uint32_t number;
  struct load load;
};

struct crossings {
  struct crossing *crossing; /* by number */
  size_t room, count;
};

/* Finds the counter of a link; new counters are zeroed. */
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

static enum status cross(struct crossings *c, struct platform_finder *finder, const struct flow *w,
                         struct err *e)
{
  struct platform_route route;
  struct crossing *x = NULL;
  if (platform_route(finder, w->src, w->dst, &route, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < route.links; i++) {
    if (find_crossing(c, route.link[i], &x, e) != OK)
      return FAIL;
    x->load.messages += w->messages;
    x->load.bytes += w->bytes;
  }
  return OK;
}

/* Links of equal name are ordered by number. */
static int by_name(const void *a, const void *b)
{
  const struct crossing *x = a, *y = b;
  return strcmp(x->link.name, y->link.name) ?: RISING(x->number, y->number);
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
    print_link(f, c->crossing[i].link.name, c->crossing[i].load,
               c->crossing[i].link.bandwidth * time_s);
}

static enum status print_opaque(const struct links *l, FILE *f, const struct platform *p,
                                struct platform_finder *finder, double time_s, struct err *e)
{
  struct crossings c = {0};
  enum status s = OK;
  for (uint32_t i = 0; i < l->pairs.count && s == OK; i++)
    s = cross(&c, finder, &l->flow[i], e);
  if (s == OK)
    print_crossings(&c, f, p, time_s);
  free(c.crossing);
  return s;
}

enum status links_print(const struct links *l, FILE *f, const struct platform *p, double time_s,
                        struct err *e)
{
  struct platform_finder *finder;
  if (platform_finder_new(&finder, p, e) != OK)
    return FAIL;
  fputs("link\tmessages\tbytes\tutilisation\n", f);
  const enum status s =
      (platform_is_opaque(p) ? print_opaque : print_known)(l, f, p, finder, time_s, e);
  platform_finder_free(finder);
  return s;
}

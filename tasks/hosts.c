/* First, hosts are put into classes of equal bandwidths.  Then classes are linked in the order of
 * falling bandwidth, along a maximum spanning tree: for each threshold, the tree routes of at least
 * this bandwidth connect the same classes as all routes of at least this bandwidth.  A *part* is a
 * set of classes linked so far. */
#include "tasks/hosts.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "common/mem.h"
#include "common/numeric/rising.h"
#include "platforms/distances.h"

/* Maximum number of classes.  The route between each pair is examined. */
enum { MOST_CLASSES = 4096 };

struct class
{
  double joins;     /* highest bandwidth between one of its hosts and any other host; 0: none */
  bool added;       /* part of the spanning tree */
  double best;      /* highest bandwidth to a class in the tree */
  uint32_t nearest; /* the class in the tree with this bandwidth */
  uint32_t parent;  /* in the forest of parts; the class itself: a root */
  uint32_t group;   /* for a root: the group of its part; HOSTS_NONE: no group yet */
};

/* An event at a threshold: a route of the tree between classes a and b, or the linking of the hosts
 * of class a = b. */
struct event {
  double bandwidth;
  uint32_t a, b;
};

/* A group.  Its children are grouping.kid[first] ..; without children, its hosts are
 * grouping.member[first] .. */
struct made {
  uint32_t first, kids, hosts;
  uint32_t low; /* its lowest host */
  double speed, bandwidth;
};

/* A part that is linked to others at a threshold. */
struct joining {
  uint32_t root;  /* after the linking */
  uint32_t class; /* the root before */
};

/* A host that joins a group, to be sorted by speed. */
struct joined {
  double speed;
  uint32_t host;
};

struct grouping {
  const struct platform *p;
  struct distances *bandwidths;
  struct host_groups classes;
  uint32_t groups;
  struct class *class;
  struct event *event;
  uint32_t events;
  struct joining *joining;
  uint32_t joinings;
  struct joined *joined;
  struct made *made;
  uint32_t *kid, *member;
  uint32_t kids, members;
};

void hosts_clear(struct hosts *h)
{
  free(h->group);
  free(h->host);
  free(h->leaf);
  *h = (struct hosts){0};
}

/* --- classes and spanning tree --- */

static enum status make_classes(struct grouping *g, struct err *e)
{
  if (g->classes.count > MOST_CLASSES)
    return err_set(e, "%s: its hosts form %u classes by bandwidth; a hierarchy has at most %d",
                   platform_name(g->p), g->classes.count, MOST_CLASSES);
  if ((g->class = mem_array(g->classes.count, sizeof *g->class, e)) == NULL)
    return FAIL;
  for (uint32_t c = 0; c < g->classes.count; c++) {
    g->class[c].parent = c;
    g->class[c].group = HOSTS_NONE;
  }
  return OK;
}

/* The bandwidth between two classes, or between two hosts of a class. */
static enum status measure(struct grouping *g, uint32_t a, uint32_t b, double *out, struct err *e)
{
  uint32_t ends[2];
  host_groups_ends(&g->classes, a, b, ends);
  return ends[0] == ends[1] ? OK : distances_round_trip(g->bandwidths, ends[0], ends[1], out, e);
}

/* Adds a class to the tree and examines its routes to the classes outside the tree. */
static enum status add_class(struct grouping *g, uint32_t at, struct err *e)
{
  struct class *c = &g->class[at];
  c->added = true;
  for (uint32_t i = 0; i < g->classes.count; i++) {
    struct class *o = &g->class[i];
    double bandwidth;
    if (o->added)
      continue;
    if (measure(g, at, i, &bandwidth, e) != OK)
      return FAIL;
    c->joins = fmax(c->joins, bandwidth);
    o->joins = fmax(o->joins, bandwidth);
    if (bandwidth <= o->best)
      continue;
    o->best = bandwidth;
    o->nearest = at;
  }
  return OK;
}

/* Finds a maximum spanning tree by bandwidth (Prim). */
static enum status link_classes(struct grouping *g, struct err *e)
{
  for (uint32_t at = 0, next;; at = next) {
    if (add_class(g, at, e) != OK)
      return FAIL;
    next = HOSTS_NONE;
    for (uint32_t i = 0; i < g->classes.count; i++)
      if (!g->class[i].added && (next == HOSTS_NONE || g->class[i].best > g->class[next].best))
        next = i;
    if (next == HOSTS_NONE)
      return OK;
    g->event[g->events++] = (struct event){g->class[next].best, next, g->class[next].nearest};
  }
}

/* --- parts --- */

static uint32_t find(const struct grouping *g, uint32_t class)
{
  while (g->class[class].parent != class) {
    g->class[class].parent = g->class[g->class[class].parent].parent;
    class = g->class[class].parent;
  }
  return class;
}

static int compare_events(const void *a, const void *b)
{
  const struct event *x = a, *y = b;
  return RISING(y->bandwidth, x->bandwidth) ?: RISING(x->a, y->a) ?: RISING(x->b, y->b);
}

static int compare_joinings(const void *a, const void *b)
{
  const struct joining *x = a, *y = b;
  return RISING(x->root, y->root) ?: RISING(x->class, y->class);
}

static int compare_joined(const void *a, const void *b)
{
  const struct joined *x = a, *y = b;
  return RISING(y->speed, x->speed) ?: RISING(x->host, y->host);
}

/* Makes a leaf of @p n hosts of equal speed.  Appends the hosts to the members and the leaf to the
 * children. */
static void make_leaf(struct grouping *g, const struct joined *host, uint32_t n, double bandwidth)
{
  g->made[g->groups] = (struct made){.first = g->members,
                                     .hosts = n,
                                     .low = host->host,
                                     .speed = host->speed * n,
                                     .bandwidth = n == 1 ? INFINITY : bandwidth};
  for (uint32_t i = 0; i < n; i++)
    g->member[g->members++] = host[i].host;
  g->kid[g->kids++] = g->groups++;
}

/* Makes leaves of the hosts of classes without a group in joinings @p from .. @p to - 1, one for
 * each speed. */
static void make_leaves(struct grouping *g, uint32_t from, uint32_t to, double bandwidth)
{
  uint32_t n = 0;
  for (uint32_t i = from; i < to; i++) {
    const uint32_t c = g->joining[i].class, *first = &g->classes.first[c];
    for (uint32_t k = first[0]; g->class[c].group == HOSTS_NONE && k < first[1]; k++) {
      const uint32_t h = g->classes.member[k];
      g->joined[n++] = (struct joined){platform_host_speed(g->p, h), h};
    }
  }
  qsort(g->joined, n, sizeof *g->joined, compare_joined);
  for (uint32_t i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && g->joined[end].speed == g->joined[i].speed;)
      end++;
    make_leaf(g, &g->joined[i], end - i, bandwidth);
  }
}

/* Makes the group of the parts linked at a threshold: joinings @p from .. @p to - 1. */
static void make_group(struct grouping *g, uint32_t from, uint32_t to, double bandwidth)
{
  const uint32_t first = g->kids;
  uint32_t *group = &g->class[g->joining[from].root].group;
  for (uint32_t i = from; i < to; i++)
    if (g->class[g->joining[i].class].group != HOSTS_NONE)
      g->kid[g->kids++] = g->class[g->joining[i].class].group;
  make_leaves(g, from, to, bandwidth);
  if (g->kids - first == 1) {
    *group = g->kid[--g->kids];
    return;
  }
  struct made made = {
      .first = first, .kids = g->kids - first, .low = HOSTS_NONE, .bandwidth = bandwidth};
  for (uint32_t i = first; i < g->kids; i++) {
    const struct made *kid = &g->made[g->kid[i]];
    made.hosts += kid->hosts;
    made.speed += kid->speed;
    made.low = kid->low < made.low ? kid->low : made.low;
  }
  g->made[g->groups] = made;
  *group = g->groups++;
}

/* Links the parts of events @p from .. @p to - 1, which have the same threshold. */
static void link_parts(struct grouping *g, uint32_t from, uint32_t to)
{
  g->joinings = 0;
  for (uint32_t i = from; i < to; i++) {
    g->joining[g->joinings++].class = find(g, g->event[i].a);
    g->joining[g->joinings++].class = find(g, g->event[i].b);
  }
  for (uint32_t i = from; i < to; i++)
    g->class[find(g, g->event[i].a)].parent = find(g, g->event[i].b);
  for (uint32_t i = 0; i < g->joinings; i++)
    g->joining[i].root = find(g, g->joining[i].class);
  qsort(g->joining, g->joinings, sizeof *g->joining, compare_joinings);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < g->joinings; i++)
    if (i == 0 || g->joining[i].class != g->joining[kept - 1].class)
      g->joining[kept++] = g->joining[i];
  for (uint32_t i = 0, end; i < kept; i = end) {
    for (end = i + 1; end < kept && g->joining[end].root == g->joining[i].root;)
      end++;
    make_group(g, i, end, g->event[from].bandwidth);
  }
}

static enum status reserve(struct grouping *g, struct err *e)
{
  const size_t hosts = g->classes.hosts, classes = g->classes.count, most = classes * 4;
  if ((g->event = mem_array(classes * 2, sizeof *g->event, e)) == NULL ||
      (g->joining = mem_array(most, sizeof *g->joining, e)) == NULL ||
      (g->joined = mem_array(hosts, sizeof *g->joined, e)) == NULL ||
      (g->member = mem_array(hosts, sizeof *g->member, e)) == NULL ||
      (g->made = mem_array(hosts + classes, sizeof *g->made, e)) == NULL)
    return FAIL;
  g->kid = mem_array(hosts + classes, sizeof *g->kid, e);
  return g->kid == NULL ? FAIL : make_classes(g, e);
}

static enum status make_groups(struct grouping *g, struct err *e)
{
  if (reserve(g, e) != OK || distances_new(&g->bandwidths, g->p, DISTANCE_BANDWIDTH, e) != OK)
    return FAIL;
  for (uint32_t c = 0; c < g->classes.count; c++)
    if (measure(g, c, c, &g->class[c].joins, e) != OK)
      return FAIL;
  if (link_classes(g, e) != OK)
    return FAIL;
  for (uint32_t c = 0; c < g->classes.count; c++)
    g->event[g->events++] = (struct event){g->class[c].joins, c, c};
  qsort(g->event, g->events, sizeof *g->event, compare_events);
  for (uint32_t i = 0, end; i < g->events; i = end) {
    for (end = i + 1; end < g->events && g->event[end].bandwidth == g->event[i].bandwidth;)
      end++;
    link_parts(g, i, end);
  }
  return OK;
}

/* --- result --- */

struct by_low {
  uint32_t low, made;
};

static int compare_low(const void *a, const void *b)
{
  const struct by_low *x = a, *y = b;
  return RISING(x->low, y->low);
}

/* Appends the children of group @p at to the result, sorted by lowest host. */
static void add_kids(const struct grouping *g, struct hosts *h, uint32_t at, struct by_low *sorted)
{
  const struct made *m = &g->made[sorted[at].made];
  struct by_low *next = &sorted[h->groups];
  uint32_t first = h->group[at].first;
  for (uint32_t i = 0; i < m->kids; i++)
    next[i] = (struct by_low){g->made[g->kid[m->first + i]].low, g->kid[m->first + i]};
  qsort(next, m->kids, sizeof *next, compare_low);
  h->group[at].child = h->groups;
  h->group[at].children = m->kids;
  for (uint32_t i = 0; i < m->kids; i++) {
    const struct made *kid = &g->made[next[i].made];
    h->group[h->groups++] = (struct hosts_group){.parent = at,
                                                 .first = first,
                                                 .hosts = kid->hosts,
                                                 .depth = h->group[at].depth + 1,
                                                 .speed = kid->speed,
                                                 .bandwidth = kid->bandwidth};
    first += kid->hosts;
  }
}

static void add_hosts(const struct grouping *g, struct hosts *h, uint32_t at, uint32_t made)
{
  for (uint32_t i = 0; i < h->group[at].hosts; i++) {
    const uint32_t host = g->member[g->made[made].first + i];
    h->host[h->group[at].first + i] = host;
    h->leaf[host] = at;
  }
}

static enum status write_result(const struct grouping *g, struct hosts *h, struct err *e)
{
  OWNED struct by_low *sorted = mem_array(g->groups, sizeof *sorted, e);
  if (sorted == NULL || (h->group = mem_array(g->groups, sizeof *h->group, e)) == NULL ||
      (h->host = mem_array(g->classes.hosts, sizeof *h->host, e)) == NULL ||
      (h->leaf = mem_array(g->classes.hosts, sizeof *h->leaf, e)) == NULL) {
    hosts_clear(h);
    return FAIL;
  }
  sorted[0].made = g->class[find(g, 0)].group;
  const struct made *root = &g->made[sorted[0].made];
  h->count = g->classes.hosts;
  h->group[0] = (struct hosts_group){.parent = HOSTS_NONE,
                                     .hosts = root->hosts,
                                     .speed = root->speed,
                                     .bandwidth = root->bandwidth};
  h->groups = 1;
  for (uint32_t i = 0; i < h->groups; i++) {
    add_kids(g, h, i, sorted);
    if (h->group[i].children == 0)
      add_hosts(g, h, i, sorted[i].made);
  }
  return OK;
}

static enum status check_speeds(const struct platform *p, struct err *e)
{
  char name[PLATFORM_NAME_SIZE];
  for (uint32_t h = 0; h < platform_hosts(p); h++)
    if (!(platform_host_speed(p, h) > 0))
      return err_set(e, "%s: host '%.80s' has a speed of %g", platform_name(p),
                     platform_host_name(p, h, name, sizeof name), platform_host_speed(p, h));
  return OK;
}

enum status hosts_make(struct hosts *out, const struct platform *p, struct err *e)
{
  struct grouping g = {.p = p};
  struct hosts h = {0};
  if (platform_need_routes(p, "the hierarchy of hosts", e) != OK || check_speeds(p, e) != OK)
    return FAIL;
  const enum status s = host_groups_bandwidth(&g.classes, p, e) == OK && make_groups(&g, e) == OK
                            ? write_result(&g, &h, e)
                            : FAIL;
  void *const owned[] = {g.class, g.event, g.joining, g.joined, g.made, g.kid, g.member};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
    free(owned[i]);
  host_groups_clear(&g.classes);
  distances_free(g.bandwidths);
  if (s == OK)
    *out = h;
  return s;
}

int hosts_by_falling_speed(const void *a, const void *b)
{
  const struct hosts_mean *x = a, *y = b;
  return RISING(y->speed, x->speed) ?: RISING(x->group, y->group);
}

double hosts_bandwidth(const struct hosts *h, uint32_t a, uint32_t b)
{
  uint32_t x = h->leaf[a], y = h->leaf[b];
  if (a == b)
    return INFINITY;
  while (x != y) {
    if (h->group[x].depth >= h->group[y].depth)
      x = h->group[x].parent;
    else
      y = h->group[y].parent;
  }
  return h->group[x].bandwidth;
}

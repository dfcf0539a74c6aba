#define _GNU_SOURCE
#include "mappers/qap/cost.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/linefile.h"
#include "common/mem.h"
#include "common/num.h"
#include "platforms/bandwidths.h"

enum { CENTRES = 16 };

enum measure { HOPS, LATENCY, BANDWIDTH, MEASURES };

static const char *const NAME[MEASURES] = {"hops", "latency", "bandwidth"};

struct cost {
  const struct platform *platform;
  struct platform_finder *finder;
  enum measure measure;
  double *table; /* costs of a file; NULL: costs are computed from routes */
};

static enum status read_line(const struct linefile *l, double *row, uint32_t hosts, struct err *e)
{
  struct err why;
  uint32_t values = 0;
  char *text = l->text;
  for (char *word; (word = strsep(&text, " \t\r")) != NULL;) {
    if (*word == '\0')
      continue;
    if (values == hosts)
      return err_at(e, l->path, l->line, "more than %" PRIu32 " values, one for each host", hosts);
    if (num_double(word, 0, 1e300, &row[values++], &why) != OK)
      return err_at(e, l->path, l->line, "%s", why.text);
  }
  return values == hosts
             ? OK
             : err_at(e, l->path, l->line,
                      "%" PRIu32 " values, but the platform has %" PRIu32 " hosts", values, hosts);
}

static enum status read_lines(struct linefile *l, double *table, uint32_t hosts, struct err *e)
{
  size_t lines = 0;
  for (bool more = true;;) {
    if (linefile_next(l, &more, e) != OK)
      return FAIL;
    if (!more)
      break;
    l->text[strcspn(l->text, "#")] = '\0';
    if (l->text[strspn(l->text, " \t\r")] == '\0')
      continue;
    if (lines == hosts)
      return err_at(e, l->path, l->line, "more lines than hosts, which are %" PRIu32, hosts);
    if (read_line(l, table + lines++ * hosts, hosts, e) != OK)
      return FAIL;
  }
  return lines == hosts
             ? OK
             : err_at(e, l->path, l->line,
                      "%zu lines of costs, but the platform has %" PRIu32 " hosts", lines, hosts);
}

static enum status read_table(struct cost *c, const char *path, struct err *e)
{
  const uint32_t hosts = platform_hosts(c->platform);
  struct linefile l = {.path = path};
  c->table = mem_array((size_t)hosts * hosts, sizeof *c->table, e);
  if (c->table == NULL || linefile_open(&l, path, e) != OK)
    return FAIL;
  const enum status s = read_lines(&l, c->table, hosts, e);
  linefile_close(&l);
  return s;
}

/* Returns MEASURES for the name of a file. */
static enum measure measure_of(const char *what)
{
  enum measure m = 0;
  while (m < MEASURES && strcmp(what, NAME[m]) != 0)
    m++;
  return m;
}

bool cost_is_file(const char *what)
{
  return measure_of(what) == MEASURES;
}

enum status cost_new(struct cost **out, const struct platform *p, const char *what, struct err *e)
{
  struct cost *c = mem_array(1, sizeof *c, e);
  if (c == NULL)
    return FAIL;
  c->platform = p;
  c->measure = measure_of(what);
  if ((c->measure == MEASURES ? read_table(c, what, e) : platform_finder_new(&c->finder, p, e)) ==
      OK) {
    *out = c;
    return OK;
  }
  cost_free(c);
  return FAIL;
}

void cost_free(struct cost *c)
{
  if (c == NULL)
    return;
  platform_finder_free(c->finder);
  free(c->table);
  free(c);
}

static double of_route(const struct cost *c, const struct platform_route *route)
{
  if (c->measure == BANDWIDTH)
    return 1 / platform_least_bandwidth(c->platform, route);
  return c->measure == LATENCY ? route->latency_s : route->links;
}

enum status cost_between(struct cost *c, uint32_t src, uint32_t dst, double *out, struct err *e)
{
  struct platform_route route;
  if (c->table != NULL) {
    *out = c->table[(size_t)src * platform_hosts(c->platform) + dst];
    return OK;
  }
  const struct topology *t = platform_topology(c->platform);
  if (src == dst || (t != NULL && c->measure == HOPS)) {
    *out = src == dst ? 0 : topology_hops(t, src, dst);
    return OK;
  }
  if (platform_route_needed(c->finder, src, dst, &route, e) != OK)
    return FAIL;
  *out = of_route(c, &route);
  return OK;
}

struct neighbour {
  double cost;
  uint32_t host;
};

static int by_cost(const void *x, const void *y)
{
  const struct neighbour *a = x, *b = y;
  if (a->cost != b->cost)
    return a->cost < b->cost ? -1 : 1;
  return (a->host > b->host) - (a->host < b->host);
}

static int by_number(const void *x, const void *y)
{
  const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
  return (a > b) - (a < b);
}

/* Sorts all hosts by their costs from @p centre. */
static enum status look_around(struct cost *c, uint32_t centre, struct neighbour *all,
                               struct err *e)
{
  const uint32_t hosts = platform_hosts(c->platform);
  for (uint32_t h = 0; h < hosts; h++) {
    all[h] = (struct neighbour){.host = h};
    if (h != centre && cost_between(c, centre, h, &all[h].cost, e) != OK)
      return FAIL;
  }
  qsort(all, hosts, sizeof *all, by_cost);
  return OK;
}

static double sum_of(const struct neighbour *all, uint32_t count)
{
  double sum = 0;
  for (uint32_t i = 0; i < count; i++)
    sum += all[i].cost;
  return sum;
}

enum status cost_nearest(struct cost *c, uint32_t count, uint32_t *host, struct err *e)
{
  const uint32_t hosts = platform_hosts(c->platform);
  struct neighbour *all = mem_array(hosts, sizeof *all, e);
  enum status s = all == NULL ? FAIL : OK;
  double least = -1;
  for (uint64_t i = 0; s == OK && i < CENTRES; i++) {
    s = look_around(c, (uint32_t)(i * hosts / CENTRES), all, e);
    const double sum = s == OK ? sum_of(all, count) : 0;
    if (s != OK || (least >= 0 && sum >= least))
      continue;
    least = sum;
    for (uint32_t j = 0; j < count; j++)
      host[j] = all[j].host;
  }
  if (s == OK && count > 0)
    qsort(host, count, sizeof *host, by_number);
  free(all);
  return s;
}

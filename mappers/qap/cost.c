#include "mappers/qap/cost.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/linefile.h"
#include "common/mem.h"
#include "common/num.h"
#include "common/numeric/rising.h"
#include "platforms/distances.h"

enum { CENTRES = 16 };

/* Names of measures; NULL: the measure has none. */
static const char *const NAME[] = {
    [DISTANCE_HOPS] = "hops", [DISTANCE_LATENCY] = "latency", [DISTANCE_BANDWIDTH] = "bandwidth"};

struct cost {
  const struct platform *platform;
  struct distances *distances;
  bool bandwidth; /* distances are bandwidths */
  double *table;  /* costs of a file; NULL: costs are distances */
};

static enum status read_line(const struct linefile *l, double *row, uint32_t hosts, struct err *e)
{
  uint32_t values = 0;
  char *text = l->text;
  for (char *word; (word = strsep(&text, " \t\r")) != NULL;) {
    if (*word == '\0')
      continue;
    if (values == hosts)
      return err_at(e, l->path, l->line, "more than %" PRIu32 " values, one for each host", hosts);
    if (num_double(word, 0, 1e300, &row[values++], e) != OK)
      return err_place(e, l->path, l->line);
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
      return err_at(e, l->path, l->line, "more than %" PRIu32 " lines, one for each host", hosts);
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

/* The measure with the name @p what; DISTANCE_USUAL if @p what names a file. */
static enum distance_measure measure_of(const char *what)
{
  size_t m = sizeof NAME / sizeof *NAME;
  while (m-- > 0)
    if (NAME[m] != NULL && strcmp(what, NAME[m]) == 0)
      return (enum distance_measure)m;
  return DISTANCE_USUAL;
}

bool cost_is_file(const char *what)
{
  return measure_of(what) == DISTANCE_USUAL;
}

enum status cost_new(struct cost **out, const struct platform *p, const char *what, struct err *e)
{
  struct cost *c = mem_array(1, sizeof *c, e);
  if (c == NULL)
    return FAIL;
  const enum distance_measure measure = measure_of(what);
  c->platform = p;
  c->bandwidth = measure == DISTANCE_BANDWIDTH;
  if ((cost_is_file(what) ? read_table(c, what, e) : distances_new(&c->distances, p, measure, e)) ==
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
  distances_free(c->distances);
  free(c->table);
  free(c);
}

enum status cost_between(struct cost *c, uint32_t src, uint32_t dst, double *out, struct err *e)
{
  *out = c->table == NULL ? 0 : c->table[(size_t)src * platform_hosts(c->platform) + dst];
  if (c->table != NULL || src == dst)
    return OK;
  if (distances_one_way(c->distances, src, dst, out, e) != OK)
    return FAIL;
  *out = c->bandwidth ? 1 / *out : *out;
  return OK;
}

struct neighbour {
  double cost;
  uint32_t host;
};

static int by_cost(const void *x, const void *y)
{
  const struct neighbour *a = x, *b = y;
  return RISING(a->cost, b->cost) ?: RISING(a->host, b->host);
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
  OWNED struct neighbour *all = mem_array(hosts, sizeof *all, e);
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
    qsort(host, count, sizeof *host, rising_u32);
  return s;
}

#include "mappers/metrics.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/mem.h"

#define AT(FIELD) offsetof(struct metrics, FIELD)

const struct column metrics_columns[] = {
    {"hop_bytes", COLUMN_U64, AT(hop_bytes)},
    {"dilation_mean_hops", COLUMN_DOUBLE, AT(dilation_mean)},
    {"dilation_max_hops", COLUMN_U32, AT(dilation_max)},
    {"max_link_load_bytes", COLUMN_U64, AT(max_link_load_bytes)},
    {"mean_link_load_bytes", COLUMN_DOUBLE, AT(mean_link_load_bytes)},
    {"cardinality", COLUMN_U64, AT(cardinality)},
    {"max_link_load_s", COLUMN_DOUBLE, AT(max_link_load_s)},
    {"mean_latency_s", COLUMN_DOUBLE, AT(mean_latency_s)},
    {.name = NULL},
};

/* The sums of one metrics_compute(). */
struct sums {
  const struct platform *platform;
  struct platform_finder *finder;
  uint64_t *load; /* by link id */
  double byte_s;  /* sum of bytes times latency in s */
  uint64_t dilation;
  struct metrics metrics;
};

static enum status add_pair(struct sums *s, uint32_t src, uint32_t dst, uint64_t bytes,
                            struct err *e)
{
  struct metrics *m = &s->metrics;
  struct platform_route route = {.links = 0};
  uint64_t hop_bytes;
  if (src != dst && platform_route(s->finder, src, dst, &route, e) != OK)
    return FAIL;
  const uint32_t hops = route.links;
  if (__builtin_mul_overflow(bytes, (uint64_t)hops, &hop_bytes) ||
      hop_bytes > INT64_MAX - m->hop_bytes)
    return err_set(e, "the hop-bytes reach 2^63");
  m->pairs++;
  m->bytes += bytes;
  m->hop_bytes += hop_bytes;
  s->dilation += hops;
  m->dilation_max = hops > m->dilation_max ? hops : m->dilation_max;
  for (uint32_t i = 0; i < hops; i++)
    s->load[route.link[i]] += bytes;
  s->byte_s += (double)bytes * route.latency_s;
  return OK;
}

static int by_pair(const void *a, const void *b)
{
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* Counts undirected pairs of ranks on neighbouring hosts.  A pair with traffic in both directions
 * counts once. */
static enum status count_cardinality(struct sums *s, const struct mapping *m,
                                     const struct matrix *traffic, struct err *e)
{
  uint64_t *pair = mem_array(traffic->count, sizeof *pair, e);
  size_t n = 0;
  if (pair == NULL)
    return FAIL;
  for (size_t i = 0; i < traffic->count; i++) {
    const struct matrix_entry x = matrix_at(traffic, i);
    const uint64_t low = x.src < x.dst ? x.src : x.dst;
    const uint64_t high = x.src < x.dst ? x.dst : x.src;
    if (x.src == x.dst || m->host[x.src] == m->host[x.dst])
      continue;
    struct platform_route route;
    if (platform_route(s->finder, m->host[x.src], m->host[x.dst], &route, e) != OK) {
      free(pair);
      return FAIL;
    }
    if (route.links == 1)
      pair[n++] = low << 32 | high;
  }
  if (n > 0)
    qsort(pair, n, sizeof *pair, by_pair);
  for (size_t i = 0; i < n; i++)
    s->metrics.cardinality += i == 0 || pair[i] != pair[i - 1];
  free(pair);
  return OK;
}

static enum status add_all(struct sums *s, const struct mapping *m, const struct matrix *traffic,
                           struct err *e)
{
  for (size_t i = 0; i < traffic->count; i++) {
    const struct matrix_entry x = matrix_at(traffic, i);
    if (x.src >= m->ranks || x.dst >= m->ranks)
      return err_set(
          e, "the traffic is between ranks %" PRIu32 " and %" PRIu32 ", the mapping has %" PRIu32,
          x.src, x.dst, m->ranks);
    if (x.src != x.dst && add_pair(s, m->host[x.src], m->host[x.dst], x.bytes, e) != OK)
      return FAIL;
  }
  return count_cardinality(s, m, traffic, e);
}

/* Skips links that are not shared: each flow has their full bandwidth. */
static void measure_links(struct sums *s, uint64_t *links)
{
  struct metrics *m = &s->metrics;
  *links = 0;
  for (uint32_t i = 0; i < platform_link_ids(s->platform); i++) {
    *links += platform_has_link(s->platform, i) && !platform_is_loopback(s->platform, i);
    if (s->load[i] == 0)
      continue;
    const struct platform_link l = platform_link(s->platform, i);
    if (l.fat)
      continue;
    const double seconds = (double)s->load[i] / l.bandwidth;
    m->max_link_load_bytes =
        s->load[i] > m->max_link_load_bytes ? s->load[i] : m->max_link_load_bytes;
    m->max_link_load_s = seconds > m->max_link_load_s ? seconds : m->max_link_load_s;
  }
}

static void finish(struct sums *s)
{
  struct metrics *m = &s->metrics;
  uint64_t links;
  measure_links(s, &links);
  m->dilation_mean = m->pairs == 0 ? 0 : (double)s->dilation / (double)m->pairs;
  m->mean_link_load_bytes = links == 0 ? 0 : (double)m->hop_bytes / (double)links;
  m->mean_latency_s = m->bytes == 0 ? 0 : s->byte_s / (double)m->bytes;
}

enum status metrics_compute(struct metrics *out, const struct platform *p, const struct mapping *m,
                            const struct matrix *traffic, struct err *e)
{
  struct sums s = {.platform = p};
  s.load = mem_array(platform_link_ids(p), sizeof *s.load, e);
  enum status status = s.load == NULL ? FAIL : platform_finder_new(&s.finder, p, e);
  if (status == OK)
    status = add_all(&s, m, traffic, e);
  if (status == OK) {
    finish(&s);
    *out = s.metrics;
  }
  platform_finder_free(s.finder);
  free(s.load);
  return status;
}

#include "mappers/metrics.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/mem.h"
#include "common/numeric/rising.h"

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
    {"estimated_time_s", COLUMN_DOUBLE, AT(estimated_time_s)},
    {.name = NULL},
};

/* The sums of one metrics_compute(). */
struct sums {
  const struct platform *platform;
  struct platform_finder *finder;
  uint64_t *load;      /* by link id */
  double byte_s;       /* sum over the messages of bytes times latency */
  uint64_t *neighbour; /* pairs of ranks one hop apart, lower rank first */
  size_t neighbours;
  uint64_t dilation; /* sum of the hops of all pairs */
  struct metrics metrics;
};

/* Adds the bytes to each level on which the two cores are in different objects. */
static void count_levels(struct sums *s, uint32_t src, uint32_t dst, uint64_t bytes)
{
  const struct inside *in = platform_inside(s->platform);
  uint32_t common = 0;
  if (in == NULL || src == dst)
    return;
  if (platform_node(s->platform, src) == platform_node(s->platform, dst))
    common = 1 + inside_common(in, src % in->cores, dst % in->cores);
  for (uint32_t l = common; l < in->levels; l++)
    s->metrics.level_bytes[l] += bytes;
}

static enum status add_pair(struct sums *s, const struct mapping *map, const struct matrix_entry *x,
                            struct err *e)
{
  const uint32_t src = map->host[x->src], dst = map->host[x->dst];
  const uint64_t bytes = x->bytes;
  struct metrics *m = &s->metrics;
  struct platform_route route = {.links = 0};
  uint64_t hop_bytes;
  if (src != dst && platform_route(s->finder, src, dst, &route, e) != OK)
    return FAIL;
  const bool within = platform_node(s->platform, src) == platform_node(s->platform, dst);
  const uint32_t hops = within ? 0 : route.links;
  count_levels(s, src, dst, bytes);
  if (__builtin_mul_overflow(bytes, (uint64_t)hops, &hop_bytes) ||
      hop_bytes > INT64_MAX - m->hop_bytes)
    return err_set(e, "the hop-bytes reach 2^63");
  m->pairs++;
  m->bytes += bytes;
  m->hop_bytes += hop_bytes;
  s->dilation += hops;
  m->dilation_max = hops > m->dilation_max ? hops : m->dilation_max;
  for (uint32_t i = 0; i < route.links; i++)
    s->load[route.link[i]] += bytes;
  s->byte_s += (double)bytes * route.latency_s;
  if (hops == 1)
    s->neighbour[s->neighbours++] =
        x->src < x->dst ? (uint64_t)x->src << 32 | x->dst : (uint64_t)x->dst << 32 | x->src;
  return OK;
}

/* Counts undirected pairs of ranks on neighbouring hosts.  A pair with traffic in both directions
 * counts once. */
static void count_cardinality(struct sums *s)
{
  if (s->neighbours > 0)
    qsort(s->neighbour, s->neighbours, sizeof *s->neighbour, rising_u64);
  for (size_t i = 0; i < s->neighbours; i++)
    s->metrics.cardinality += i == 0 || s->neighbour[i] != s->neighbour[i - 1];
}

static enum status add_all(struct sums *s, const struct mapping *m, const struct matrix *traffic,
                           struct err *e)
{
  for (size_t i = 0; i < traffic->count; i++) {
    const struct matrix_entry x = matrix_at(traffic, i);
    if (x.src >= m->ranks || x.dst >= m->ranks)
      return err_set(e,
                     "traffic between ranks %" PRIu32 " and %" PRIu32
                     ", but the mapping has %" PRIu32 " ranks",
                     x.src, x.dst, m->ranks);
    if (x.src != x.dst && add_pair(s, m, &x, e) != OK)
      return FAIL;
  }
  count_cardinality(s);
  return OK;
}

/* Skips links that are not shared: each flow has their full bandwidth. */
static void measure_links(struct sums *s)
{
  struct metrics *m = &s->metrics;
  uint64_t links = 0, bytes = 0;
  for (uint32_t i = 0; i < platform_link_ids(s->platform); i++) {
    if (!platform_has_link(s->platform, i) || platform_is_loopback(s->platform, i))
      continue;
    const struct platform_link l = platform_link(s->platform, i);
    if (l.fat)
      continue;
    const double seconds = (double)s->load[i] / l.bandwidth;
    m->max_link_load_s = seconds > m->max_link_load_s ? seconds : m->max_link_load_s;
    if (platform_is_inside(s->platform, i))
      continue;
    links++;
    bytes += s->load[i];
    if (s->load[i] > m->max_link_load_bytes)
      m->max_link_load_bytes = s->load[i];
  }
  m->mean_link_load_bytes = links == 0 ? 0 : (double)bytes / (double)links;
}

static void finish(struct sums *s)
{
  struct metrics *m = &s->metrics;
  measure_links(s);
  m->dilation_mean = m->pairs == 0 ? 0 : (double)s->dilation / (double)m->pairs;
  m->mean_latency_s = m->bytes == 0 ? 0 : s->byte_s / (double)m->bytes;
}

enum status metrics_compute(struct metrics *out, const struct platform *p, const struct mapping *m,
                            const struct matrix *traffic, struct err *e)
{
  struct sums s = {.platform = p};
  enum status status = FAIL;
  if ((s.load = mem_array(platform_link_ids(p), sizeof *s.load, e)) != NULL &&
      (s.neighbour = mem_array(traffic->count, sizeof *s.neighbour, e)) != NULL &&
      platform_finder_new(&s.finder, p, e) == OK)
    status = add_all(&s, m, traffic, e);
  if (status == OK) {
    finish(&s);
    *out = s.metrics;
  }
  platform_finder_free(s.finder);
  free(s.load);
  free(s.neighbour);
  return status;
}

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
    {.name = NULL},
};

/* The sums of one computation. */
struct sums {
  const struct topology *topology;
  uint64_t *load;  /* by link id */
  uint32_t *route; /* scratch: one route */
  uint64_t dilation;
  struct metrics metrics;
};

static enum status add_pair(struct sums *s, uint32_t src, uint32_t dst, uint64_t bytes,
                            struct err *e)
{
  struct metrics *m = &s->metrics;
  const uint32_t hops = topology_route(s->topology, src, dst, s->route);
  uint64_t hop_bytes;
  if (__builtin_mul_overflow(bytes, (uint64_t)hops, &hop_bytes) ||
      hop_bytes > INT64_MAX - m->hop_bytes)
    return err_set(e, "the hop-bytes reach 2^63");
  m->pairs++;
  m->bytes += bytes;
  m->hop_bytes += hop_bytes;
  s->dilation += hops;
  m->dilation_max = hops > m->dilation_max ? hops : m->dilation_max;
  for (uint32_t i = 0; i < hops; i++)
    s->load[s->route[i]] += bytes;
  return OK;
}

static int by_pair(const void *a, const void *b)
{
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* Counts undirected pairs on neighbouring hosts, each once even with traffic in both directions. */
static enum status count_cardinality(struct sums *s, const struct mapping *m,
                                     const struct matrix *traffic, struct err *e)
{
  uint64_t *pair = mem_array(traffic->count, sizeof *pair, e);
  size_t n = 0;
  if (pair == NULL)
    return FAIL;
  for (size_t i = 0; i < traffic->count; i++) {
    const struct matrix_entry *x = &traffic->entry[i];
    const uint64_t low = x->src < x->dst ? x->src : x->dst;
    const uint64_t high = x->src < x->dst ? x->dst : x->src;
    if (topology_hops(s->topology, m->host[x->src], m->host[x->dst]) == 1)
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
    const struct matrix_entry *x = &traffic->entry[i];
    if (x->src >= m->ranks || x->dst >= m->ranks)
      return err_set(
          e, "the traffic is between ranks %" PRIu32 " and %" PRIu32 ", the mapping has %" PRIu32,
          x->src, x->dst, m->ranks);
    if (x->src != x->dst && add_pair(s, m->host[x->src], m->host[x->dst], x->bytes, e) != OK)
      return FAIL;
  }
  return count_cardinality(s, m, traffic, e);
}

static void finish(struct sums *s)
{
  struct metrics *m = &s->metrics;
  const uint32_t links = topology_links(s->topology);
  for (uint32_t i = 0; i < topology_link_ids(s->topology); i++)
    if (s->load[i] > m->max_link_load_bytes)
      m->max_link_load_bytes = s->load[i];
  m->dilation_mean = m->pairs == 0 ? 0 : (double)s->dilation / (double)m->pairs;
  m->mean_link_load_bytes = links == 0 ? 0 : (double)m->hop_bytes / links;
}

enum status metrics_compute(struct metrics *out, const struct topology *t, const struct mapping *m,
                            const struct matrix *traffic, struct err *e)
{
  struct sums s = {.topology = t};
  s.load = mem_array(topology_link_ids(t), sizeof *s.load, e);
  s.route = s.load == NULL ? NULL : mem_array(topology_diameter(t), sizeof *s.route, e);
  enum status status = s.route == NULL ? FAIL : add_all(&s, m, traffic, e);
  if (status == OK) {
    finish(&s);
    *out = s.metrics;
  }
  free(s.load);
  free(s.route);
  return status;
}

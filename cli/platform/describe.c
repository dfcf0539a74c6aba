#include "cli/platform/describe.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "common/files/textout.h"
#include "common/mem.h"
#include "platforms/clusters/clusters.h"
#include "platforms/inside/inside.h"
#include "platforms/topology/topology.h"

static void speed_range(const struct platform *p, double *min, double *max)
{
  *min = *max = platform_host_speed(p, 0);
  for (uint32_t h = 1; h < platform_hosts(p); h++) {
    const double speed = platform_host_speed(p, h);
    *min = speed < *min ? speed : *min;
    *max = speed > *max ? speed : *max;
  }
}

static void describe_one(struct report *r, const struct platform *p, const struct topology *t)
{
  double min, max;
  speed_range(p, &min, &max);
  const double cut = topology_bisection(t);
  report_text(r, "topology", topology_spec(t));
  report_u64(r, "hosts", topology_hosts(t));
  report_u64(r, "links", topology_links(t));
  report_u64(r, "diameter", topology_diameter(t));
  if (!isnan(cut)) {
    report_double(r, "bisection_links", cut);
    report_double(r, "bisection_bandwidth_Bps", cut * platform_bandwidth(p));
  }
  report_double(r, "speed_flops_min", min);
  report_double(r, "speed_flops_max", max);
  report_double(r, "bandwidth_Bps", platform_bandwidth(p));
  report_double(r, "latency_s", platform_latency(p));
  report_double(r, "loopback_bandwidth_Bps", platform_loopback_bandwidth(p));
  report_double(r, "loopback_latency_s", platform_loopback_latency(p));
}

/* Describes a platform of several zones, or of hosts that are declared one by one. */
static enum status describe_zones(struct report *r, const struct platform *p, struct err *e)
{
  struct platform_clusters c;
  double min, max;
  uint64_t links = 0;
  for (uint32_t i = 0; i < platform_link_ids(p); i++)
    links += platform_has_link(p, i) && !platform_is_loopback(p, i);
  if (platform_clusters_find(&c, p, e) != OK)
    return FAIL;
  speed_range(p, &min, &max);
  report_text(r, "topology", "zones (routes as the file says)");
  report_u64(r, "hosts", platform_hosts(p));
  report_u64(r, "clusters", c.count);
  report_u64(r, "links", links);
  report_double(r, "speed_flops_min", min);
  report_double(r, "speed_flops_max", max);
  platform_clusters_clear(&c);
  return OK;
}

/* Reports the latency and bandwidth factors of the platform, in SimGrid's syntax. */
static enum status describe_factors(struct report *r, const struct platform *p, struct err *e)
{
  static const char *const NAME[PLATFORM_FACTORS] = {"lat_factor", "bw_factor"};
  for (int i = 0; i < PLATFORM_FACTORS; i++) {
    const struct factors *x = platform_factors(p, (enum platform_factor)i);
    struct textout text;
    if (x->count == 0)
      continue;
    if (textout_begin(&text, e) != OK)
      return FAIL;
    factors_print(x, text.f);
    char *factors = textout_end(&text, OK, e);
    if (factors == NULL)
      return FAIL;
    report_text(r, NAME[i], factors);
    free(factors);
  }
  return OK;
}

/* Reports the inside of the nodes: cores, then for each level its objects and its values. */
static void describe_inside(struct report *r, const struct inside *in)
{
  char name[48];
  if (in == NULL)
    return;
  report_u64(r, "node_cores", in->cores);
  for (uint32_t i = 0; i < in->levels; i++) {
    const struct inside_level *l = &in->level[i];
    snprintf(name, sizeof name, "node_%s", l->name);
    report_u64(r, name, l->objects);
    snprintf(name, sizeof name, "node_%s_latency_s", l->name);
    report_double(r, name, l->latency_s);
    snprintf(name, sizeof name, "node_%s_bandwidth_Bps", l->name);
    report_double(r, name, l->bandwidth);
    snprintf(name, sizeof name, "node_%s_memory_Bps", l->name);
    report_double(r, name, l->memory_bandwidth);
  }
}

enum status describe_platform(const struct platform *p, FILE *f, const struct report_format *format,
                              struct err *e)
{
  struct report r;
  const struct inside *in = platform_inside(p);
  p = platform_nodes(p);
  const struct topology *t = platform_topology(p);
  enum status s = OK;
  report_begin(&r, f, format);
  if (t != NULL) {
    describe_one(&r, p, t);
  } else if (!platform_is_opaque(p)) {
    s = describe_zones(&r, p, e);
  } else {
    report_text(&r, "topology", "none (only SimGrid knows its routes)");
    report_u64(&r, "hosts", platform_hosts(p));
  }
  if (s == OK)
    s = describe_factors(&r, p, e);
  if (s == OK)
    describe_inside(&r, in);
  report_end(&r);
  return s;
}

/* --- clusters --------------------------------------------------------------------------------- */

/* Measures between the first hosts of two clusters: *rtt is the sum of both latencies, *bandwidth
 * the least of the links of the route there, 0 if it has no links. */
static enum status measure(struct platform_finder *f, const struct platform_clusters *c,
                           uint32_t from, uint32_t to, double *rtt, double *bandwidth,
                           struct err *e)
{
  struct platform_route there, back;
  if (platform_route(f, c->first[from], c->first[to], &there, e) != OK)
    return FAIL;
  *bandwidth = 0;
  *rtt = there.latency_s;
  for (uint32_t i = 0; i < there.links; i++) {
    const double b = platform_link(c->p, there.link[i]).bandwidth;
    *bandwidth = i == 0 || b < *bandwidth ? b : *bandwidth;
  }
  if (platform_route(f, c->first[to], c->first[from], &back, e) != OK)
    return FAIL;
  *rtt += back.latency_s;
  return OK;
}

static void print_header(const struct platform_clusters *c, FILE *f)
{
  fputs("cluster\thosts\tcores\tspeed_flops_min\tspeed_flops_max\tinbound", f);
  for (uint32_t i = 0; i < c->count; i++)
    fprintf(f, "\trtt_to_%s_s", c->name[i]);
  for (uint32_t i = 0; i < c->count; i++)
    fprintf(f, "\tbandwidth_to_%s_Bps", c->name[i]);
  fputc('\n', f);
}

/* Speeds and cores of the hosts of a cluster. */
struct sum {
  double min, max; /* speed of a core */
  uint64_t cores;
};

static void add_hosts(const struct platform_clusters *c, struct sum *sum)
{
  for (uint32_t h = 0; h < platform_hosts(c->p); h++) {
    struct sum *x = &sum[c->of_host[h]];
    const double speed = platform_host_speed(c->p, h);
    x->min = x->cores == 0 || speed < x->min ? speed : x->min;
    x->max = speed > x->max ? speed : x->max;
    x->cores += platform_host_cores(c->p, h);
  }
}

/* Prints the first half of a row: hosts, cores, speeds, and whether the cluster accepts
 * connections. */
static void print_cluster(const struct platform_clusters *c, uint32_t cluster,
                          const struct sum *sum, FILE *f)
{
  fprintf(f, "%s\t%" PRIu32 "\t%" PRIu64 "\t", c->name[cluster], c->hosts[cluster], sum->cores);
  report_number(f, sum->min);
  fputc('\t', f);
  report_number(f, sum->max);
  fprintf(f, "\t%s", c->no_inbound[c->first[cluster]] ? "no" : "yes");
}

/* Prints the second half of a row: RTT and bandwidth to each cluster. */
static enum status print_ways(struct platform_finder *finder, const struct platform_clusters *c,
                              uint32_t from, double *bandwidth, FILE *f, struct err *e)
{
  for (uint32_t to = 0; to < c->count; to++) {
    double rtt = 0;
    bandwidth[to] = 0;
    if (to != from && measure(finder, c, from, to, &rtt, &bandwidth[to], e) != OK)
      return FAIL;
    fputc('\t', f);
    report_number(f, rtt);
  }
  for (uint32_t to = 0; to < c->count; to++) {
    fputc('\t', f);
    report_number(f, bandwidth[to]);
  }
  fputc('\n', f);
  return OK;
}

static enum status print_table(struct platform_finder *finder, const struct platform_clusters *c,
                               FILE *f, struct err *e)
{
  double *bandwidth = mem_array(c->count, sizeof *bandwidth, e);
  struct sum *sum = bandwidth == NULL ? NULL : mem_array(c->count, sizeof *sum, e);
  enum status s = sum == NULL ? FAIL : OK;
  if (s == OK) {
    add_hosts(c, sum);
    print_header(c, f);
  }
  for (uint32_t i = 0; s == OK && i < c->count; i++) {
    print_cluster(c, i, &sum[i], f);
    s = print_ways(finder, c, i, bandwidth, f, e);
  }
  free(bandwidth);
  free(sum);
  return s;
}

enum status describe_clusters(const struct platform *p, FILE *f, struct err *e)
{
  struct platform_clusters c;
  struct platform_finder *finder;
  if (platform_need_routes(p, "--clusters", e) != OK || platform_clusters_find(&c, p, e) != OK)
    return FAIL;
  enum status s = platform_finder_new(&finder, p, e);
  if (s == OK) {
    s = print_table(finder, &c, f, e);
    platform_finder_free(finder);
  }
  platform_clusters_clear(&c);
  return s;
}

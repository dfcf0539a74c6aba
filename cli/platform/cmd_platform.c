#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "common/err.h"
#include "common/files/outfile.h"
#include "common/files/textout.h"
#include "common/mem.h"
#include "common/report.h"
#include "platforms/clusters/clusters.h"
#include "platforms/inside/inside.h"
#include "platforms/mapping/mapping.h"
#include "platforms/platform.h"
#include "platforms/topology/star.h"
#include "platforms/topology/topology.h"
#include "sim/load/load.h"
#include "tasks/describe.h"

static void speed_range(const struct platform *p, double *min, double *max)
{
  *min = *max = platform_host_speed(p, 0);
  for (uint32_t h = 1; h < platform_hosts(p); h++) {
    const double speed = platform_host_speed(p, h);
    *min = speed < *min ? speed : *min;
    *max = speed > *max ? speed : *max;
  }
}

/* Least and greatest bandwidth of a link. */
static void bandwidth_range(const struct platform *p, double *min, double *max)
{
  *min = INFINITY;
  *max = 0;
  for (uint32_t i = 0; i < platform_link_ids(p); i++) {
    if (!platform_has_link(p, i) || platform_is_loopback(p, i) || platform_is_inside(p, i))
      continue;
    const double bandwidth = platform_link(p, i).bandwidth;
    *min = fmin(*min, bandwidth);
    *max = fmax(*max, bandwidth);
  }
}

/* Bandwidth of @p cut links, or of the shared backbone between them. */
static double bisection_bandwidth(const struct platform *p, const struct topology *t, double cut)
{
  const struct star_backbone *b = topology_backbone(t);
  const double links = cut * platform_bandwidth(p);
  return b == NULL || b->fat ? links : fmin(links, b->bandwidth_Bps);
}

static void describe_bandwidths(struct report *r, const struct platform *p)
{
  double min, max;
  const double usual = platform_bandwidth(p);
  bandwidth_range(p, &min, &max);
  if (max <= 0 || min == usual || max == usual)
    report_double(r, "bandwidth_Bps", usual);
  if (min < max || (max > 0 && min != usual)) {
    report_double(r, "bandwidth_min_Bps", min);
    report_double(r, "bandwidth_max_Bps", max);
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
    report_double(r, "bisection_bandwidth_Bps", bisection_bandwidth(p, t, cut));
  }
  report_double(r, "speed_flops_min", min);
  report_double(r, "speed_flops_max", max);
  describe_bandwidths(r, p);
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
    OWNED char *factors = textout_end(&text, OK, e);
    if (factors == NULL)
      return FAIL;
    report_text(r, NAME[i], factors);
  }
  return OK;
}

/* Reports the range of messages with which the platform was calibrated. */
static enum status describe_range(struct report *r, const struct platform *p, struct err *e)
{
  struct textout text;
  if (platform_calibrated(p)->largest == 0)
    return OK;
  if (textout_begin(&text, e) != OK)
    return FAIL;
  calibrated_print(platform_calibrated(p), text.f);
  OWNED char *range = textout_end(&text, OK, e);
  if (range == NULL)
    return FAIL;
  report_text(r, "calibrated", range);
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

static enum status describe_platform(const struct platform *p, FILE *f,
                                     const struct report_format *format, struct err *e)
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
    report_text(&r, "topology", "opaque: only SimGrid knows its routes");
    report_u64(&r, "hosts", platform_hosts(p));
  }
  if (s == OK)
    s = describe_factors(&r, p, e) == OK ? describe_range(&r, p, e) : FAIL;
  if (s == OK)
    describe_inside(&r, in);
  report_end(&r);
  return s;
}

/* --- clusters --------------------------------------------------------------------------------- */

/* Measures between the first hosts of two clusters.  *rtt is the sum of the latencies of the routes
 * in both directions; *bandwidth is the least bandwidth of a link on the route from @p from to @p
 * to, 0 if that route has no links. */
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
  OWNED double *bandwidth = mem_array(c->count, sizeof *bandwidth, e);
  OWNED struct sum *sum = bandwidth == NULL ? NULL : mem_array(c->count, sizeof *sum, e);
  enum status s = sum == NULL ? FAIL : OK;
  if (s == OK) {
    add_hosts(c, sum);
    print_header(c, f);
  }
  for (uint32_t i = 0; s == OK && i < c->count; i++) {
    print_cluster(c, i, &sum[i], f);
    s = print_ways(finder, c, i, bandwidth, f, e);
  }
  return s;
}

/* Prints a table with a row for each cluster: its hosts, and the round-trip time and bandwidth to
 * each other cluster, between their first hosts.  Refuses opaque platforms. */
static enum status describe_clusters(const struct platform *p, FILE *f, struct err *e)
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

struct options {
  struct platform_params params;
  const char *platform;
  const char *output, *names, *node;
  bool info, clusters, groups;
  struct load_specs loads;
  const struct report_format *format;
};

#define AT(FIELD) offsetof(struct options, FIELD)

static const struct cli_option OPTIONS[] = {
    {.kind = OPTION_OPERAND, .at = AT(platform)},
    {"speed", 0, "SPEED", "Speed of every host (1Gf)", .at = AT(params.speed),
     .excludes = "speeds"},
    {"speeds", 0, "LIST|@FILE",
     "Speeds given to the hosts in turn, as 1Gf:3,2Gf (three hosts of 1Gf, one of 2Gf, and so on), "
     "or one per line of FILE",
     .at = AT(params.speeds)},
    {"bandwidth", 0, "BANDWIDTH", "Bandwidth of a link, per direction (1.25GBps)",
     .at = AT(params.bandwidth)},
    {"latency", 0, "TIME", "Latency of a link (100ns)", .at = AT(params.latency)},
    {"cores", 0, "N", "Cores of every host, each with the speed of the host (1)",
     .kind = OPTION_U32, .at = AT(params.cores), .min = 1, .max = PLATFORM_MOST_CORES},
    {"node", 0, "NODE",
     "Inside of the hosts: 'pack:2 numa:2 core:8' as hwloc describes it, an hwloc XML file, or "
     "here (this machine); then ';LEVEL=LATENCY:BANDWIDTH:MEMORY'",
     .at = AT(node)},
    {"names", 0, "FILE", "Names of the hosts, in the order of the platform: lists as nid[000-511]",
     .at = AT(names)},
    {"loopback-bandwidth", 0, "BANDWIDTH", "Bandwidth from a host to itself (10GBps)",
     .at = AT(params.loopback_bandwidth)},
    {"loopback-latency", 0, "TIME", "Latency from a host to itself (50ns)",
     .at = AT(params.loopback_latency)},
    {"info", 0, NULL, "Describe the platform instead of writing it", .kind = OPTION_FLAG,
     .at = AT(info), .excludes = "clusters groups background"},
    {"clusters", 0, NULL, "Print a table of its clusters and their connections",
     .kind = OPTION_FLAG, .at = AT(clusters), .excludes = "groups background"},
    {"groups", 0, NULL,
     "Print a table of its hierarchy of hosts: groups of equal hosts, then groups of groups, by "
     "bandwidth",
     .kind = OPTION_FLAG, .at = AT(groups), .excludes = "background"},
    {"background", 0, "LOAD",
     "Write the share of each host that a load leaves to a busy rank, as profiles of the hosts; "
     "may be repeated",
     .kind = OPTION_PARSE, .parse = settings_parse_load, .at = AT(loads), .several = true},
    {"output", 'o', "FILE", "Write to FILE instead of standard output", .at = AT(output),
     .writes = true},
    {"format", 0, "FORMAT", "Format of --info: %s (tsv)", .kind = OPTION_ROW, .at = AT(format),
     .rows = &report_formats, .needs = "info"},
    {.name = NULL}};

static bool has_params(const struct platform_params *p)
{
  return p->speed != NULL || p->speeds != NULL || p->bandwidth != NULL || p->latency != NULL ||
         p->loopback_bandwidth != NULL || p->loopback_latency != NULL || p->cores > 0;
}

/* Checks the values with a topology of one host; their validity does not depend on the topology. */
static enum status check_params(const struct platform_params *p, struct err *e)
{
  struct platform *unused;
  if (p->speeds != NULL && p->speeds[0] == '@')
    return OK;
  if (platform_from_spec(&unused, "torus:1", p, e) != OK)
    return FAIL;
  platform_free(unused);
  return OK;
}

static enum status check(void *record, struct err *e)
{
  const struct options *o = record;
  if (o->platform == NULL)
    return err_set(e, "no SPEC given");
  if (!o->info && !o->clusters && !o->groups && !platform_is_spec(o->platform))
    return err_set(e, "'%s' is not a spec such as torus:8x8x8 (see haichi list topologies)",
                   o->platform);
  if (has_params(&o->params) &&
      (!platform_is_spec(o->platform) || topology_is_multicluster(o->platform)))
    return err_set(e,
                   "'%s': speeds, cores, bandwidths and latencies are in the %s, and cannot be "
                   "given as options",
                   o->platform,
                   platform_is_spec(o->platform) ? "description of the clusters" : "file");
  return check_params(&o->params, e);
}

/* Refuses profiles of links: SimGrid cannot connect a profile to a link of a cluster. */
static enum status check_speeds(const struct platform *p, const struct profiles *s, struct err *e)
{
  char name[PLATFORM_NAME_SIZE];
  for (uint32_t i = 0; i < s->count; i++)
    if (s->profile[i].kind != PROFILE_SPEED)
      return err_set(e, "--background: SimGrid's XML cannot express the profile of link '%.80s'",
                     platform_link_name(p, s->profile[i].target, name, sizeof name));
  return OK;
}

/* Adds the speed profile of each host under the loads, for a program with one rank per host. */
static enum status add_profiles(const struct platform *p, const struct load_specs *specs,
                                struct profiles *out, struct err *e)
{
  struct mapping all;
  struct loads *loads;
  if (mapping_new(&all, platform_hosts(p), e) != OK)
    return FAIL;
  for (uint32_t h = 0; h < all.ranks; h++)
    all.host[h] = h;
  const struct load_site site = {.platform = p, .host = all.host, .ranks = all.ranks};
  enum status s = loads_new(&loads, specs, &site, e);
  if (s == OK) {
    s = loads_add_profiles(loads, true, out, e);
    loads_free(loads);
  }
  mapping_clear(&all);
  return s == OK ? check_speeds(p, out, e) : FAIL;
}

static enum status print_loaded(const struct platform *p, const struct load_specs *specs, FILE *f,
                                struct err *e)
{
  struct profiles profiles = {0};
  const enum status s =
      add_profiles(p, specs, &profiles, e) == OK ? profiles_print(&profiles, p, f, e) : FAIL;
  profiles_clear(&profiles);
  return s;
}

static enum status print_groups(const struct platform *p, FILE *f, struct err *e)
{
  struct hosts h;
  if (hosts_make(&h, p, e) != OK)
    return FAIL;
  describe_hosts(p, &h, f);
  hosts_clear(&h);
  return OK;
}

/* Writes the platform or a description of it, as the options request. */
static enum status write_output(const struct platform *p, const struct options *o, struct err *e)
{
  struct outfile out;
  if (outfile_open(&out, o->output, e) != OK)
    return FAIL;
  enum status s = OK;
  if (o->info)
    s = describe_platform(p, out.f, o->format, e);
  else if (o->clusters)
    s = describe_clusters(p, out.f, e);
  else if (o->groups)
    s = print_groups(p, out.f, e);
  else if (o->loads.count > 0)
    s = print_loaded(p, &o->loads, out.f, e);
  else
    s = platform_print(p, out.f, e);
  return outfile_end(&out, s, e);
}

static enum status run(const struct options *o, struct err *e)
{
  struct platform *p;
  OWNED char *named = platform_text(o->platform, o->node, o->names, e);
  if (named == NULL)
    return FAIL;
  const enum status s = platform_is_spec(named) ? platform_from_spec(&p, named, &o->params, e)
                                                : inputs_platform(&p, named, 0, e);
  if (s != OK)
    return FAIL;
  const enum status written = write_output(p, o, e);
  platform_free(p);
  return written;
}

static int run_command(int argc, char **argv)
{
  static const struct usage USAGE = {
      "SPEC\n--info SPEC|FILE\n--clusters SPEC|FILE\n--groups SPEC|FILE",
      "Writes the SimGrid platform file of a topology or of clusters, or describes a platform.",
      OPTIONS, NULL, check};
  struct options o = {0};
  struct err e;
  options_parse(&USAGE, argc, argv, &o);
  return run(&o, &e) == OK ? CLI_OK : cli_fail(&e);
}

const struct cli_command cmd_platform = {"platform", "write a platform file, or describe one",
                                         run_command};

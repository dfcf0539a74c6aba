#include <stdbool.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "common/outfile.h"
#include "common/report.h"
#include "platforms/platform.h"
#include "platforms/topology/topology.h"

struct options {
  struct platform_params params;
  const char *platform;
  const char *output;
  bool info;
  const struct report_format *format;
};

#define AT(FIELD) offsetof(struct options, FIELD)

static const struct cli_option OPTIONS[] = {
    {"speed", 0, "SPEED", "Speed of every host (1Gf)", .at = AT(params.speed)},
    {"speeds", 0, "LIST|@FILE",
     "Speeds given to the hosts in turn, as 1Gf:3,2Gf (three hosts of 1Gf, one of 2Gf, again), or "
     "a line each in FILE",
     .at = AT(params.speeds)},
    {"bandwidth", 0, "BANDWIDTH", "Of a link, each way (1.25GBps)", .at = AT(params.bandwidth)},
    {"latency", 0, "TIME", "Of a link (100ns)", .at = AT(params.latency)},
    {"loopback-bandwidth", 0, "BANDWIDTH", "From a host to itself (10GBps)",
     .at = AT(params.loopback_bandwidth)},
    {"loopback-latency", 0, "TIME", "From a host to itself (50ns)",
     .at = AT(params.loopback_latency)},
    {"info", 0, NULL, "Describe the platform instead of writing it", .kind = OPTION_FLAG,
     .at = AT(info)},
    {"output", 'o', "FILE", "Write there instead of on standard output", .at = AT(output)},
    {.kind = OPTION_TABLE, .table = report_options, .at = AT(format)},
    {.name = NULL}};

static enum status take_spec(void *record, char *word, struct err *e)
{
  return options_operand(&((struct options *)record)->platform, word, e);
}

static bool has_params(const struct platform_params *p)
{
  return p->speed != NULL || p->speeds != NULL || p->bandwidth != NULL || p->latency != NULL ||
         p->loopback_bandwidth != NULL || p->loopback_latency != NULL;
}

/* A wrong value is wrong on any topology, so on that of one host. */
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
  if (!o->info && !platform_is_spec(o->platform))
    return err_set(e, "'%s' is not a spec as torus:8x8x8 (see haichi list topologies)",
                   o->platform);
  if (has_params(&o->params) && !platform_is_spec(o->platform))
    return err_set(e, "the speeds, bandwidths and latencies of '%s' are those of the file",
                   o->platform);
  return check_params(&o->params, e);
}

static void speed_range(const struct platform *p, double *min, double *max)
{
  *min = *max = platform_host_speed(p, 0);
  for (uint32_t h = 1; h < platform_hosts(p); h++) {
    const double speed = platform_host_speed(p, h);
    *min = speed < *min ? speed : *min;
    *max = speed > *max ? speed : *max;
  }
}

static void describe(struct report *r, const struct platform *p, const struct topology *t)
{
  double min, max;
  speed_range(p, &min, &max);
  const double cut = topology_bisection(t);
  report_text(r, "topology", topology_spec(t));
  report_u64(r, "hosts", topology_hosts(t));
  report_u64(r, "links", topology_links(t));
  report_u64(r, "diameter", topology_diameter(t));
  report_double(r, "bisection_links", cut);
  report_double(r, "bisection_bandwidth_Bps", cut * platform_bandwidth(p));
  report_double(r, "speed_flops_min", min);
  report_double(r, "speed_flops_max", max);
  report_double(r, "bandwidth_Bps", platform_bandwidth(p));
  report_double(r, "latency_s", platform_latency(p));
  report_double(r, "loopback_bandwidth_Bps", platform_loopback_bandwidth(p));
  report_double(r, "loopback_latency_s", platform_loopback_latency(p));
}

/* A platform of several zones, or of hosts that are declared one by one. */
static void describe_zones(struct report *r, const struct platform *p)
{
  double min, max;
  uint64_t links = 0;
  for (uint32_t i = 0; i < platform_link_ids(p); i++)
    links += platform_has_link(p, i) && !platform_is_loopback(p, i);
  speed_range(p, &min, &max);
  report_text(r, "topology", "zones (routes as the file says)");
  report_u64(r, "hosts", platform_hosts(p));
  report_u64(r, "links", links);
  report_double(r, "speed_flops_min", min);
  report_double(r, "speed_flops_max", max);
}

static enum status write_info(const struct platform *p, const struct options *o, struct err *e)
{
  struct outfile out;
  struct report r;
  const struct topology *t = platform_topology(p);
  if (outfile_open(&out, o->output, e) != OK)
    return FAIL;
  report_begin(&r, out.f, o->format);
  if (t != NULL) {
    describe(&r, p, t);
  } else if (!platform_is_opaque(p)) {
    describe_zones(&r, p);
  } else {
    report_text(&r, "topology", "none (only SimGrid knows its routes)");
    report_u64(&r, "hosts", platform_hosts(p));
  }
  report_end(&r);
  return outfile_commit(&out, e);
}

static enum status run(const struct options *o, struct err *e)
{
  struct platform *p;
  const enum status s = platform_is_spec(o->platform)
                            ? platform_from_spec(&p, o->platform, &o->params, e)
                            : inputs_platform(&p, o->platform, NULL, e);
  if (s != OK)
    return FAIL;
  const enum status written = o->info ? write_info(p, o, e) : platform_save(p, o->output, e);
  platform_free(p);
  return written;
}

static int run_command(int argc, char **argv)
{
  static const struct usage USAGE = {
      "SPEC\n--info SPEC|FILE",
      "Writes a SimGrid platform file for a torus, mesh or hypercube, or describes a platform.",
      OPTIONS, take_spec, check};
  struct options o = {0};
  struct err e;
  options_parse(&USAGE, argc, argv, &o);
  return run(&o, &e) == OK ? CLI_OK : cli_fail(&e);
}

const struct cli_command cmd_platform = {"platform", "write a platform file, or describe one",
                                         run_command};

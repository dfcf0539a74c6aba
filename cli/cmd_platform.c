#include <stdbool.h>

#include "cli/cli.h"
#include "common/outfile.h"
#include "common/report.h"
#include "platforms/platform.h"
#include "platforms/topology/topology.h"

enum {
  KEY_SPEED = 256,
  KEY_SPEEDS,
  KEY_BANDWIDTH,
  KEY_LATENCY,
  KEY_LOOPBACK_BANDWIDTH,
  KEY_LOOPBACK_LATENCY,
  KEY_INFO,
  KEY_FORMAT
};

static const struct argp_option OPTIONS[] = {
    {"speed", KEY_SPEED, "SPEED", 0, "Speed of every host (1Gf)", 0},
    {"speeds", KEY_SPEEDS, "LIST|@FILE", 0,
     "Speeds dealt to the hosts in turn, as 1Gf:3,2Gf, or one speed a line of FILE", 0},
    {"bandwidth", KEY_BANDWIDTH, "BANDWIDTH", 0, "Of a link, each way (1.25GBps)", 0},
    {"latency", KEY_LATENCY, "TIME", 0, "Of a link (100ns)", 0},
    {"loopback-bandwidth", KEY_LOOPBACK_BANDWIDTH, "BANDWIDTH", 0, "From a host to itself (10GBps)",
     0},
    {"loopback-latency", KEY_LOOPBACK_LATENCY, "TIME", 0, "From a host to itself (50ns)", 0},
    {"info", KEY_INFO, NULL, 0, "Describe the platform instead of writing it", 0},
    {"format", KEY_FORMAT, "tsv|json", 0, "Form of the description (tsv)", 0},
    {"output", 'o', "FILE", 0, "Write there instead of on standard output", 0},
    {0}};

struct options {
  struct platform_params params;
  const char *platform;
  const char *output;
  bool info;
  bool has_params;
  enum report_format format;
};

static const char **find_param(struct platform_params *p, int key)
{
  switch (key) {
  case KEY_SPEED:
    return &p->speed;
  case KEY_SPEEDS:
    return &p->speeds;
  case KEY_BANDWIDTH:
    return &p->bandwidth;
  case KEY_LATENCY:
    return &p->latency;
  case KEY_LOOPBACK_BANDWIDTH:
    return &p->loopback_bandwidth;
  case KEY_LOOPBACK_LATENCY:
    return &p->loopback_latency;
  default:
    return NULL;
  }
}

/* A wrong value is wrong on any topology, so on that of one host. */
static void check_param(const struct platform_params *p, struct argp_state *state)
{
  struct platform *unused;
  struct err e;
  if (p->speeds != NULL && p->speeds[0] == '@')
    return;
  if (platform_from_spec(&unused, "torus:1", p, &e) == OK)
    platform_free(unused);
  else
    argp_error(state, "%s", e.text);
}

static void check_options(const struct options *o, struct argp_state *state)
{
  if (o->platform == NULL)
    argp_error(state, "no SPEC given");
  else if (!o->info && !platform_is_spec(o->platform))
    argp_error(state, "'%s' is not a spec as torus:8x8x8, mesh:16x16, hypercube:9", o->platform);
  else if (o->has_params && !platform_is_spec(o->platform))
    argp_error(state, "the speeds, bandwidths and latencies of '%s' are those of the file",
               o->platform);
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  struct options *o = state->input;
  const char **param = find_param(&o->params, key);
  if (param != NULL) {
    *param = arg;
    o->has_params = true;
    check_param(&o->params, state);
  } else if (key == KEY_INFO) {
    o->info = true;
  } else if (key == KEY_FORMAT) {
    cli_report_format(state, &o->format, arg);
  } else if (key == 'o') {
    o->output = arg;
  } else if (key == ARGP_KEY_ARG) {
    cli_operand(state, &o->platform, arg);
  } else if (key == ARGP_KEY_END) {
    check_options(o, state);
  } else {
    return ARGP_ERR_UNKNOWN;
  }
  return 0;
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
  const uint64_t cut = topology_bisection(t);
  report_text(r, "topology", topology_spec(t));
  report_u64(r, "hosts", topology_hosts(t));
  report_u64(r, "links", topology_links(t));
  report_u64(r, "diameter", topology_diameter(t));
  report_u64(r, "bisection_links", cut);
  report_double(r, "bisection_bandwidth_Bps", (double)cut * platform_bandwidth(p));
  report_double(r, "speed_flops_min", min);
  report_double(r, "speed_flops_max", max);
  report_double(r, "bandwidth_Bps", platform_bandwidth(p));
  report_double(r, "latency_s", platform_latency(p));
  report_double(r, "loopback_bandwidth_Bps", platform_loopback_bandwidth(p));
  report_double(r, "loopback_latency_s", platform_loopback_latency(p));
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
  static const struct argp argp = {.options = OPTIONS,
                                   .parser = parse_option,
                                   .args_doc = "SPEC\n--info SPEC|FILE",
                                   .doc = "Writes a SimGrid platform file for a torus, mesh or "
                                          "hypercube, or describes a platform."};
  struct options o = {0};
  struct err e;
  cli_parse(&argp, argc, argv, &o);
  return run(&o, &e) == OK ? CLI_OK : cli_fail(&e);
}

const struct cli_command cmd_platform = {"platform", "write a platform file, or describe one",
                                         run_command};

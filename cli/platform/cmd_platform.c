#include <stdbool.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "cli/platform/describe.h"
#include "common/files/outfile.h"
#include "common/mem.h"
#include "common/report.h"
#include "platforms/mapping/mapping.h"
#include "platforms/platform.h"
#include "platforms/topology/topology.h"
#include "sim/load/load.h"
#include "tasks/describe.h"

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
    {"speed", 0, "SPEED", "Speed of every host (1Gf)", .at = AT(params.speed)},
    {"speeds", 0, "LIST|@FILE",
     "Speeds given to the hosts in turn, as 1Gf:3,2Gf (three hosts of 1Gf, one of 2Gf, again), or "
     "a line each in FILE",
     .at = AT(params.speeds)},
    {"bandwidth", 0, "BANDWIDTH", "Of a link, each way (1.25GBps)", .at = AT(params.bandwidth)},
    {"latency", 0, "TIME", "Of a link (100ns)", .at = AT(params.latency)},
    {"cores", 0, "N", "Cores of every host, each of that speed (1)", .kind = OPTION_U32,
     .at = AT(params.cores), .min = 1, .max = PLATFORM_MOST_CORES},
    {"node", 0, "NODE",
     "Inside of the hosts: 'pack:2 numa:2 core:8' as hwloc describes it, or an hwloc XML file; "
     "then "
     "';LEVEL=LATENCY:BANDWIDTH:MEMORY'",
     .at = AT(node)},
    {"names", 0, "FILE", "Names of the hosts, in the order of the platform: lists as nid[000-511]",
     .at = AT(names)},
    {"loopback-bandwidth", 0, "BANDWIDTH", "From a host to itself (10GBps)",
     .at = AT(params.loopback_bandwidth)},
    {"loopback-latency", 0, "TIME", "From a host to itself (50ns)",
     .at = AT(params.loopback_latency)},
    {"info", 0, NULL, "Describe the platform instead of writing it", .kind = OPTION_FLAG,
     .at = AT(info)},
    {"clusters", 0, NULL, "Print a table of its clusters, what they have and what joins them",
     .kind = OPTION_FLAG, .at = AT(clusters)},
    {"groups", 0, NULL,
     "Print a table of its hierarchy of hosts: groups of equal hosts, then groups of groups, by "
     "bandwidth",
     .kind = OPTION_FLAG, .at = AT(groups)},
    {"background", 0, "LOAD",
     "Write what a busy rank on each host has left beside a load, as profiles of the hosts; may be "
     "repeated",
     .kind = OPTION_PARSE, .parse = options_parse_load, .at = AT(loads), .several = true},
    {"output", 'o', "FILE", "Write there instead of on standard output", .at = AT(output)},
    {.kind = OPTION_TABLE, .table = report_options, .at = AT(format)},
    {.name = NULL}};

static bool has_params(const struct platform_params *p)
{
  return p->speed != NULL || p->speeds != NULL || p->bandwidth != NULL || p->latency != NULL ||
         p->loopback_bandwidth != NULL || p->loopback_latency != NULL || p->cores > 0;
}

/* A wrong value is wrong on any topology, so a topology of one host shows it. */
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
  const int descriptions = o->info + o->clusters + o->groups;
  if (descriptions > 1)
    return err_set(e, "--info, --clusters and --groups are descriptions; give one");
  if (o->loads.count > 0 && descriptions > 0)
    return err_set(e, "--background is for a platform that is written");
  if ((o->clusters || o->groups) && o->format != NULL && o->format != &report_tsv)
    return err_set(e, "--%s prints a table, not --format %s", o->clusters ? "clusters" : "groups",
                   o->format->name);
  if (descriptions == 0 && !platform_is_spec(o->platform))
    return err_set(e, "'%s' is not a spec as torus:8x8x8 (see haichi list topologies)",
                   o->platform);
  if (has_params(&o->params) &&
      (!platform_is_spec(o->platform) || topology_is_multicluster(o->platform)))
    return err_set(e, "the speeds, cores, bandwidths and latencies of '%s' are those of the %s",
                   o->platform, platform_is_spec(o->platform) ? "clusters" : "file");
  return check_params(&o->params, e);
}

/* Refuses profiles of links: SimGrid cannot connect a profile to a link of a cluster. */
static enum status check_speeds(const struct platform *p, const struct profiles *s, struct err *e)
{
  char name[PLATFORM_NAME_SIZE];
  for (uint32_t i = 0; i < s->count; i++)
    if (s->profile[i].kind != PROFILE_SPEED)
      return err_set(e, "--background: SimGrid's XML has no place for a profile of link '%.80s'",
                     platform_link_name(p, s->profile[i].target, name, sizeof name));
  return OK;
}

/* Adds the profiles of the loads as they are with one rank on each host. */
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
  char *named = inputs_platform_text(o->platform, o->node, o->names, e);
  if (named == NULL)
    return FAIL;
  const enum status s = platform_is_spec(named) ? platform_from_spec(&p, named, &o->params, e)
                                                : inputs_platform(&p, named, 0, NULL, e);
  free(named);
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

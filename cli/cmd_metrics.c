#include "cli/cli.h"
#include "cli/options.h"
#include "common/report.h"
#include "mappers/metrics.h"
#include "setup/place.h"
#include "setup/settings.h"
#include "traces/matrix/spec.h"

struct metrics_args {
  const char *platform, *trace, *matrix, *mapping;
  struct settings settings; /* of simulations: for mappers that simulate; others: for all mappers */
  const struct report_format *format;
  struct matrix_reading reading; /* of `matrix` */
};

#define AT(FIELD) offsetof(struct metrics_args, FIELD)

static const struct cli_option OPTIONS[] = {
    {.kind = OPTION_OPERAND, .at = AT(mapping)},
    {"platform", 'p', "P", "Platform file or spec, such as torus:8x8x8", .at = AT(platform),
     .required = true},
    {"trace", 't', "T", "Trace whose traffic to score", .at = AT(trace)},
    {"matrix", 0, "M", "Traffic matrix to score", .at = AT(matrix)},
    {.kind = OPTION_TABLE, .table = matrix_options, .at = AT(reading)},
    {"mapping", 'm', "M",
     "the mapping is an operand, as in `haichi metrics greedy'; a traffic matrix is --matrix",
     .kind = OPTION_HINT},
    {"mapper", 0, "M", "the mapping is an operand: a mapper spec, as greedy, or a file",
     .kind = OPTION_HINT},
    {.kind = OPTION_TABLE, .table = report_options, .at = AT(format)},
    {.kind = OPTION_TABLE, .table = settings_options, .at = AT(settings)},
    {.name = NULL},
};

static enum status check(void *record, struct err *e)
{
  const struct metrics_args *a = record;
  if ((a->trace != NULL) == (a->matrix != NULL))
    return err_set(e, "give one of --trace and --matrix");
  return a->trace != NULL ? OK
                          : options_without_trace(&a->settings, options_of_matrix, "--matrix", e);
}

/* Reports, for each level of the inside of nodes, the bytes between objects of that level. */
static void print_levels(struct report *r, const struct inside *in, const struct metrics *m)
{
  char name[48];
  for (uint32_t l = 0; in != NULL && l < in->levels; l++) {
    snprintf(name, sizeof name, "bytes_between_%s", l == 0 ? "node" : in->level[l].name);
    report_u64(r, name, m->level_bytes[l]);
  }
}

static void print(const struct metrics_args *a, const struct platform *p, const struct metrics *m)
{
  struct report r;
  report_begin(&r, stdout, a->format);
  report_u64(&r, "pairs", m->pairs);
  report_u64(&r, "bytes", m->bytes);
  column_report(metrics_columns, m, &r);
  print_levels(&r, platform_inside(p), m);
  report_end(&r);
}

static enum status score(const struct metrics_args *a, const struct platform *p,
                         struct input_trace *trace, const struct matrix *traffic, struct err *e)
{
  uint32_t moved;
  const struct place place = {.mapping = a->mapping,
                              .hosts = a->settings.hosts,
                              .ranks_per_host = a->settings.reading.collectives.ranks_per_host,
                              .ranks = traffic->ranks,
                              .traffic = traffic,
                              .moved = &moved,
                              .trace = trace,
                              .options = &a->settings.options};
  struct mapping mapping;
  struct metrics m;
  if (platform_need_routes(p, "metrics", e) != OK || place_ranks(&place, p, &mapping, e) != OK)
    return FAIL;
  cli_note_moved(a->mapping, moved);
  enum status s = OK;
  if (a->trace != NULL)
    s = input_trace_placed_traffic(trace, &mapping, &traffic, e);
  if (s == OK)
    s = metrics_compute(&m, p, &mapping, traffic, e);
  if (s == OK)
    s = place_estimate(&place, p, &mapping, &m.estimated_time_s, e);
  mapping_clear(&mapping);
  if (s == OK)
    print(a, p, &m);
  return s;
}

static enum status run(const struct metrics_args *a, struct err *e)
{
  struct platform *p;
  struct input_trace t = {.name = a->trace, .reading = &a->settings.reading};
  struct matrix own = {0};
  const struct matrix *traffic = &own;
  if (settings_platform(&p, a->platform, &a->settings, e) != OK)
    return FAIL;
  enum status s = a->matrix != NULL ? matrix_spec_open(&own, a->matrix, &a->reading, e)
                                    : input_trace_traffic(&t, &traffic, e);
  if (s == OK)
    s = score(a, p, &t, traffic, e);
  matrix_clear(&own);
  input_trace_clear(&t);
  platform_free(p);
  return s;
}

static int run_command(int argc, char **argv)
{
  static const struct usage USAGE = {
      "[MAPPING]",
      "Scores a mapping (a file or a mapper spec; xyz) by arithmetic alone: how far the bytes "
      "go and how they load the links, on the routes that SimGrid simulates.",
      OPTIONS, NULL, check};
  struct metrics_args a = {.mapping = "xyz", .settings = cli_settings(true)};
  struct err e;
  options_parse(&USAGE, argc, argv, &a);
  return run(&a, &e) == OK ? CLI_OK : cli_fail(&e);
}

const struct cli_command cmd_metrics = {
    "metrics", "score a mapping: hop-bytes, dilation, link load, cardinality", run_command};

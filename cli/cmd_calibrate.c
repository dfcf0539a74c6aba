#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "common/files/memfile.h"
#include "common/files/outfile.h"
#include "common/mem.h"
#include "common/num.h"
#include "plots/plot.h"
#include "predict/calibrate/calibration.h"
#include "predict/calibrate/check.h"
#include "predict/calibrate/kernel_costs.h"
#include "predict/calibrate/loads.h"
#include "predict/calibrate/measurements.h"
#include "predict/calibrate/sources.h"
#include "setup/inputs.h"

struct calibrate_args {
  struct option_words paths;
  const char *sources, *check, *topology, *output, *table, *plot;
  uint32_t segments, busy;
  bool hpl;
  struct calibration_options options;
  struct platform_params params;
  const struct report_format *format;
};

#define AT(FIELD) offsetof(struct calibrate_args, FIELD)

/* Options of the platform. */
#define PLATFORM "topology speed latency bandwidth loopback-bandwidth loopback-latency"
/* Options of the fit and its outputs besides the platform. */
#define FIT "table plot kernel quantile pool busy-ranks segments"

static const struct cli_option OPTIONS[] = {
    {.kind = OPTION_OPERAND, .at = AT(paths)},
    {"sources", 0, "DIR", "Write the measuring programs, with instructions, into DIR",
     .at = AT(sources), .excludes = "output check hpl-kernels format " FIT " " PLATFORM},
    {"output", 'o', "FILE", "Write the platform to FILE", .at = AT(output), .writes = true},
    {"topology", 0, "SPEC", "Topology of the platform, such as torus:8x8x4 (star:2)",
     .at = AT(topology)},
    {"check", 0, "P", "Compare platform P, a file or spec, with the measurements; fit nothing",
     .at = AT(check), .excludes = "output hpl-kernels kernel pool busy-ranks segments " PLATFORM},
    {"table", 0, "FILE", "Write a table of the sizes: measured, fitted and simulated times",
     .at = AT(table), .writes = true},
    {"plot", 0, "PICTURE", "Draw the table: times, and errors of the simulated times",
     .at = AT(plot), .writes = true},
    {"hpl-kernels", 0, NULL,
     "MEASUREMENTS.tsv are calls of kernels of HPL: write the table of their times to -o FILE",
     .kind = OPTION_FLAG, .at = AT(hpl), .needs = "output", .excludes = FIT " " PLATFORM},
    {"kernel", 0, "KERNEL", "Kernel whose time gives the speed: %s (arithmetic)",
     .kind = OPTION_ROW, .at = AT(options.kernel), .rows = &measurements_kernels},
    {"quantile", 0, "Q", "Quantile of the samples of each size; 0: the fastest sample (0.5)",
     .kind = OPTION_DOUBLE, .at = AT(options.quantile), .most = 1},
    {"pool", 0, "SHARE",
     "With 100 sizes or more, join sizes that differ by less than SHARE; 0: none (10% if the times "
     "vary far more between neighbouring sizes than between samples)",
     .kind = OPTION_DOUBLE, .at = AT(options.pool), .most = 10},
    {"busy-ranks", 0, "N", "Ranks that computed on each host in test stream-busy (1)",
     .kind = OPTION_U32, .at = AT(busy), .min = 1, .max = 1 << 20},
    {"segments", 0, "N", "Maximum number of steps of the factors (16)", .kind = OPTION_U32,
     .at = AT(segments), .min = 1, .max = SEGMENTS_MOST},
    {"speed", 0, "SPEED", "Speed of every host, instead of the measured one",
     .kind = OPTION_QUANTITY, .unit = NUM_SPEED, .at = AT(options.speed)},
    {"latency", 0, "TIME", "Nominal latency from host 0 to host 1 (from the smallest messages)",
     .kind = OPTION_QUANTITY, .unit = NUM_TIME, .least = DBL_MIN, .at = AT(options.latency_s)},
    {"bandwidth", 0, "BANDWIDTH", "Nominal bandwidth of every link (from the largest messages)",
     .kind = OPTION_QUANTITY, .unit = NUM_BANDWIDTH, .at = AT(options.bandwidth)},
    {"loopback-bandwidth", 0, "BANDWIDTH", "Bandwidth from a host to itself (10GBps)",
     .at = AT(params.loopback_bandwidth)},
    {"loopback-latency", 0, "TIME", "Latency from a host to itself (50ns)",
     .at = AT(params.loopback_latency)},
    {.kind = OPTION_TABLE, .table = report_options, .at = AT(format)},
    {.name = NULL},
};

static enum status check(void *record, struct err *e)
{
  const struct calibrate_args *a = record;
  if (a->sources != NULL && a->paths.count > 0)
    return err_set(e, "--sources reads no measurements");
  if (a->sources == NULL && a->paths.count == 0)
    return err_set(e, "no MEASUREMENTS.tsv given");
  if (a->topology != NULL && !platform_is_spec(a->topology))
    return err_set(e, "'%s' is not a spec such as torus:8x8x8 (see haichi list topologies)",
                   a->topology);
  if (outfile_check_distinct((const char *const[]){a->output, a->table, a->plot}, 3, e) != OK)
    return FAIL;
  return a->plot == NULL ? OK : plot_check_output(a->plot, e);
}

/* --- the report ------------------------------------------------------------------------------- */

static void report_fit(struct report *r, const struct calibration *c)
{
  const struct factor_step *latency = c->factors[PLATFORM_LATENCY_FACTOR].step;
  const struct factor_step *bandwidth = c->factors[PLATFORM_BANDWIDTH_FACTOR].step;
  report_double(r, "speed_flops", c->speed);
  if (c->speed_samples > 0) {
    report_double(r, "speed_low_flops", c->speed_low);
    report_double(r, "speed_high_flops", c->speed_high);
  }
  report_double(r, "latency_s", c->latency_s);
  report_double(r, "bandwidth_Bps", c->bandwidth);
  const size_t steps = c->factors[PLATFORM_BANDWIDTH_FACTOR].count;
  report_u64(r, "steps", steps);
  for (size_t k = 0; k < steps; k++) {
    char step[32];
    snprintf(step, sizeof step, "step_%zu_", k);
    r->prefix = step;
    if (k > 0 && k < c->segments) {
      report_double(r, "after_size", c->size[c->segment[k].first - 1].size);
      report_double(r, "first_size", c->size[c->segment[k].first].size);
    }
    report_double(r, "above_bytes", latency[k].above);
    report_double(r, "lat_factor", latency[k].factor);
    report_double(r, "bw_factor", bandwidth[k].factor);
    if (k < c->segments) /* the step of a stream has no sizes of its own */
      report_double(r, "error", c->segment[k].error);
  }
  r->prefix = NULL;
}

/* Data of one run of the command. */
struct work {
  struct measurements measurements;
  struct calibration fit; /* not set with --check */
  struct platform *platform;
  struct measured *size; /* owned with --check; without it, owned by the fit */
  size_t sizes;
  struct loads_fit loads;
  struct measured *single; /* the sizes as measured, if the fit has pooled them; owned */
  size_t singles;
  struct check single_check; /* of the sizes as measured */
  double *seconds;           /* simulated times; by size */
  struct check check;
};

/* The effects of a loaded network, and the range of the fit. */
static void report_loads(struct report *r, const struct work *w)
{
  const struct loads_fit *l = &w->loads;
  char text[LOADS_TEXT];
  for (size_t i = 0; i < l->effects; i++) {
    snprintf(text, sizeof text, "effect_%zu", i);
    report_text(r, text, l->effect[i]);
  }
  if (l->pairs.seconds > 0 && l->stream.seconds > 0)
    report_double(r, "pairs_over_stream", l->pairs.seconds / l->stream.seconds);
  report_u64(r, "covers_to_bytes", platform_calibrated(w->platform)->largest);
  report_text(r, "not_measured", loads_missing(l, text));
}

static void report_all(const struct calibrate_args *a, const struct work *w)
{
  struct report r;
  report_begin(&r, cli_report_stream((const char *const[]){a->output, a->table}, 2), a->format);
  if (a->check == NULL) {
    report_fit(&r, &w->fit);
    report_loads(&r, w);
  }
  const bool pooled = w->fit.pooled;
  const struct check *c = pooled ? &w->single_check : &w->check;
  report_u64(&r, "sizes", pooled ? w->singles : w->sizes);
  if (pooled) {
    report_u64(&r, "sizes_pooled", w->sizes);
    report_double(&r, "scatter", w->fit.scatter);
    report_double(&r, "error_mean_pooled", w->check.error_mean);
  }
  report_double(&r, "error_mean", c->error_mean);
  report_double(&r, "error_max", c->error_max);
  report_double(&r, "within_spread", c->within_spread);
  report_double(&r, "within_quartiles", c->within_quartiles);
  report_end(&r);
}

/* --- the work --------------------------------------------------------------------------------- */

static void print_table(const struct calibrate_args *a, const struct work *w, FILE *f)
{
  check_print(w->seconds, w->size, w->sizes, a->check == NULL ? &w->fit : NULL, f);
}

static enum status save_table(const struct calibrate_args *a, const struct work *w, struct err *e)
{
  struct outfile o;
  if (outfile_open(&o, a->table, e) != OK)
    return FAIL;
  print_table(a, w, o.f);
  return outfile_commit(&o, e);
}

static enum status draw(const struct calibrate_args *a, const struct work *w, struct err *e)
{
  struct memfile table;
  if (memfile_open(&table, "table of sizes", e) != OK)
    return FAIL;
  print_table(a, w, table.f);
  enum status s = memfile_flush(&table, e);
  const char *const input = table.path;
  const struct plot plot = {
      .kind = "calibration", .input = &input, .inputs = 1, .output = &a->plot, .outputs = 1};
  if (s == OK)
    s = plot_draw(&plot, e);
  memfile_close(&table);
  return s;
}

static enum status write_all(const struct calibrate_args *a, const struct work *w, struct err *e)
{
  if ((a->output != NULL && platform_save(w->platform, a->output, e) != OK) ||
      (a->table != NULL && save_table(a, w, e) != OK) || (a->plot != NULL && draw(a, w, e) != OK))
    return FAIL;
  report_all(a, w);
  return OK;
}

/* Fits the measurements, or reads the platform with which to compare them. */
static enum status prepare(const struct calibrate_args *a, struct work *w, struct err *e)
{
  struct calibration_options o = a->options;
  o.most = a->segments;
  for (size_t i = 0; i < a->paths.count; i++)
    if (measurements_load(&w->measurements, a->paths.word[i], e) != OK)
      return FAIL;
  if (a->check != NULL)
    return inputs_platform(&w->platform, a->check, 0, e) == OK
               ? measurements_by_size(&w->measurements, &test_pingpong, o.quantile, &w->size,
                                      &w->sizes, e)
               : FAIL;
  if (loads_measure(&w->loads, &w->measurements, e) != OK ||
      measurements_by_size(&w->measurements, &test_pingpong, o.quantile, &w->single, &w->singles,
                           e) != OK ||
      calibration_fit(&w->fit, &w->measurements, &o, e) != OK)
    return FAIL;
  loads_extend(&w->loads, &w->fit, a->options.bandwidth > 0);
  loads_set_effects(&w->loads, &w->fit, a->busy);
  w->size = w->fit.size;
  w->sizes = w->fit.sizes;
  if (calibration_platform(&w->platform, &w->fit, a->topology == NULL ? "star:2" : a->topology,
                           &a->params, e) != OK)
    return FAIL;
  const struct calibrated range = loads_range(&w->loads, w->single, w->singles);
  platform_set_calibrated(w->platform, &range);
  return OK;
}

/* Compares the platform of pooled sizes with the sizes as they were measured. */
static enum status check_single(struct work *w, struct err *e)
{
  OWNED double *seconds = mem_array(w->singles, sizeof *seconds, e);
  if (seconds == NULL || check_simulate(seconds, w->single, w->singles, w->platform, e) != OK)
    return FAIL;
  w->single_check = check_compare(seconds, w->single, w->singles);
  return OK;
}

static enum status work(const struct calibrate_args *a, struct work *w, struct err *e)
{
  if (prepare(a, w, e) != OK)
    return FAIL;
  if (w->sizes == 0)
    return err_set(e, "%s: no sample of test pingpong", a->paths.word[0]);
  if ((w->seconds = mem_array(w->sizes, sizeof *w->seconds, e)) == NULL ||
      check_simulate(w->seconds, w->size, w->sizes, w->platform, e) != OK)
    return FAIL;
  w->check = check_compare(w->seconds, w->size, w->sizes);
  if (w->fit.pooled && check_single(w, e) != OK)
    return FAIL;
  return write_all(a, w, e);
}

/* --- kernels of HPL --------------------------------------------------------------------------- */

static void report_kernels(const struct calibrate_args *a, const struct kernel_rows *rows)
{
  struct report r;
  char prefix[64];
  report_begin(&r, cli_report_stream((const char *const[]){a->output}, 1), a->format);
  report_u64(&r, "rows", rows->count);
  for (size_t i = 0, n; i < rows->count; i += n) {
    const struct kernel_row *all = &rows->row[i]; /* of all processors */
    double most = all->error;
    for (n = 1; i + n < rows->count && rows->row[i + n].kernel == all->kernel; n++)
      most = fmax(most, rows->row[i + n].error);
    snprintf(prefix, sizeof prefix, "%s_", kernel_name(all->kernel));
    r.prefix = prefix;
    report_u64(&r, "samples", all->samples);
    report_u64(&r, "processors", n - 1);
    report_double(&r, "error_mean", all->error);
    report_double(&r, "error_mean_most", most);
  }
  r.prefix = NULL;
  report_end(&r);
}

static enum status fit_kernels(const struct calibrate_args *a, struct kernel_rows *rows,
                               struct err *e)
{
  struct kernel_samples samples = {0};
  struct outfile o;
  enum status s = OK;
  for (size_t i = 0; i < a->paths.count && s == OK; i++)
    s = kernel_samples_load(&samples, a->paths.word[i], e);
  if (s == OK)
    s = kernel_rows_fit(rows, &samples, e);
  kernel_samples_clear(&samples);
  if (s != OK || outfile_open(&o, a->output, e) != OK)
    return FAIL;
  kernel_rows_print(rows, o.f);
  return outfile_commit(&o, e);
}

static enum status run_kernels(const struct calibrate_args *a, struct err *e)
{
  struct kernel_rows rows = {0};
  const enum status s = fit_kernels(a, &rows, e);
  if (s == OK)
    report_kernels(a, &rows);
  kernel_rows_clear(&rows);
  return s;
}

static enum status run(const struct calibrate_args *a, struct err *e)
{
  struct work w = {0};
  if (a->hpl)
    return run_kernels(a, e);
  if (a->sources != NULL)
    return sources_write(a->sources, e);
  const enum status s = work(a, &w, e);
  free(w.seconds);
  free(w.single);
  if (a->check != NULL)
    free(w.size);
  platform_free(w.platform);
  calibration_clear(&w.fit);
  measurements_clear(&w.measurements);
  return s;
}

static int run_command(int argc, char **argv)
{
  static const struct usage USAGE = {
      "MEASUREMENTS.tsv...\n--check P MEASUREMENTS.tsv...\n--hpl-kernels -o FILE "
      "MEASUREMENTS.tsv...\n--sources DIR",
      "Makes a platform from the times of a ping-pong and a kernel: the speed of a host, the "
      "latency and bandwidth between two hosts, and the factors by message size of network model "
      "smpi.  Then simulates the ping-pong on that platform and prints the errors of the simulated "
      "times.",
      OPTIONS, NULL, check};
  struct calibrate_args a = {.options = calibration_defaults()};
  struct err e;
  a.segments = (uint32_t)a.options.most;
  a.busy = 1;
  options_parse(&USAGE, argc, argv, &a);
  const enum status s = run(&a, &e);
  free(a.paths.word);
  return s == OK ? CLI_OK : cli_fail(&e);
}

const struct cli_command cmd_calibrate = {"calibrate", "make a platform from measured times",
                                          run_command};

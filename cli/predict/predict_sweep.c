/* haichi predict --sweep: writes a table of all choices, and prints the best choice and the command
 * that simulates it. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/predict/predict.h"
#include "common/files/outfile.h"
#include "common/files/textout.h"
#include "common/mem.h"
#include "common/process/machine.h"
#include "platforms/inside/inside.h"
#include "plots/plot.h"
#include "predict/sweep/search.h"

struct sweep {
  const struct predict_args *args;
  const struct platform *platform;
  struct sweep_space space;
  struct sweep_found found;
};

static const struct forecast *forecast_of(const struct sweep *s, size_t i)
{
  return &s->found.result[i].forecast;
}

/* Index of the baseline of the speedups: the best of the choices with the fewest ranks. */
static size_t baseline(const struct sweep *s)
{
  size_t best = SIZE_MAX;
  uint32_t ranks = UINT32_MAX;
  for (size_t i = 0; i < s->space.choices; i++) {
    const uint32_t here = s->space.choice[i].mapping.ranks;
    if (isnan(forecast_of(s, i)->time_s) || here > ranks)
      continue;
    if (here < ranks || forecast_of(s, i)->time_s < forecast_of(s, best)->time_s)
      best = i;
    ranks = here;
  }
  return best;
}

static void print_row(const struct sweep *s, size_t i, size_t base, FILE *f)
{
  const struct sweep_choice *c = &s->space.choice[i], *b = &s->space.choice[base];
  const struct forecast *x = forecast_of(s, i);
  const double base_s = forecast_of(s, base)->time_s;
  const double speedup = base_s == x->time_s ? 1 : base_s / x->time_s; /* both may be 0 */
  fprintf(f, "%" PRIu32 "\t%s\t%s\t%.6g\t%.4g\t%.9g\t%.9g\t%.9g\t%.5g\t%.5g\n", c->mapping.ranks,
          c->subset, c->mapper, c->bound_s, s->found.result[i].iterations, x->time_s,
          x->time_s - x->half_s, x->time_s + x->half_s, speedup, speedup * b->power / c->power);
}

static void print_table(const struct sweep *s, FILE *f)
{
  const size_t base = baseline(s);
  fputs("ranks\thosts\tmapper\tbound_s\titerations_simulated\tpredicted_time_s\tpredicted_low_s\t"
        "predicted_high_s\tspeedup\tefficiency\n",
        f);
  for (size_t i = 0; i < s->space.choices; i++)
    print_row(s, i, base, f);
}

/* --- the folder ------------------------------------------------------------------------------- */

static char *path_of(const struct sweep *s, const char *name, struct err *e)
{
  return mem_printf(e, "%s/%s", s->args->output, name);
}

static enum status write_table(const struct sweep *s, const char *path, struct err *e)
{
  struct outfile o;
  if (outfile_open(&o, path, e) != OK)
    return FAIL;
  print_table(s, o.f);
  return outfile_commit(&o, e);
}

static enum status draw(const char *table, const char *picture, struct err *e)
{
  const struct plot p = {
      .kind = "sweep", .input = &table, .inputs = 1, .output = &picture, .outputs = 1};
  return plot_draw(&p, e);
}

static enum status write_files(const struct sweep *s, struct err *e)
{
  OWNED char *table = path_of(s, "sweep.tsv", e);
  OWNED char *map = path_of(s, "best.map", e);
  OWNED char *picture = path_of(s, "sweep.svg", e);
  const bool written = table != NULL && map != NULL && picture != NULL &&
                       write_table(s, table, e) == OK &&
                       mapping_save(&s->space.choice[s->found.best].mapping, s->platform,
                                    registry_at(&mapping_formats, 0), map, e) == OK &&
                       (!cli_can_draw() || draw(table, picture, e) == OK);
  return written ? OK : FAIL;
}

/* --- the command ------------------------------------------------------------------------------ */

static void print_option(FILE *f, const char *name, const char *value)
{
  fprintf(f, " --%s ", name);
  cli_option_quote(f, value);
}

/* Makes the command that simulates the best choice.  The caller frees it with free(). */
static char *make_command(const struct sweep *s, struct err *e)
{
  const struct sweep_choice *c = &s->space.choice[s->found.best];
  struct textout text;
  OWNED char *map = path_of(s, "best.map", e);
  OWNED char *settings =
      map == NULL ? NULL : settings_text(&s->args->settings, &cli_option_command, e);
  if (settings == NULL || textout_begin(&text, e) != OK)
    return NULL;
  fputs("haichi sim", text.f);
  print_option(text.f, "platform", s->args->platform);
  print_option(text.f, "trace", s->space.program[c->program].trace.name);
  print_option(text.f, "mapping", map);
  fprintf(text.f, "%s%s", *settings == '\0' ? "" : " ", settings);
  return textout_end(&text, OK, e);
}

/* --- the report ------------------------------------------------------------------------------- */

/* Result of the full search.  `loss`: time of the choice of the sweep divided by the best time,
 * minus 1. */
struct full {
  size_t best;
  double time_s, loss;
};

static void print_full(const struct sweep *s, const struct full *full, struct report *r)
{
  const struct sweep_choice *c = &s->space.choice[full->best];
  report_text(r, "full_trace", s->space.program[c->program].trace.name);
  report_text(r, "full_hosts", c->subset);
  report_text(r, "full_mapper", c->mapper);
  report_double(r, "full_time_s", full->time_s);
  report_double(r, "full_search_cost", s->found.full);
  report_text(r, "found_best", full->best == s->found.best ? "yes" : "no");
  report_double(r, "loss", full->loss);
}

/* @p full is NULL if there was no full search. */
static void print_best(const struct sweep *s, const char *command, const struct full *full)
{
  const size_t i = s->found.best;
  const struct sweep_choice *c = &s->space.choice[i];
  const struct forecast *x = forecast_of(s, i);
  struct report r;
  report_begin(&r, stdout, s->args->format);
  report_text(&r, "trace", s->space.program[c->program].trace.name);
  report_u64(&r, "ranks", c->mapping.ranks);
  report_text(&r, "hosts", c->subset);
  report_text(&r, "mapper", c->mapper);
  report_double(&r, "predicted_time_s", x->time_s);
  report_double(&r, "predicted_low_s", x->time_s - x->half_s);
  report_double(&r, "predicted_high_s", x->time_s + x->half_s);
  report_u64(&r, "iterations_simulated", x->simulated);
  report_u64(&r, "iterations", x->iterations);
  report_u64(&r, "choices", s->space.choices);
  report_double(&r, "share_of_full_search", s->found.cost / s->found.full);
  if (full != NULL)
    print_full(s, full, &r);
  report_text(&r, "command", command);
  report_end(&r);
}

static enum status search_all(struct sweep *s, struct sweep_options o, struct full *out,
                              struct err *e)
{
  struct sweep_found all;
  o.whole = true;
  const enum status status = sweep_search(&all, &s->space, &o, s->platform, e);
  if (status == OK) {
    const double best = all.result[all.best].forecast.time_s;
    const double found = all.result[s->found.best].forecast.time_s;
    *out = (struct full){all.best, best, found / best - 1};
  }
  sweep_found_clear(&all);
  return status;
}

static enum status search(struct sweep *s, struct err *e)
{
  const struct predict_args *a = s->args;
  const struct sweep_options o = {
      .sim = &a->settings.options, .most = predict_sample(a), .parallel = cli_jobs(a->jobs)};
  struct full full;
  char *command;
  const double start = machine_seconds();
  if (sweep_search(&s->found, &s->space, &o, s->platform, e) != OK)
    return FAIL;
  const double middle = machine_seconds();
  if (a->check && search_all(s, o, &full, e) != OK)
    return FAIL;
  const double end = machine_seconds();
  if (write_files(s, e) != OK || (command = make_command(s, e)) == NULL)
    return FAIL;
  print_best(s, command, a->check ? &full : NULL);
  free(command);
  fprintf(stderr, "wall time %.3f s", middle - start);
  if (a->check)
    fprintf(stderr, ", of the full search %.3f s", end - middle);
  fputc('\n', stderr);
  return OK;
}

/* The ranks that a host, or a node with cores, takes. */
static enum status find_ranks_per_host(const struct predict_args *a, const struct platform *p,
                                       uint32_t *out, struct err *e)
{
  const struct inside *inside = platform_inside(p);
  const uint32_t cores = inside == NULL ? 1 : inside->cores;
  const uint32_t given = a->settings.reading.collectives.ranks_per_host;
  *out = given == 0 ? cores : given;
  return *out % cores == 0 ? OK
                           : err_set(e,
                                     "--sweep: %" PRIu32
                                     " ranks per node are no multiple of its %" PRIu32 " cores",
                                     *out, cores);
}

enum status predict_sweep(const struct predict_args *a, const struct platform *p, struct err *e)
{
  struct sweep s = {.args = a, .platform = p};
  struct sweep_spec spec = {.platform = p,
                            .trace = a->trace,
                            .mapper = {"xyz"},
                            .mappers = a->mappers == 0 ? 1 : a->mappers,
                            .sim = &a->settings.options,
                            .reading = &a->settings.reading};
  if (find_ranks_per_host(a, p, &spec.ranks_per_host, e) != OK)
    return FAIL;
  for (size_t i = 0; i < a->mappers; i++)
    spec.mapper[i] = a->mapper[i];
  enum status status = sweep_space_make(&s.space, &spec, e);
  for (size_t i = 0; status == OK && i < s.space.skips; i++)
    fprintf(stderr, "haichi: note: left out of the sweep: %s\n", s.space.skipped[i]);
  if (status == OK)
    status = outfile_folder(a->output, e) == OK ? search(&s, e) : FAIL;
  sweep_found_clear(&s.found);
  sweep_space_clear(&s.space);
  return status;
}

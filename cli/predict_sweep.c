/* haichi predict --sweep: prints a table of what was tried, the best, and how to run it. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "cli/predict.h"
#include "common/machine.h"
#include "common/outfile.h"
#include "predict/sweep/search.h"

struct sweep {
  const struct predict_args *args;
  const struct platform *platform;
  struct sweep_space space;
  struct sweep_found found;
};

static const struct estimate *estimate_of(const struct sweep *s, size_t i)
{
  return &s->found.result[i].estimate;
}

/* The best prediction of the program with the fewest ranks: that which speedup compares with. */
static size_t baseline(const struct sweep *s)
{
  size_t best = SIZE_MAX;
  uint32_t ranks = UINT32_MAX;
  for (size_t i = 0; i < s->space.choices; i++) {
    const uint32_t here = s->space.choice[i].mapping.ranks;
    if (estimate_of(s, i)->simulated == 0 || here > ranks)
      continue;
    if (here < ranks || estimate_of(s, i)->time_s < estimate_of(s, best)->time_s)
      best = i;
    ranks = here;
  }
  return best;
}

static void print_row(const struct sweep *s, size_t i, size_t base, FILE *f)
{
  const struct sweep_choice *c = &s->space.choice[i], *b = &s->space.choice[base];
  const struct estimate *x = estimate_of(s, i);
  const double speedup = estimate_of(s, base)->time_s / x->time_s;
  fprintf(f, "%" PRIu32 "\t%s\t%s\t%.6g\t", c->mapping.ranks, c->subset, c->mapper, c->bound_s);
  if (x->simulated == 0) {
    fputs("0\tnan\tnan\tnan\tnan\tnan\n", f);
    return;
  }
  fprintf(f, "%" PRIu64 "\t%.9g\t%.9g\t%.9g\t%.5g\t%.5g\n", x->simulated, x->time_s,
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

static enum status name_file(const struct sweep *s, const char *name, char **path, struct err *e)
{
  return asprintf(path, "%s/%s", s->args->output, name) < 0 ? err_set(e, "out of memory") : OK;
}

static enum status write_table(const struct sweep *s, struct err *e)
{
  struct outfile o;
  char *path;
  if (name_file(s, "sweep.tsv", &path, e) != OK)
    return FAIL;
  enum status status = outfile_open(&o, path, e);
  if (status == OK) {
    print_table(s, o.f);
    status = outfile_commit(&o, e);
  }
  free(path);
  return status;
}

static enum status write_mapping(const struct sweep *s, struct err *e)
{
  char *path;
  if (name_file(s, "best.map", &path, e) != OK)
    return FAIL;
  const enum status status = mapping_save(&s->space.choice[s->found.best].mapping, s->platform,
                                          registry_at(&mapping_formats, 0), path, e);
  free(path);
  return status;
}

static enum status write_folder(const struct sweep *s, struct err *e)
{
  struct stat st;
  if (s->args->output == NULL)
    return OK;
  if (mkdir(s->args->output, 0777) != 0 &&
      (stat(s->args->output, &st) != 0 || !S_ISDIR(st.st_mode)))
    return err_errno(e, s->args->output, "cannot create the folder");
  return write_table(s, e) == OK ? write_mapping(s, e) : FAIL;
}

/* --- the report ------------------------------------------------------------------------------- */

static void print_best(const struct sweep *s)
{
  const size_t i = s->found.best;
  const struct sweep_choice *c = &s->space.choice[i];
  const struct estimate *x = estimate_of(s, i);
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
  report_end(&r);
}

static enum status search(struct sweep *s, struct err *e)
{
  const struct predict_args *a = s->args;
  const struct sweep_options o = {.sim = &a->settings.options,
                                  .most = a->sample,
                                  .whole = a->check,
                                  .parallel = a->jobs == 0 ? machine_cores() : a->jobs};
  if (sweep_search(&s->found, &s->space, &o, s->platform, e) != OK || write_folder(s, e) != OK)
    return FAIL;
  if (a->output == NULL)
    print_table(s, stdout);
  else
    print_best(s);
  return OK;
}

enum status predict_sweep(const struct predict_args *a, const struct platform *p, struct err *e)
{
  struct sweep s = {.args = a, .platform = p};
  struct sweep_spec spec = {.platform = p,
                            .trace = a->trace,
                            .mapper = {"xyz"},
                            .mappers = a->mappers == 0 ? 1 : a->mappers,
                            .ranks_per_host =
                                a->settings.ranks_per_host == 0 ? 1 : a->settings.ranks_per_host,
                            .compute_scale = a->settings.options.compute_scale *
                                             (1 - a->settings.options.jitter),
                            .reading = &a->settings.reading};
  for (size_t i = 0; i < a->mappers; i++)
    spec.mapper[i] = a->mapper[i];
  enum status status = sweep_space_make(&s.space, &spec, e);
  if (status == OK)
    status = search(&s, e);
  sweep_found_clear(&s.found);
  sweep_space_clear(&s.space);
  return status;
}

#include "setup/settings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/files/textout.h"
#include "common/report.h"
#include "mappers/mapper.h"
#include "setup/checksum.h"
#include "sim/simgrid/api.h"

struct settings settings_defaults(void)
{
  return (struct settings){.options = sim_defaults(), .reading = reading_defaults()};
}

bool settings_have_load(const struct settings *s)
{
  return s->options.loads.count > 0 || s->jobs.count > 0;
}

void settings_print_simgrid(FILE *f)
{
  char version[16];
  struct err ignored;
  if (simgrid_api_version(version, sizeof version, &ignored) == OK)
    fprintf(f, " simgrid=%s", version);
}

/* Options for traces with times, unless they are the defaults. */
static void print_recorded(const struct reading *r, FILE *f)
{
  if (r->recorded.speed < 1e9 || r->recorded.speed > 1e9) {
    fputs(" recorded-speed=", f);
    report_number(f, r->recorded.speed);
    fputc('f', f);
  }
  if (r->recorded.align)
    fputs(" align", f);
  if (r->partial)
    fputs(" partial", f);
}

static void print(const struct settings *s, FILE *f)
{
  fprintf(f, "model=%s engine=%s", s->options.model->name, s->options.engine->name);
  if (s->options.engine->loads_file)
    settings_print_simgrid(f);
  fputs(" precision=", f);
  report_number(f, s->options.precision_s);
  fputs(" maxmin-precision=", f);
  report_number(f, s->options.maxmin_precision);
  fputs(" compute-scale=", f);
  report_number(f, s->options.compute_scale);
  if (s->options.jitter > 0) {
    fputs(" jitter=", f);
    report_number(f, s->options.jitter);
  }
  if (s->options.overlay.kind != NULL) {
    fputs(" overlay=", f);
    overlay_spec_print(&s->options.overlay, f);
  }
  effects_print(&s->options.effects, f);
  fprintf(f, " eager-threshold=%" PRIu64 " ranks-per-host=", s->options.eager_threshold);
  if (s->reading.collectives.ranks_per_host == 0)
    fputc('-', f);
  else
    fprintf(f, "%" PRIu32, s->reading.collectives.ranks_per_host);
  if (s->hosts != NULL) {
    fputs(" hosts=", f);
    allocation_list_print(s->hosts, f);
  }
  print_recorded(&s->reading, f);
  if (s->cores > 0)
    fprintf(f, " cores=%" PRIu32, s->cores);
  for (int k = 0; k < COLLECTIVE_KINDS; k++) {
    const enum action_kind kind = (enum action_kind)(ACTION_BARRIER + k);
    if (s->reading.collectives.algorithm[k] != 0)
      fprintf(f, " collective=%s=%s", action_name(kind),
              collective_algorithm(kind, s->reading.collectives.algorithm[k])->name);
  }
}

enum status settings_platform(struct platform **out, const char *text, const struct settings *s,
                              const char *whole, struct err *e)
{
  if (s->names == NULL && s->node == NULL)
    return inputs_platform(out, text, s->cores, whole, e);
  char *full = inputs_platform_text(text, s->node, s->names, e);
  const enum status status = full == NULL ? FAIL : inputs_platform(out, full, s->cores, whole, e);
  free(full);
  return status;
}

/* Prints a load with the checksum of the file that it reads, if any. */
static enum status print_load(const char *spec, FILE *f, struct err *e)
{
  char *file, sum[CHECKSUM_SIZE] = "";
  if (load_spec_file(spec, &file, e) != OK)
    return FAIL;
  const enum status s = file == NULL ? OK : checksum_file(file, sum, e);
  free(file);
  fprintf(f, " background=%s%s%s", spec, sum[0] == '\0' ? "" : " sha256=", sum);
  return s;
}

enum status settings_print_loads(const struct load_specs *l, FILE *f, struct err *e)
{
  for (size_t i = 0; i < l->count; i++)
    if (print_load(l->spec[i], f, e) != OK)
      return FAIL;
  return OK;
}

static enum status checksum_job(const struct job_spec *j, const struct reading *reading,
                                char trace[CHECKSUM_SIZE], char mapping[CHECKSUM_SIZE],
                                struct err *e)
{
  struct input_trace t = {.name = j->trace, .reading = reading};
  struct trace *opened;
  enum status s = input_trace_open(&t, &opened, e);
  if (s == OK && trace_input(opened, 0) != NULL)
    s = checksum_trace(opened, trace, e);
  input_trace_clear(&t);
  if (s == OK && j->mapping != NULL && !mapper_is_spec(j->mapping))
    s = checksum_file(j->mapping, mapping, e);
  return s;
}

static enum status print_job(const struct job_spec *j, const struct reading *reading, FILE *f,
                             struct err *e)
{
  char trace[CHECKSUM_SIZE] = "", mapping[CHECKSUM_SIZE] = "";
  if (checksum_job(j, reading, trace, mapping, e) != OK)
    return FAIL;
  fputs(" job=", f);
  job_spec_print(j, f);
  fprintf(f, "%s%s%s%s", trace[0] == '\0' ? "" : " sha256=", trace,
          mapping[0] == '\0' ? "" : " mapping-sha256=", mapping);
  return OK;
}

static enum status print_selection(const struct settings *s, FILE *f, struct err *e)
{
  const char *file = s->reading.collectives.tuned_file;
  char sum[CHECKSUM_SIZE];
  if (file == NULL)
    return OK;
  if (checksum_file(file, sum, e) != OK)
    return FAIL;
  fprintf(f, " collectives=%s sha256=%s", file, sum);
  return OK;
}

char *settings_text(const struct settings *s, struct err *e)
{
  struct textout out;
  if (textout_begin(&out, e) != OK)
    return NULL;
  print(s, out.f);
  enum status status = print_selection(s, out.f, e);
  if (status == OK)
    status = settings_print_loads(&s->options.loads, out.f, e);
  for (size_t i = 0; status == OK && i < s->jobs.count; i++)
    status = print_job(&s->jobs.job[i], &s->reading, out.f, e);
  return textout_end(&out, status, e);
}

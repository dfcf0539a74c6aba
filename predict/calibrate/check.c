#include "predict/calibrate/check.h"

#include <math.h>

#include "common/report.h"
#include "setup/inputs.h"
#include "sim/sim.h"

/* Printed times have at least 9 digits, so smaller differences are rounding. */
#define ROUNDING 1e-9

static enum status run_one(const struct measured *m, const struct platform *p,
                           const struct sim_options *o, double *seconds, struct err *e)
{
  char name[64];
  const struct reading reading = reading_defaults();
  struct input_trace input = {.name = name, .reading = &reading};
  struct mapping mapping;
  struct sim_result result;
  snprintf(name, sizeof name, "pingpong:2:size=%.0f", m->size);
  if (mapping_new(&mapping, 2, e) != OK)
    return FAIL;
  mapping.host[0] = 0;
  mapping.host[1] = 1;
  struct sim_job job = {.collectives = &reading.collectives, .mapping = &mapping};
  const enum status s = input_trace_open(&input, &job.trace, e) == OK
                            ? sim_run(o, &job, 1, p, stderr, &result, e)
                            : FAIL;
  if (s == OK)
    *seconds = result.simulated_time_s / 2;
  input_trace_clear(&input);
  mapping_clear(&mapping);
  return s;
}

enum status check_simulate(double *seconds, const struct measured *size, size_t n,
                           const struct platform *p, struct err *e)
{
  struct sim_options o = sim_defaults();
  o.precision_s = 1e-12; /* a message between two cores takes 100 ns */
  if (platform_need_routes(p, "a check", e) != OK)
    return FAIL;
  if (platform_hosts(p) < 2)
    return err_set(e, "%s has one host, but the measured route is between two hosts",
                   platform_name(p));
  for (size_t i = 0; i < n; i++)
    if (run_one(&size[i], p, &o, &seconds[i], e) != OK)
      return FAIL;
  return OK;
}

static bool is_between(double low, double seconds, double high)
{
  return seconds >= low * (1 - ROUNDING) && seconds <= high * (1 + ROUNDING);
}

struct check check_compare(const double *seconds, const struct measured *size, size_t n)
{
  struct check c = {0};
  size_t spread = 0, quartiles = 0;
  for (size_t i = 0; i < n; i++) {
    const struct measured *m = &size[i];
    const double error = fabs(seconds[i] / m->seconds - 1);
    c.error_mean += error / (double)n;
    c.error_max = fmax(c.error_max, error);
    spread += is_between(m->low, seconds[i], m->high);
    quartiles += is_between(m->lower_quartile, seconds[i], m->upper_quartile);
  }
  c.within_spread = (double)spread / (double)n;
  c.within_quartiles = (double)quartiles / (double)n;
  return c;
}

void check_print(const double *seconds, const struct measured *size, size_t n,
                 const struct calibration *fit, FILE *f)
{
  fprintf(f,
          "bytes\tsamples\tmeasured_s\tlow_s\thigh_s\tlower_quartile_s\tupper_quartile_"
          "s\tsimulated_s%s\n",
          fit == NULL ? "" : "\tfitted_s\tstep");
  for (size_t i = 0; i < n; i++) {
    fprintf(f, "%.0f\t%zu", size[i].size, size[i].samples);
    const double number[] = {size[i].seconds,        size[i].low,
                             size[i].high,           size[i].lower_quartile,
                             size[i].upper_quartile, seconds[i]};
    for (size_t k = 0; k < sizeof number / sizeof *number; k++) {
      fputc('\t', f);
      report_number(f, number[k]);
    }
    if (fit != NULL) {
      fputc('\t', f);
      report_number(f, calibration_at(fit, i));
      fprintf(f, "\t%zu", calibration_segment(fit, i));
    }
    fputc('\n', f);
  }
}

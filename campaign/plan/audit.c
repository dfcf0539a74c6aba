#include "campaign/plan/audit.h"

#include <math.h>
#include <stdlib.h>

#include "common/mem.h"
#include "common/numeric/rising.h"
#include "common/numeric/rng.h"

/* SimGrid merges events closer than its precision.  At the default precision this changes simulated
 * times by up to 0.16 %, so audits use finer precisions. */
#define AUDIT_PRECISION_S      1e-12
#define AUDIT_MAXMIN_PRECISION 1e-9

static int rising(const void *a, const void *b)
{
  const size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return RISING(x, y);
}

/* A partial Fisher-Yates shuffle draws without repetition; the drawn runs are then sorted. */
static enum status draw_runs(struct audit *a, const struct plan *p, struct err *e)
{
  struct rng rng = rng_new(a->seed, 0);
  a->count = a->wanted < p->runs ? (size_t)a->wanted : p->runs;
  if ((a->run = mem_array(p->runs, sizeof *a->run, e)) == NULL)
    return FAIL;
  for (size_t i = 0; i < p->runs; i++)
    a->run[i] = i;
  for (size_t i = 0; i < a->count; i++) {
    const size_t k = i + (size_t)rng_below(&rng, p->runs - i), drawn = a->run[k];
    a->run[k] = a->run[i];
    a->run[i] = drawn;
  }
  qsort(a->run, a->count, sizeof *a->run, rising);
  return OK;
}

static enum status set_engine(struct settings *s, struct err *e)
{
  s->options.precision_s = AUDIT_PRECISION_S;
  s->options.maxmin_precision = AUDIT_MAXMIN_PRECISION;
  s->options.engine = registry_get(&engines, "simgrid", e);
  return s->options.engine == NULL ? FAIL : OK;
}

static enum status make_settings(struct audit *a, const struct plan *p,
                                 const struct settings *settings, struct err *e)
{
  struct settings common = *settings;
  if (set_engine(&common, e) != OK ||
      (a->options = settings_text(&common, &cli_option_key, e)) == NULL ||
      (a->settings = mem_array(p->machines, sizeof *a->settings, e)) == NULL)
    return FAIL;
  for (size_t m = 0; m < p->machines; m++) {
    a->settings[m] = p->machine[m].settings;
    if (set_engine(&a->settings[m], e) != OK)
      return FAIL;
  }
  return OK;
}

enum status audit_draw(struct audit *a, const struct plan *p, const struct settings *settings,
                       uint64_t wanted, uint64_t seed, struct err *e)
{
  *a = (struct audit){.wanted = wanted, .seed = seed};
  if (wanted == 0) /* skips settings_text(), which reads the traces of all jobs */
    return OK;
  if (make_settings(a, p, settings, e) == OK && draw_runs(a, p, e) == OK)
    return OK;
  audit_clear(a);
  return FAIL;
}

void audit_clear(struct audit *a)
{
  free(a->run);
  free(a->options);
  free(a->settings);
  *a = (struct audit){0};
}

size_t audit_find(const struct audit *a, size_t run)
{
  const size_t *found =
      a->count == 0 ? NULL : bsearch(&run, a->run, a->count, sizeof *a->run, rising);
  return found == NULL ? a->count : (size_t)(found - a->run);
}

double audit_difference(const struct run_result *r, const struct run_result *reference)
{
  const double apart = fabs(run_result_time(r) - run_result_time(reference));
  return apart == 0 ? 0 : apart / run_result_time(reference);
}

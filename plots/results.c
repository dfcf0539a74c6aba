#include "plots/results.h"

#include <math.h>

#include "plots/gnuplot.h"

static enum status find_baseline(const struct results *r, const char *name, uint32_t *out,
                                 struct err *e)
{
  if (name != NULL)
    return results_find_mapper(r, name, out, e);
  if (results_find_mapper(r, "xyz", out, e) != OK)
    *out = 0;
  return OK;
}

enum status plot_results_open(struct results *r, const struct plot *p, const char *const *numbers,
                              uint32_t *baseline, struct err *e)
{
  struct err why;
  if (results_load(r, p->input[0], numbers, e) != OK)
    return FAIL;
  if (find_baseline(r, p->baseline, baseline, &why) != OK) {
    results_clear(r);
    return err_set(e, "%s: %s", p->input[0], why.text);
  }
  for (size_t i = 0; numbers[i] != NULL; i++)
    results_relative(r, *baseline, i);
  return OK;
}

/* Rows that are ok, but whose trace lacks the baseline. */
static size_t without_baseline(const struct results *r)
{
  size_t n = 0;
  for (size_t i = 0; i < r->rows; i++)
    n += isnan(r->row[i].value[0]);
  return n;
}

void plot_results_subtitle(const struct results *r, uint32_t baseline, FILE *f)
{
  char label[GNUPLOT_LABEL_SIZE], text[160] = "";
  const size_t lost = without_baseline(r);
  int n = 0;
  gnuplot_label(label, r->mapper.name[baseline]);
  gnuplot_text(f, "baseline", label);
  if (r->failed > 0)
    n += snprintf(text + n, sizeof text - (size_t)n, ", %zu failed", r->failed);
  if (r->timeouts > 0)
    n += snprintf(text + n, sizeof text - (size_t)n, ", %zu timed out", r->timeouts);
  if (lost > 0)
    snprintf(text + n, sizeof text - (size_t)n, ", %zu without baseline", lost);
  fputs("subtitle = ", f);
  fputs(*text == '\0' ? "" : "'left out: '.", f);
  gnuplot_quote(f, *text == '\0' ? "" : text + 2);
  fputc('\n', f);
}

/* The sizes of `haichi calibrate --table`: measured times with quartiles, simulated and fitted
 * times, and the deviations of the simulated and fitted times from the measured times. */
#include <math.h>

#include "common/files/table.h"
#include "common/files/textout.h"
#include "common/mem.h"
#include "plots/gnuplot.h"
#include "plots/plot.h"

enum { BYTES, MEASURED, LOW, HIGH, SIMULATED, FITTED, STEP, COLUMNS };

struct sizes {
  FILE *f, *steps;
  bool fitted; /* the table has the last two columns */
  size_t rows;
  double last_bytes, last_step;
};

/* Writes a point, and a step between the previous size and this one if a new segment begins. */
static void write_row(struct sizes *s, const double *value)
{
  if (s->rows > 0 && value[STEP] != s->last_step)
    fprintf(s->steps, "%.9g\n", sqrt(fmax(s->last_bytes, 1) * value[BYTES]));
  for (int i = 0; i < STEP; i++)
    fprintf(s->f, "%s%.9g", i == 0 ? "" : " ", value[i]);
  fputc('\n', s->f);
  s->last_bytes = value[BYTES];
  s->last_step = value[STEP];
  s->rows++;
}

static enum status read_row(void *sizes, const struct table *t, const size_t *column, struct err *e)
{
  struct sizes *s = sizes;
  double value[COLUMNS] = {[FITTED] = NAN};
  for (int i = 0; i < (s->fitted ? COLUMNS : FITTED); i++) {
    const bool time = i != BYTES && i != STEP;
    if (table_double(t, column[i], time ? 1e-30 : 0, 1e30, &value[i], e) != OK)
      return FAIL;
  }
  write_row(s, value);
  return OK;
}

static enum status read_rows(struct sizes *s, struct table *t, struct err *e)
{
  const char *const name[COLUMNS + 1] = {"bytes",
                                         "measured_s",
                                         "lower_quartile_s",
                                         "upper_quartile_s",
                                         "simulated_s",
                                         s->fitted ? "fitted_s" : NULL,
                                         "step"};
  if (table_rows(t, name, read_row, s, e) != OK)
    return FAIL;
  return s->rows > 0 ? OK : err_set(e, "%s: no sizes", t->path);
}

static void write_legend(bool fitted, FILE *f)
{
  struct gnuplot_key key = {.f = f};
  gnuplot_key_add(&key, "measured, with quartiles", 1);
  gnuplot_key_add(&key, "simulated", 2);
  if (fitted)
    gnuplot_key_add(&key, "fitted", 3);
  gnuplot_key_end(&key);
}

/* Writes the data blocks $points and $steps.  The steps are collected in memory meanwhile. */
static enum status write_blocks(struct sizes *s, struct table *t, struct err *e)
{
  struct textout steps;
  if (textout_begin(&steps, e) != OK)
    return FAIL;
  s->steps = steps.f;
  fputs("$points << EOD\n", s->f);
  const enum status status = read_rows(s, t, e);
  OWNED char *text = textout_end(&steps, status, e);
  if (text == NULL)
    return FAIL;
  fprintf(s->f, "EOD\n$steps << EOD\n%sEOD\nhas_steps = %d\n", text, text[0] != '\0');
  return OK;
}

static enum status write(const struct plot *p, FILE *f, struct err *e)
{
  struct table t;
  if (table_open(&t, p->input[0], '\t', e) != OK)
    return FAIL;
  struct sizes s = {.f = f, .fitted = table_find(&t, "fitted_s") != TABLE_NONE};
  fprintf(f, "fitted = %d\n", s.fitted);
  write_legend(s.fitted, f);
  const enum status status = write_blocks(&s, &t, e);
  table_close(&t);
  return status;
}

const struct plot_kind plot_calibration = {
    .name = "calibration",
    .inputs = "TABLE.tsv",
    .help = "times of messages by size, measured and simulated",
    .most = 1,
    .write = write,
};

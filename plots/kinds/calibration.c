/* The sizes of `haichi calibrate --table`: measured times with quartiles, simulated and fitted
 * times, and the deviation of the latter two from the measured ones. */
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>

#include "common/files/memfile.h"
#include "common/files/table.h"
#include "plots/gnuplot.h"
#include "plots/plot.h"

enum { BYTES, MEASURED, LOW, HIGH, SIMULATED, FITTED, STEP, COLUMNS };

struct sizes {
  struct table *t;
  size_t column[COLUMNS];
  bool fitted; /* the table has the last two columns */
  size_t rows;
  double last_bytes, last_step;
};

static enum status find_columns(struct sizes *s, struct err *e)
{
  static const char *const NAME[COLUMNS] = {
      "bytes",    "measured_s", "lower_quartile_s", "upper_quartile_s", "simulated_s",
      "fitted_s", "step"};
  struct err unused;
  s->fitted = table_column(s->t, NAME[FITTED], &s->column[FITTED], &unused) == OK;
  for (int i = 0; i < COLUMNS; i++)
    if ((s->fitted || i < FITTED) && table_column(s->t, NAME[i], &s->column[i], e) != OK)
      return FAIL;
  return OK;
}

/* A step is drawn between its first size and the size before. */
static void write_row(struct sizes *s, const double *value, FILE *f, FILE *steps)
{
  if (s->rows > 0 && value[STEP] != s->last_step)
    fprintf(steps, "%.9g\n", sqrt(fmax(s->last_bytes, 1) * value[BYTES]));
  for (int i = 0; i < STEP; i++)
    fprintf(f, "%s%.9g", i == 0 ? "" : " ", value[i]);
  fputc('\n', f);
  s->last_bytes = value[BYTES];
  s->last_step = value[STEP];
  s->rows++;
}

static enum status write_rows(struct sizes *s, FILE *f, FILE *steps, struct err *e)
{
  double value[COLUMNS] = {0};
  bool more;
  while (table_next(s->t, &more, e) == OK) {
    if (!more)
      return s->rows > 0 ? OK : err_set(e, "%s: no sizes", s->t->path);
    for (int i = 0; i < (s->fitted ? COLUMNS : FITTED); i++) {
      const bool time = i != BYTES && i != STEP;
      if (table_double(s->t, s->column[i], time ? 1e-30 : 0, 1e30, &value[i], e) != OK)
        return FAIL;
    }
    if (!s->fitted)
      value[FITTED] = NAN;
    write_row(s, value, f, steps);
  }
  return FAIL;
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

/* The steps follow the points, as they are found while the points are written. */
static enum status write_blocks(struct sizes *s, FILE *f, struct err *e)
{
  struct memtext steps;
  struct err unused;
  if (memtext_open(&steps, e) != OK)
    return FAIL;
  fputs("$points << EOD\n", f);
  const enum status status = write_rows(s, f, steps.f, e);
  char *text = memtext_close(&steps, status == OK ? e : &unused);
  if (status == OK && text != NULL)
    fprintf(f, "EOD\n$steps << EOD\n%sEOD\nhas_steps = %d\n", text, text[0] != '\0');
  free(text);
  return text == NULL ? FAIL : status;
}

static enum status write(const struct plot *p, FILE *f, struct err *e)
{
  struct table t;
  struct sizes s = {.t = &t};
  if (table_open(&t, p->input[0], '\t', e) != OK)
    return FAIL;
  enum status status = find_columns(&s, e);
  if (status == OK) {
    fprintf(f, "fitted = %d\n", s.fitted);
    write_legend(s.fitted, f);
    status = write_blocks(&s, f, e);
  }
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

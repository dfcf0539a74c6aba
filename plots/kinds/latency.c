/* How much longer a program takes when all latencies grow: `haichi explain --latency-curve`, with
 * the prediction of the derivative, and the latency at which the program takes 5 % longer. */
#include <math.h>

#include "common/files/table.h"
#include "plots/gnuplot.h"
#include "plots/plot.h"

/* The picture names the latencies at which the program takes this many percent longer. */
#define TOLERATED 5

struct curve {
  FILE *f;
  double base_s;            /* time with the latencies of the platform */
  double latencies, longer; /* of the last row */
  double tolerated;         /* latencies at TOLERATED percent; NAN: not reached */
  size_t rows;
};

static enum status check(const struct curve *c, const struct table *t, double latencies,
                         struct err *e)
{
  if (c->rows == 0 && latencies != 1)
    return err_at(e, t->path, t->line, "the first row has latencies %g, not 1", latencies);
  if (c->rows > 0 && latencies <= c->latencies)
    return err_at(e, t->path, t->line, "latencies %g after %g; they must rise", latencies,
                  c->latencies);
  return OK;
}

static enum status read_row(void *curve, const struct table *t, const size_t *column, struct err *e)
{
  struct curve *c = curve;
  double latencies, simulated_s, predicted_s;
  if (table_double(t, column[0], 0, 1e30, &latencies, e) != OK ||
      table_double(t, column[1], 1e-30, 1e30, &simulated_s, e) != OK ||
      table_double(t, column[2], -1e30, 1e30, &predicted_s, e) != OK ||
      check(c, t, latencies, e) != OK)
    return FAIL;
  c->base_s = c->rows == 0 ? simulated_s : c->base_s;
  const double longer = 100 * (simulated_s / c->base_s - 1);
  if (isnan(c->tolerated) && longer >= TOLERATED && c->rows > 0)
    c->tolerated =
        c->latencies + (latencies - c->latencies) * (TOLERATED - c->longer) / (longer - c->longer);
  fprintf(c->f, "%.9g %.9g %.9g\n", latencies, longer, 100 * (predicted_s / c->base_s - 1));
  c->latencies = latencies;
  c->longer = longer;
  c->rows++;
  return OK;
}

static enum status write(const struct plot *p, FILE *f, struct err *e)
{
  static const char *const NAME[] = {"latencies", "simulated_s", "predicted_s", NULL};
  struct curve c = {.f = f, .tolerated = NAN};
  struct gnuplot_key key = {.f = f};
  gnuplot_key_add(&key, "simulated", 1);
  gnuplot_key_add(&key, "predicted by the derivative", 2);
  gnuplot_key_end(&key);
  fputs("$points << EOD\n", f);
  if (table_read(p->input[0], '\t', NAME, read_row, &c, e) != OK)
    return FAIL;
  if (c.rows < 2)
    return plot_nothing(p, e, "%s: fewer than two rows", p->input[0]);
  fprintf(f, "EOD\npercent = %d\ntolerated = %.9g\n", TOLERATED,
          isnan(c.tolerated) ? 0 : c.tolerated);
  return OK;
}

const struct plot_kind plot_latency = {
    .name = "latency",
    .inputs = "CURVE.tsv",
    .help = "how much longer the program takes with longer latencies (haichi explain "
            "--latency-curve)",
    .most = 1,
    .write = write,
};

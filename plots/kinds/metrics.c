/* Metrics of a mapping against its simulated time, both relative to the baseline on the same trace
 * and machine: one point per row.  The shape of a point stands for its trace, or for its machine if
 * the table has several machines. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "common/mem.h"
#include "common/numeric/rising.h"
#include "plots/gnuplot.h"
#include "plots/kinds/results.h"
#include "plots/plot.h"

static const struct names *shapes_of(const struct results *r)
{
  return r->machine.count > 1 ? &r->machine : &r->trace;
}

/* Writes the legend: colours of mappers, then in a new row shapes of traces if there are
 * several. */
static void write_labels(const struct results *r, FILE *f)
{
  char label[GNUPLOT_LABEL_SIZE];
  struct gnuplot_key key = {.f = f};
  const struct names *shape = shapes_of(r);
  fprintf(f, "mappers = %" PRIu32 "\ntraces = %" PRIu32 "\n", r->mapper.count, shape->count);
  for (size_t i = 0; i < r->mapper.count; i++)
    gnuplot_key_add(&key, r->mapper.name[i], i + 1);
  gnuplot_key_break(&key);
  for (size_t i = 0; i < shape->count && shape->count > 1; i++) {
    gnuplot_file_label(label, shape->name[i]);
    gnuplot_key_add(&key, label, i + 1);
  }
  gnuplot_key_end(&key);
}

/* A point's cell in a grid of CELLS x CELLS over the panel. */
struct spot {
  size_t row;
  long x, y;
};

enum { CELLS = 60, MOST_AROUND = 5 };

static int by_cell(const void *a, const void *b)
{
  const struct spot *s = a, *t = b;
  return RISING(s->x, t->x) ?: RISING(s->y, t->y) ?: RISING(s->row, t->row);
}

static bool is_shown(const struct results_row *row)
{
  return !isnan(row->value[RELATIVE_TIME]) && !isnan(row->value[RELATIVE_HOP_BYTES]) &&
         !isnan(row->value[RELATIVE_LINK_LOAD]);
}

static double largest(const struct results *r, size_t number)
{
  double most = 1; /* the value of the baseline */
  for (size_t i = 0; i < r->rows; i++)
    if (is_shown(&r->row[i]))
      most = fmax(most, r->row[i].value[number]);
  return most;
}

/* Counts, for each row, the points of earlier rows in the same cell of the panel of metric
 * @p number, at most MOST_AROUND.  The template draws the point as a larger ring around them. */
static enum status count_around(const struct results *r, size_t number, unsigned *around,
                                struct err *e)
{
  OWNED struct spot *spot = mem_array(r->rows, sizeof *spot, e);
  const double x = largest(r, number), y = largest(r, RELATIVE_TIME);
  size_t n = 0;
  if (spot == NULL)
    return FAIL;
  for (size_t i = 0; i < r->rows; i++)
    if (is_shown(&r->row[i]))
      spot[n++] = (struct spot){i, lround(r->row[i].value[number] / x * CELLS),
                                lround(r->row[i].value[RELATIVE_TIME] / y * CELLS)};
  qsort(spot, n, sizeof *spot, by_cell);
  for (size_t i = 0, first = 0; i < n; i++) {
    if (spot[i].x != spot[first].x || spot[i].y != spot[first].y)
      first = i;
    around[spot[i].row] = i - first < MOST_AROUND ? (unsigned)(i - first) : MOST_AROUND;
  }
  return OK;
}

/* Writes lines "mapper shape time hop-bytes load around around" and returns their number. */
static size_t print_points(const struct results *r, const unsigned *hops, const unsigned *load,
                           FILE *f)
{
  size_t points = 0;
  fputs("$points << EOD\n", f);
  for (size_t i = 0; i < r->rows; i++) {
    const struct results_row *row = &r->row[i];
    if (!is_shown(row))
      continue;
    const uint32_t shape = shapes_of(r) == &r->trace ? row->trace : r->machine_of[row->trace];
    fprintf(f, "%u %u %.9g %.9g %.9g %u %u\n", row->mapper + 1, shape + 1,
            row->value[RELATIVE_TIME], row->value[RELATIVE_HOP_BYTES],
            row->value[RELATIVE_LINK_LOAD], hops[i], load[i]);
    points++;
  }
  fputs("EOD\n", f);
  return points;
}

static enum status write_points(const struct results *r, FILE *f, size_t *points, struct err *e)
{
  OWNED unsigned *hops = mem_array(r->rows, sizeof *hops, e);
  OWNED unsigned *load = hops == NULL ? NULL : mem_array(r->rows, sizeof *load, e);
  const enum status s = load != NULL && count_around(r, RELATIVE_HOP_BYTES, hops, e) == OK
                            ? count_around(r, RELATIVE_LINK_LOAD, load, e)
                            : FAIL;
  if (s == OK)
    *points = print_points(r, hops, load, f);
  return s;
}

static enum status write(const struct plot *p, FILE *f, struct err *e)
{
  struct plot_results own = {0};
  const struct plot_results *results = plot_results_of(p, &own, true, e);
  if (results == NULL)
    return FAIL;
  write_labels(&results->r, f);
  plot_results_subtitle(results, f);
  size_t points = 0;
  const enum status s = write_points(&results->r, f, &points, e);
  plot_results_clear(&own);
  if (s != OK || points > 0)
    return s;
  return plot_nothing(p, e, "%s: no row has metrics and a baseline with nonzero metrics",
                      p->input[0]);
}

const struct plot_kind plot_metrics = {
    .name = "metrics",
    .inputs = "RESULTS.tsv",
    .help = "hop-bytes and largest link load against simulated time, relative to --baseline",
    .most = 1,
    .takes_baseline = true,
    .by_machine = true,
    .write = write,
};

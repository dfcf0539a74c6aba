/* Predicted time and efficiency against the number of ranks; for each number of ranks, the choice
 * with the lowest predicted time. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/table.h"
#include "common/mem.h"
#include "common/numeric/rising.h"
#include "plots/plot.h"

struct point {
  uint64_t ranks;
  double time_s, low_s, high_s, efficiency;
};

struct points {
  struct point *point;
  size_t room, count;
};

static int compare_points(const void *a, const void *b)
{
  const struct point *x = a, *y = b;
  return RISING(x->ranks, y->ranks) ?: RISING(x->time_s, y->time_s);
}

/* Reads a time, or sets *out to @p missing for "nan". */
static enum status read_time(const struct table *t, size_t column, double missing, double *out,
                             struct err *e)
{
  *out = missing;
  return strcmp(t->field[column], "nan") == 0
             ? OK
             : table_double(t, column, -HUGE_VAL, HUGE_VAL, out, e);
}

/* Adds a choice, unless it has no prediction.  Both ends of a missing interval are the predicted
 * time. */
static enum status add_row(void *points, const struct table *t, const size_t *column, struct err *e)
{
  struct points *p = points;
  struct point x;
  if (table_u64(t, column[0], UINT32_MAX, &x.ranks, e) != OK ||
      read_time(t, column[1], NAN, &x.time_s, e) != OK)
    return FAIL;
  if (isnan(x.time_s))
    return OK;
  if (read_time(t, column[2], x.time_s, &x.low_s, e) != OK ||
      read_time(t, column[3], x.time_s, &x.high_s, e) != OK ||
      table_double(t, column[4], 0, HUGE_VAL, &x.efficiency, e) != OK ||
      MEM_GROW(p->point, p->room, p->count + 1, e) != OK)
    return FAIL;
  p->point[p->count++] = x;
  return OK;
}

static void print_points(const struct points *p, FILE *f)
{
  fputs("$points << EOD\n", f);
  for (size_t i = 0; i < p->count; i++) {
    const struct point *x = &p->point[i];
    if (i == 0 || x->ranks != x[-1].ranks)
      fprintf(f, "%" PRIu64 " %.9g %.9g %.9g %.9g\n", x->ranks, x->time_s, x->low_s, x->high_s,
              100 * x->efficiency);
  }
  fputs("EOD\n", f);
}

static enum status write(const struct plot *p, FILE *f, struct err *e)
{
  static const char *const NAME[] = {
      "ranks", "predicted_time_s", "predicted_low_s", "predicted_high_s", "efficiency", NULL};
  struct points all = {0};
  enum status s = table_read(p->input[0], '\t', NAME, add_row, &all, e);
  if (s == OK && all.count == 0)
    s = plot_nothing(p, e, "%s: no row has a prediction", p->input[0]);
  if (s == OK) {
    qsort(all.point, all.count, sizeof *all.point, compare_points);
    print_points(&all, f);
  }
  free(all.point);
  return s;
}

const struct plot_kind plot_sweep = {
    .name = "sweep",
    .inputs = "SWEEP.tsv",
    .help = "predicted time and efficiency against the number of ranks",
    .most = 1,
    .write = write,
};

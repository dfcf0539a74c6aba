/* Time of each algorithm of a collective against the size of the messages, with the fastest
 * algorithm of each size marked. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/containers/names.h"
#include "common/files/table.h"
#include "common/mem.h"
#include "plots/gnuplot.h"
#include "plots/plot.h"

struct point {
  uint32_t series;
  uint64_t bytes;
  double time_s;
  bool fastest;
};

/* The points of a table, and the names of the series. */
struct points {
  struct point *point;
  size_t room, count;
  struct names series;
  char collective[32];
};

static enum status check_collective(struct points *p, const struct table *t, const char *name,
                                    struct err *e)
{
  if (p->collective[0] == '\0')
    snprintf(p->collective, sizeof p->collective, "%s", name);
  return strcmp(p->collective, name) == 0
             ? OK
             : err_at(e, t->path, t->line, "'%.32s' after '%s': a picture shows one collective",
                      name, p->collective);
}

/* Skips rows of failed simulations, which have no time, and rows of size 0, which a log axis cannot
 * show. */
static enum status add_row(void *points, const struct table *t, const size_t *column, struct err *e)
{
  struct points *p = points;
  struct point x;
  double slowdown;
  char label[GNUPLOT_LABEL_SIZE];
  if (check_collective(p, t, t->field[column[0]], e) != OK ||
      table_u64(t, column[1], INT64_MAX, &x.bytes, e) != OK)
    return FAIL;
  if (strcmp(t->field[column[3]], "nan") == 0 || x.bytes == 0)
    return OK;
  gnuplot_label(label, t->field[column[2]]);
  if (table_double(t, column[3], 0, HUGE_VAL, &x.time_s, e) != OK ||
      table_double(t, column[4], 0, HUGE_VAL, &slowdown, e) != OK ||
      names_add(&p->series, label, &x.series, e) != OK ||
      MEM_GROW(p->point, p->room, p->count + 1, e) != OK)
    return FAIL;
  x.fastest = slowdown <= 1;
  p->point[p->count++] = x;
  return OK;
}

static void print_points(const struct points *p, FILE *f)
{
  struct gnuplot_key key = {.f = f};
  for (uint32_t s = 0; s < p->series.count; s++) {
    gnuplot_key_add(&key, p->series.name[s], s + 1);
    fprintf(f, "$series%" PRIu32 " << EOD\n", s + 1);
    for (size_t i = 0; i < p->count; i++)
      if (p->point[i].series == s)
        fprintf(f, "%" PRIu64 " %.9g\n", p->point[i].bytes, p->point[i].time_s);
    fputs("EOD\n", f);
  }
  gnuplot_key_end(&key);
  fputs("$fastest << EOD\n", f);
  for (size_t i = 0; i < p->count; i++)
    if (p->point[i].fastest)
      fprintf(f, "%" PRIu64 " %.9g\n", p->point[i].bytes, p->point[i].time_s);
  fputs("EOD\n", f);
  gnuplot_text(f, "collective", p->collective);
}

static enum status write(const struct plot *p, FILE *f, struct err *e)
{
  static const char *const NAME[] = {"collective",       "bytes",    "algorithm",
                                     "simulated_time_s", "slowdown", NULL};
  struct points all = {.count = 0};
  enum status s = table_read(p->input[0], '\t', NAME, add_row, &all, e);
  if (s == OK && all.count == 0)
    s = plot_nothing(p, e, "%s: no row has a size and a time", p->input[0]);
  if (s == OK)
    print_points(&all, f);
  free(all.point);
  names_clear(&all.series);
  return s;
}

const struct plot_kind plot_collective = {
    .name = "collective",
    .inputs = "COLLECTIVE.tsv",
    .help = "time of the algorithms of a collective by size, the fastest ringed",
    .most = 1,
    .write = write,
};

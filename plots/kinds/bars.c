#include "plots/kinds/bars.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "plots/gnuplot.h"

/* Series and groups that are drawn. */
struct chosen {
  const struct bars *b;
  uint32_t *series; /* series with bars */
  size_t count;
  uint32_t *group; /* groups with a baseline */
  size_t groups;
  bool means; /* a group of geometric means follows */
};

static struct results_spread value_of(const struct bars *b, uint32_t group, uint32_t series)
{
  return b->value(b->of, group, series);
}

/* Position of the group of means.  The other groups are at 0, 1, ...; the gap before the means is
 * wider. */
static double means_at(const struct chosen *c)
{
  return (double)c->groups + 0.25;
}

static bool has_bars(const struct chosen *c, uint32_t series)
{
  size_t most = 0;
  for (size_t i = 0; i < c->groups; i++) {
    const size_t n = value_of(c->b, c->group[i], series).count;
    most = n > most ? n : most;
  }
  return most > (series == c->b->baseline);
}

static enum status choose(struct chosen *c, struct err *e)
{
  const struct bars *b = c->b;
  if ((c->series = mem_array(b->all_series, sizeof *c->series, e)) == NULL ||
      (c->group = mem_array(b->groups, sizeof *c->group, e)) == NULL)
    return FAIL;
  for (uint32_t g = 0; g < b->groups; g++)
    if (value_of(b, g, b->baseline).count > 0)
      c->group[c->groups++] = g;
  for (uint32_t s = 0; s < b->all_series; s++)
    if (has_bars(c, s))
      c->series[c->count++] = s;
  c->means = c->groups > 1;
  return OK;
}

static void write_labels(const struct chosen *c, FILE *f)
{
  char label[GNUPLOT_LABEL_SIZE];
  struct gnuplot_key key = {.f = f};
  size_t longest = 0;
  for (size_t i = 0; i < c->count; i++)
    gnuplot_key_add(&key, c->b->series[c->series[i]], c->series[i] + 1);
  gnuplot_key_end(&key);
  fputs("set xtics (", f);
  for (size_t i = 0; i < c->groups; i++) {
    gnuplot_file_label(label, c->b->group[c->group[i]]);
    gnuplot_fit(label, GNUPLOT_AXIS_LABEL);
    longest = strlen(label) > longest ? strlen(label) : longest;
    gnuplot_tick(f, label);
    fprintf(f, " %zu%s", i, i + 1 < c->groups ? ", " : "");
  }
  fprintf(f, "%s)\n", c->means ? ", 'geo. mean' means_at" : "");
  if (c->means && longest < strlen("geo. mean"))
    longest = strlen("geo. mean");
  fprintf(f, "longest_label = %zu\n", longest);
}

/* Writes the geometric mean of a series that has a value in every group. */
static void write_mean(const struct chosen *c, size_t i, double *mean, FILE *f)
{
  for (size_t g = 0; g < c->groups; g++) {
    const struct results_spread s = value_of(c->b, c->group[g], c->series[i]);
    if (s.count == 0)
      return;
    mean[g] = s.mean;
  }
  const double g = results_geometric_mean(mean, c->groups);
  fprintf(f, "%g %zu %.9g %.9g %.9g %u\n", means_at(c), i + 1, g, g, g, c->series[i] + 1);
}

/* Writes the settings and lines "group bar mean min max series". */
static enum status write_chosen(const struct chosen *c, FILE *f, struct err *e)
{
  OWNED double *mean = mem_array(c->groups, sizeof *mean, e);
  if (mean == NULL)
    return FAIL;
  fprintf(f, "bars = %zu\nmost_series = %zu\ngroups = %zu\nmeans_at = %g\nmeans = %d\n", c->count,
          c->b->all_series, c->groups, means_at(c), c->means);
  gnuplot_text(f, "measure", c->b->measure);
  write_labels(c, f);
  fputs("$bars << EOD\n", f);
  for (size_t g = 0; g < c->groups; g++)
    for (size_t i = 0; i < c->count; i++) {
      const struct results_spread s = value_of(c->b, c->group[g], c->series[i]);
      if (s.count > 0)
        fprintf(f, "%zu %zu %.9g %.9g %.9g %u\n", g, i + 1, s.mean, s.min, s.max, c->series[i] + 1);
    }
  for (size_t i = 0; c->means && i < c->count; i++)
    write_mean(c, i, mean, f);
  fputs("EOD\n", f);
  return OK;
}

enum status bars_write(const struct bars *b, const struct plot *p, FILE *f, struct err *e)
{
  struct chosen c = {.b = b};
  enum status s = choose(&c, e);
  if (s == OK && c.count == 0)
    s = plot_nothing(p, e, "%s: no %s to compare with '%s'", p->input[0], b->compared,
                     b->series[b->baseline]);
  if (s == OK)
    s = write_chosen(&c, f, e);
  free(c.series);
  free(c.group);
  return s;
}

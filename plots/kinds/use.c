/* Use of the machine against load: a line per scheduler; each point is the mean over the
 * networks. */
#include <math.h>
#include <string.h>

#include "plots/gnuplot.h"
#include "plots/kinds/results.h"
#include "plots/kinds/schedules.h"
#include "plots/plot.h"

static void write_loads(const struct schedules *s, FILE *f)
{
  char label[GNUPLOT_LABEL_SIZE];
  size_t longest = 0;
  fputs("set xtics (", f);
  for (uint32_t l = 0; l < s->load.count; l++) {
    gnuplot_label(label, s->load.name[l]);
    gnuplot_fit(label, GNUPLOT_AXIS_LABEL);
    longest = strlen(label) > longest ? strlen(label) : longest;
    gnuplot_tick(f, label);
    fprintf(f, " %u%s", l, l + 1 < s->load.count ? ", " : ")\n");
  }
  fprintf(f, "loads = %u\nlongest_label = %zu\n", s->load.count, longest);
}

/* Writes the legend and, for each scheduler, a block "load use series", in percent.  Returns the
 * number of blocks. */
static size_t write_lines(const struct schedules *s, FILE *f)
{
  struct gnuplot_key key = {.f = f};
  size_t lines = 0;
  for (uint32_t i = 0; i < s->scheduler.count; i++) {
    if (isnan(schedules_use(s, 0, i)))
      continue;
    gnuplot_key_add(&key, s->scheduler.name[i], i + 1);
    lines++;
  }
  gnuplot_key_end(&key);
  fprintf(f, "lines = %zu\n$use << EOD\n", lines);
  for (uint32_t i = 0; i < s->scheduler.count; i++) {
    if (isnan(schedules_use(s, 0, i)))
      continue;
    for (uint32_t l = 0; l < s->load.count; l++)
      fprintf(f, "%u %.9g %u\n", l, 100 * schedules_use(s, l, i), i + 1);
    fputs("\n\n", f);
  }
  fputs("EOD\n", f);
  return lines;
}

static enum status write(const struct plot *p, FILE *f, struct err *e)
{
  struct schedules s;
  enum status status = schedules_load(&s, p->input[0], p->machine, NULL, e);
  if (status != OK)
    return FAIL;
  write_loads(&s, f);
  if (write_lines(&s, f) == 0)
    status =
        plot_nothing(p, e, "%s: no scheduler is ok on a network under every load", p->input[0]);
  plot_results_left_out(NULL, s.failed, s.timeouts, 0, f);
  schedules_clear(&s);
  return status;
}

const struct plot_kind plot_use = {
    .name = "use",
    .inputs = "RESULTS.tsv",
    .help = "machine use of each scheduler under each load, mean over the networks",
    .most = 1,
    .by_machine = true,
    .write = write,
};

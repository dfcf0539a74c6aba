#include <math.h>
#include <stdlib.h>

#include "campaign/analysis/fit.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "common/numeric/rising.h"

/* A time that can be predicted. */
struct prediction {
  const char *name;
};

static const struct prediction TIME = {"simulated_time_s"}, MEAN = {"communication_time_mean_s"},
                               MOST = {"communication_time_max_s"};

#define LIST(ROW) ROW(TIME) ROW(MEAN) ROW(MOST)

static const struct registry times = REGISTRY("time", LIST);

struct fit_args {
  struct option_words paths;
  const struct prediction *time;
};

#define AT(FIELD) offsetof(struct fit_args, FIELD)

static const struct cli_option OPTIONS[] = {
    {.kind = OPTION_OPERAND, .at = AT(paths)},
    {"time", 0, "COLUMN", "Column to predict: %s (simulated_time_s)", .kind = OPTION_ROW,
     .rows = &times, .at = AT(time)},
    {.name = NULL},
};

static void print_number(double value)
{
  if (isnan(value))
    fputs("\t-", stdout);
  else
    printf("\t%.6g", value);
}

/* Orders by error, least first; predictors without an error are last. */
static int by_error(const void *a, const void *b, void *quality)
{
  const struct fit_quality *q = quality;
  const size_t i = *(const size_t *)a, k = *(const size_t *)b;
  const double x = isnan(q[i].error) ? INFINITY : q[i].error;
  const double y = isnan(q[k].error) ? INFINITY : q[k].error;
  return x != y ? RISING(x, y) : RISING(i, k);
}

static void print_name(const struct fit_group *g, const struct fit_predictor *p)
{
  printf("%s\t%s\t%zu\t%s", g->path, g->trace, g->rows, fit_metric(p->metric[0]));
  if (p->metrics > 1)
    printf("+%s", fit_metric(p->metric[1]));
}

static void print_group(const struct fit_group *g, struct fit_quality *quality)
{
  size_t order[FIT_PREDICTORS];
  for (size_t i = 0; i < FIT_PREDICTORS; i++)
    order[i] = i;
  qsort_r(order, FIT_PREDICTORS, sizeof *order, by_error, quality);
  for (size_t i = 0; i < FIT_PREDICTORS; i++) {
    const struct fit_quality *q = &quality[order[i]];
    const struct fit_predictor p = fit_predictor(order[i]);
    print_name(g, &p);
    print_number(q->spearman);
    print_number(q->kendall);
    print_number(q->line.r2);
    print_number(q->error);
    print_number(q->line.at_zero);
    print_number(q->line.slope[0]);
    print_number(p.metrics > 1 ? q->line.slope[1] : NAN);
    putchar('\n');
  }
}

static enum status print_all(const struct fit *f, struct err *e)
{
  struct fit_quality quality[FIT_PREDICTORS];
  puts("results\ttrace\trows\tmetrics\tspearman\tkendall\tr2\terror\tat_zero\tslope_1\tslope_2");
  for (size_t i = 0; i <= f->groups; i++) {
    if (fit_compute(&f->group[i], quality, e) != OK)
      return FAIL;
    print_group(&f->group[i], quality);
  }
  return OK;
}

static int run_command(int argc, char **argv)
{
  static const struct usage USAGE = {
      "RESULTS.tsv...",
      "Measures how well metrics of mappings predict simulated times, from the results of `haichi "
      "compare' with many mappings: rank correlations, and least squares on each metric and each "
      "pair of metrics, for each trace of each file, and over all.",
      OPTIONS, NULL, NULL};
  struct fit_args a = {.time = &TIME};
  struct fit f;
  struct err e;
  options_parse(&USAGE, argc, argv, &a);
  enum status s = fit_load(&f, a.paths.word, a.paths.count, a.time->name, &e);
  if (s == OK) {
    s = print_all(&f, &e);
    fit_clear(&f);
  }
  free(a.paths.word);
  return s == OK ? CLI_OK : cli_fail(&e);
}

const struct cli_command cmd_fit = {"fit", "tell which metric of mappings predicts simulated time",
                                    run_command};

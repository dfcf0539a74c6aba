#include "campaign/run/result.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "common/num.h"
#include "common/numeric/stats.h"
#include "common/report.h"

static const struct column TIMINGS[] = {
    {"wall_s", COLUMN_DOUBLE, offsetof(struct run_result, wall_s)},
    {"cpu_s", COLUMN_DOUBLE, offsetof(struct run_result, cpu_s)},
    {"max_rss_bytes", COLUMN_U64, offsetof(struct run_result, max_rss_bytes)},
    {.name = NULL},
};

static const struct column SPREADS[] = {
    {"repeats", COLUMN_U64, offsetof(struct run_spread, repeats)},
    {"simulated_time_sd_s", COLUMN_DOUBLE, offsetof(struct run_spread, sd_s)},
    {"simulated_time_ci95_low_s", COLUMN_DOUBLE, offsetof(struct run_spread, low_s)},
    {"simulated_time_ci95_high_s", COLUMN_DOUBLE, offsetof(struct run_spread, high_s)},
    {.name = NULL},
};

static const struct column MOVES[] = {
    {"moved_ranks", COLUMN_U64, offsetof(struct run_result, moved)},
    {.name = NULL},
};

static const struct column NETWORK_SPREADS[] = {
    {"repeats", COLUMN_U64, offsetof(struct run_spread, repeats)},
    {"makespan_sd_s", COLUMN_DOUBLE, offsetof(struct run_spread, sd_s)},
    {"makespan_ci95_low_s", COLUMN_DOUBLE, offsetof(struct run_spread, low_s)},
    {"makespan_ci95_high_s", COLUMN_DOUBLE, offsetof(struct run_spread, high_s)},
    {.name = NULL},
};

static const struct column SCHEDULINGS[] = {
    {"scheduling_s", COLUMN_DOUBLE, offsetof(struct run_result, net.scheduling_s)},
    {.name = NULL},
};

static const struct {
  const struct column *table;
  size_t offset; /* of the group's struct in struct run_result */
  bool measured; /* measured by a clock */
  bool mean;     /* for several runs, the means are taken */
} GROUP[RUN_GROUPS] = {
    [RUN_SIM] = {.table = sim_columns, .offset = offsetof(struct run_result, sim), .mean = true},
    [RUN_METRICS] = {.table = metrics_columns, .offset = offsetof(struct run_result, metrics)},
    [RUN_MOVES] = {.table = MOVES, .offset = 0},
    [RUN_NETWORK] = {.table = tasknets_columns,
                     .offset = offsetof(struct run_result, net),
                     .mean = true},
    [RUN_LOAD] = {.table = sim_load_columns,
                  .offset = offsetof(struct run_result, sim),
                  .mean = true},
    [RUN_OVERLAY] = {.table = sim_overlay_columns,
                     .offset = offsetof(struct run_result, sim),
                     .mean = true},
    [RUN_SPREAD] = {.table = SPREADS, .offset = offsetof(struct run_result, spread)},
    [RUN_NETWORK_SPREAD] = {.table = NETWORK_SPREADS,
                            .offset = offsetof(struct run_result, spread)},
    [RUN_TIMING] = {.table = TIMINGS, .offset = 0, .measured = true},
    [RUN_SCHEDULING] = {.table = SCHEDULINGS, .offset = 0, .measured = true}};

static const char *const EXTRA[RUN_EXTRAS] = {"links_sha256", "matrix_sha256"};

static const char *const STATUS[] = {"ok", "failed", "timeout"};

const char *run_extra_suffix(enum run_extra extra)
{
  static const char *const SUFFIX[RUN_EXTRAS] = {".links.tsv", ".matrix.tsv"};
  return SUFFIX[extra];
}

void run_result_fail(struct run_result *r, const char *reason, uint64_t unpack_limit)
{
  *r = (struct run_result){.status = RUN_FAILED, .unpack_limit = unpack_limit};
  snprintf(r->reason, sizeof r->reason, "%s", reason);
}

double run_result_time(const struct run_result *r)
{
  if ((r->groups & RUN_BIT(RUN_NETWORK)) != 0)
    return r->net.makespan_s;
  const unsigned groups = r->groups & (RUN_BIT(RUN_SIM) | RUN_BIT(RUN_METRICS));
  return groups == RUN_BIT(RUN_METRICS) ? r->metrics.estimated_time_s : r->sim.simulated_time_s;
}

bool run_result_has_column(const char *name)
{
  for (int g = 0; g < RUN_GROUPS; g++)
    for (const struct column *c = GROUP[g].table; c->name != NULL; c++)
      if (strcmp(c->name, name) == 0)
        return true;
  return strcmp(name, "status") == 0;
}

/* True if the result has values of the group.  Runs that are not ok have only times. */
static bool has(const struct run_result *r, int group)
{
  return group == RUN_TIMING || (r->status == RUN_OK && (r->groups & RUN_BIT(group)) != 0);
}

static void print_value(const struct run_result *r, int group, const struct column *c, FILE *f)
{
  const char *record = (const char *)r + GROUP[group].offset;
  if (!has(r, group))
    fputc('-', f);
  else if (GROUP[group].measured && c->type == COLUMN_DOUBLE)
    fprintf(f, "%.6f", *(const double *)(record + c->offset));
  else
    column_print(c, record, f);
}

/* Prints the values of the groups; if @p r is NULL, the names of their columns. */
static void print_columns(const struct run_result *r, unsigned groups, FILE *f)
{
  for (int g = 0; g < RUN_GROUPS; g++)
    for (const struct column *c = GROUP[g].table; (groups & RUN_BIT(g)) != 0 && c->name != NULL;
         c++) {
      fputc('\t', f);
      if (r == NULL)
        fputs(c->name, f);
      else
        print_value(r, g, c, f);
    }
}

/* Control characters become spaces, so that the reason stays one field of one line. */
void run_result_print_reason(const struct run_result *r, FILE *f)
{
  if (r->status == RUN_OK)
    fputc('-', f);
  for (const char *p = r->status == RUN_OK ? "" : r->reason; *p != '\0'; p++)
    fputc((unsigned char)*p < ' ' || *p == 127 ? ' ' : *p, f);
}

void run_result_print_header(unsigned groups, FILE *f)
{
  fputs("status", f);
  print_columns(NULL, groups, f);
}

void run_result_print_values(const struct run_result *r, unsigned groups, FILE *f)
{
  fputs(STATUS[r->status], f);
  print_columns(r, groups, f);
}

/* --- several runs ----------------------------------------------------------------------------- */

static void take_means(struct run_result *out, const struct run_result *r, size_t n, int group)
{
  const size_t at = GROUP[group].offset;
  for (const struct column *c = GROUP[group].table; c->name != NULL; c++) {
    const double first = column_value(c, (const char *)&r[0] + at);
    double apart = 0; /* sum of the deviations from it: the mean of equal values is exact */
    for (size_t i = 1; i < n; i++)
      apart += column_value(c, (const char *)&r[i] + at) - first;
    column_set(c, (char *)out + at, first + apart / (double)n);
  }
}

static struct run_spread spread_of(const struct run_result *r, size_t n, double mean)
{
  struct sample s = {.n = n, .mean = mean};
  for (size_t i = 0; i < n; i++) {
    const double apart = run_result_time(&r[i]) - mean;
    s.sd += apart * apart / (double)(n - 1);
  }
  s.sd = sqrt(s.sd);
  const double half = sample_half_interval(&s);
  return (struct run_spread){
      .repeats = n, .sd_s = s.sd, .low_s = fmax(mean - half, 0), .high_s = mean + half};
}

void run_result_mean(struct run_result *out, const struct run_result *r, size_t n,
                     enum run_group spread)
{
  for (size_t i = 0; i < n; i++)
    if (r[i].status != RUN_OK) {
      *out = r[i];
      return;
    }
  *out = r[0];
  if (n == 1)
    return;
  for (int g = 0; g < RUN_GROUPS; g++)
    if (GROUP[g].mean)
      take_means(out, r, n, g);
  out->spread = spread_of(r, n, run_result_time(out));
  out->groups |= RUN_BIT(spread);
}

void run_result_print_failure(const struct run_result *r, FILE *f)
{
  fprintf(f, "%s: ", STATUS[r->status]);
  run_result_print_reason(r, f);
}

void run_result_save(const struct run_result *r, FILE *f)
{
  if (r->status == RUN_TIMEOUT) {
    fputs("timeout_s\t", f);
    report_number(f, r->timeout_s);
    fputc('\n', f);
  }
  if (r->status == RUN_FAILED)
    fprintf(f, "unpack_limit_bytes\t%" PRIu64 "\n", r->unpack_limit);
  for (int g = 0; g < RUN_GROUPS; g++)
    for (const struct column *c = GROUP[g].table; has(r, g) && c->name != NULL; c++) {
      fprintf(f, "%s\t", c->name);
      print_value(r, g, c, f);
      fputc('\n', f);
    }
  for (size_t i = 0; i < RUN_EXTRAS; i++)
    if (r->status == RUN_OK && r->extra[i][0] != '\0')
      fprintf(f, "%s\t%s\n", EXTRA[i], r->extra[i]);
  if (r->status != RUN_OK) {
    fputs("reason\t", f);
    run_result_print_reason(r, f);
    fputc('\n', f);
  }
  fprintf(f, "status\t%s\n", STATUS[r->status]);
}

static enum status load_status(struct run_result *r, const char *text, struct err *e)
{
  for (size_t i = 0; i < sizeof STATUS / sizeof *STATUS; i++)
    if (strcmp(STATUS[i], text) == 0) {
      r->status = (enum run_status)i;
      return OK;
    }
  return err_set(e, "unknown status '%.64s'", text);
}

static enum status load_value(struct run_result *r, const char *name, const char *text,
                              struct err *e)
{
  for (int g = 0; g < RUN_GROUPS; g++)
    for (const struct column *c = GROUP[g].table; c->name != NULL; c++)
      if (strcmp(c->name, name) == 0) {
        r->groups |= RUN_BIT(g);
        return column_read(c, (char *)r + GROUP[g].offset, text, e);
      }
  return err_set(e, "unknown value '%.64s'", name);
}

enum status run_result_load(struct run_result *r, char *line, struct err *e)
{
  char *text = strchr(line, '\t');
  if (text == NULL)
    return err_set(e, "expected NAME, a tab and VALUE, not '%.64s'", line);
  *text++ = '\0';
  if (strcmp(line, "status") == 0)
    return load_status(r, text, e);
  if (strcmp(line, "timeout_s") == 0)
    return num_double(text, 0, DBL_MAX, &r->timeout_s, e);
  if (strcmp(line, "unpack_limit_bytes") == 0)
    return num_u64(text, UINT64_MAX, &r->unpack_limit, e);
  if (strcmp(line, "reason") == 0) {
    snprintf(r->reason, sizeof r->reason, "%s", text);
    return OK;
  }
  for (size_t i = 0; i < RUN_EXTRAS; i++)
    if (strcmp(line, EXTRA[i]) == 0) {
      snprintf(r->extra[i], sizeof r->extra[i], "%s", text);
      return OK;
    }
  return load_value(r, line, text, e);
}

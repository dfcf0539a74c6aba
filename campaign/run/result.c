#include "campaign/run/result.h"

#include <float.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "common/num.h"
#include "common/report.h"

enum type { U64, U32, DOUBLE };
enum group { RESULT, METRIC, TIMING };

struct column {
  const char *name;
  enum group group;
  enum type type;
  size_t offset;
};

#define AT(FIELD) offsetof(struct run_result, FIELD)

static const struct column COLUMNS[] = {
    {"simulated_time_s", RESULT, DOUBLE, AT(sim.simulated_time_s)},
    {"communication_time_mean_s", RESULT, DOUBLE, AT(sim.communication_time_mean_s)},
    {"communication_time_max_s", RESULT, DOUBLE, AT(sim.communication_time_max_s)},
    {"messages", RESULT, U64, AT(sim.messages)},
    {"bytes", RESULT, U64, AT(sim.bytes)},
    {"hop_bytes", METRIC, U64, AT(metrics.hop_bytes)},
    {"dilation_mean_hops", METRIC, DOUBLE, AT(metrics.dilation_mean)},
    {"dilation_max_hops", METRIC, U32, AT(metrics.dilation_max)},
    {"max_link_load_bytes", METRIC, U64, AT(metrics.max_link_load_bytes)},
    {"mean_link_load_bytes", METRIC, DOUBLE, AT(metrics.mean_link_load_bytes)},
    {"cardinality", METRIC, U64, AT(metrics.cardinality)},
    {"wall_s", TIMING, DOUBLE, AT(wall_s)},
    {"cpu_s", TIMING, DOUBLE, AT(cpu_s)},
    {"max_rss_bytes", TIMING, U64, AT(max_rss_bytes)},
};

#define COLUMN_COUNT (sizeof COLUMNS / sizeof *COLUMNS)

static const char *const EXTRA[RUN_EXTRAS] = {"links_sha256", "matrix_sha256"};

static const char *const STATUS[] = {"ok", "failed", "timeout"};

void run_result_fail(struct run_result *r, const char *reason, uint64_t unpack_limit)
{
  *r = (struct run_result){.status = RUN_FAILED, .unpack_limit = unpack_limit};
  snprintf(r->reason, sizeof r->reason, "%s", reason);
}

static bool has(const struct run_result *r, const struct column *c)
{
  return c->group == TIMING || (r->status == RUN_OK && (c->group == RESULT || r->scored));
}

static void print_value(const struct run_result *r, const struct column *c, FILE *f)
{
  const void *value = (const char *)r + c->offset;
  if (!has(r, c))
    fputc('-', f);
  else if (c->group == TIMING && c->type == DOUBLE)
    fprintf(f, "%.6f", *(const double *)value);
  else if (c->type == DOUBLE)
    report_number(f, *(const double *)value);
  else
    fprintf(f, "%" PRIu64, c->type == U64 ? *(const uint64_t *)value : *(const uint32_t *)value);
}

/* One line, whatever the sentence has. */
static void print_reason(const struct run_result *r, FILE *f)
{
  if (r->status == RUN_OK)
    fputc('-', f);
  for (const char *p = r->status == RUN_OK ? "" : r->reason; *p != '\0'; p++)
    fputc((unsigned char)*p < ' ' || *p == 127 ? ' ' : *p, f);
}

void run_result_print_header(FILE *f)
{
  fputs("status", f);
  for (size_t i = 0; i < COLUMN_COUNT; i++)
    if (COLUMNS[i].group != TIMING)
      fprintf(f, "\t%s", COLUMNS[i].name);
  fputs("\treason", f);
}

void run_result_print_row(const struct run_result *r, FILE *f)
{
  fputs(STATUS[r->status], f);
  for (size_t i = 0; i < COLUMN_COUNT; i++)
    if (COLUMNS[i].group != TIMING) {
      fputc('\t', f);
      print_value(r, &COLUMNS[i], f);
    }
  fputc('\t', f);
  print_reason(r, f);
}

void run_result_print_failure(const struct run_result *r, FILE *f)
{
  fprintf(f, "%s: ", STATUS[r->status]);
  print_reason(r, f);
}

void run_result_print_timing_header(FILE *f)
{
  fputs("status", f);
  for (size_t i = 0; i < COLUMN_COUNT; i++)
    if (COLUMNS[i].group == TIMING)
      fprintf(f, "\t%s", COLUMNS[i].name);
}

void run_result_print_timing(const struct run_result *r, FILE *f)
{
  fputs(STATUS[r->status], f);
  for (size_t i = 0; i < COLUMN_COUNT; i++)
    if (COLUMNS[i].group == TIMING) {
      fputc('\t', f);
      print_value(r, &COLUMNS[i], f);
    }
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
  for (size_t i = 0; i < COLUMN_COUNT; i++) {
    if (!has(r, &COLUMNS[i]))
      continue;
    fprintf(f, "%s\t", COLUMNS[i].name);
    print_value(r, &COLUMNS[i], f);
    fputc('\n', f);
  }
  for (size_t i = 0; i < RUN_EXTRAS; i++)
    if (r->status == RUN_OK && r->extra[i][0] != '\0')
      fprintf(f, "%s\t%s\n", EXTRA[i], r->extra[i]);
  if (r->status != RUN_OK) {
    fputs("reason\t", f);
    print_reason(r, f);
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

static enum status load_value(struct run_result *r, const struct column *c, const char *text,
                              struct err *e)
{
  void *value = (char *)r + c->offset;
  r->scored |= c->group == METRIC;
  if (c->type == DOUBLE)
    return num_double(text, 0, DBL_MAX, value, e);
  if (c->type == U64)
    return num_u64(text, UINT64_MAX, value, e);
  uint64_t wide;
  if (num_u64(text, UINT32_MAX, &wide, e) != OK)
    return FAIL;
  *(uint32_t *)value = (uint32_t)wide;
  return OK;
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
  for (size_t i = 0; i < COLUMN_COUNT; i++)
    if (strcmp(COLUMNS[i].name, line) == 0)
      return load_value(r, &COLUMNS[i], text, e);
  return err_set(e, "unknown value '%.64s'", line);
}

#include <inttypes.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/predict/predict.h"
#include "common/files/outfile.h"

static void print_ranks(const struct estimate *x, FILE *f)
{
  fputs("rank\tcomputation_s\tcommunication_s\ttotal_s\thalf_interval_s\t"
        "computation_per_communication",
        f);
  fputs(x->measured ? "\tmeasured_s\terror\n" : "\n", f);
  for (uint32_t i = 0; i < x->ranks; i++) {
    const struct rank_estimate *r = &x->rank[i];
    fprintf(f, "%" PRIu32 "\t%.9g\t%.9g\t%.9g\t%.3g", i, r->computation, r->communication, r->total,
            r->half);
    if (r->communication > 0)
      fprintf(f, "\t%.6g", r->computation / r->communication);
    else
      fputs("\t-", f);
    if (x->measured)
      fprintf(f, "\t%.9g\t%.5f", r->measured, r->total / r->measured - 1);
    fputc('\n', f);
  }
}

static void print_blocks(const struct estimate *x, FILE *f)
{
  fputs(
      "rank\tblock\tkind\tfunction\tfile\tline\tlast_line\tcall\tcount\ttimed\tunsettled\tmean_s\t"
      "time_s\n",
      f);
  for (uint32_t r = 0; r < x->ranks; r++)
    for (uint32_t i = 0; i < x->table.count; i++) {
      const struct block_row *row = &x->table.row[i];
      const struct block_estimate *b = &x->block[(size_t)r * x->table.count + i];
      if (b->count == 0 && b->executions == 0)
        continue;
      fprintf(f, "%" PRIu32 "\t%" PRIu32 "\t%s\t%s\t%s\t%" PRIu32 "\t%" PRIu32 "\t%s\t", r, i,
              row->communication ? "communication" : "computation", row->function, row->file,
              row->line, row->last_line, row->call);
      fprintf(f, "%" PRIu64 "\t%" PRIu64 "\t", b->count, b->executions);
      fprintf(f, b->never ? "never" : "%" PRIu64, b->start);
      fprintf(f, "\t%.9g\t%.9g\n", b->mean, b->time);
    }
}

static enum status write_table(const char *path, const struct estimate *x,
                               void (*print)(const struct estimate *, FILE *), struct err *e)
{
  struct outfile o;
  if (path == NULL)
    return OK;
  if (outfile_open(&o, path, e) != OK)
    return FAIL;
  print(x, o.f);
  return outfile_commit(&o, e);
}

static void print_summary(const struct estimate *x, const struct estimate_method *method,
                          const struct report_format *format, FILE *f)
{
  struct report r;
  report_begin(&r, f, format);
  report_text(&r, "method", method->name);
  report_u64(&r, "ranks", x->ranks);
  report_double(&r, "predicted_time_s", x->rank[x->slowest].total);
  report_double(&r, "half_interval_s", x->rank[x->slowest].half);
  report_u64(&r, "slowest_rank", x->slowest);
  report_double(&r, "computation_s", x->rank[x->slowest].computation);
  report_double(&r, "communication_s", x->rank[x->slowest].communication);
  report_u64(&r, "executions", x->counted);
  report_u64(&r, "executions_timed", x->timed);
  report_u64(&r, "series_never_settled", x->unsettled);
  report_u64(&r, "blocks_untimed", x->untimed);
  report_u64(&r, "blocks_timed_once", x->single);
  if (x->measured) {
    report_double(&r, "error", estimate_error(x));
    report_double(&r, "worst_rank_error", estimate_worst(x));
  }
  report_end(&r);
}

enum status predict_blocks(const struct predict_args *a, struct err *e)
{
  struct estimate x;
  const struct estimate_method *method =
      a->method != NULL ? a->method : registry_at(&estimate_methods, 0);
  if (estimate_load(&x, a->folder, method, e) != OK)
    return FAIL;
  const enum status s = write_table(a->per_rank, &x, print_ranks, e) == OK
                            ? write_table(a->per_block, &x, print_blocks, e)
                            : FAIL;
  if (s == OK)
    print_summary(&x, method, a->format,
                  cli_report_stream((const char *const[]){a->per_rank, a->per_block}, 2));
  estimate_clear(&x);
  return s;
}

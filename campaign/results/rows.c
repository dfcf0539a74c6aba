#include "campaign/results/rows.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "campaign/results/provenance.h"
#include "common/files/outfile.h"
#include "common/files/textout.h"
#include "common/mem.h"
#include "common/report.h"

struct table {
  char *path;
  FILE *f;
};

struct rows {
  const struct plan *plan;
  const struct audit *audit;
  struct table results, timings, repeats; /* `repeats` is open only if runs are repeated */
  size_t next;                            /* the first run of the next row to write */
};

static enum status open_table(struct table *t, const char *folder, const char *name, struct err *e)
{
  t->path = mem_printf(e, "%s/%s", folder, name);
  if (t->path == NULL || outfile_check_plain(t->path, e) != OK)
    return FAIL;
  t->f = fopen(t->path, "we");
  return t->f == NULL ? err_errno(e, t->path, "cannot write") : OK;
}

static enum status flush_table(const struct table *t, struct err *e)
{
  return outfile_flush(t->f, t->path, e);
}

static enum status flush_all(const struct rows *r, struct err *e)
{
  if (flush_table(&r->results, e) != OK || flush_table(&r->timings, e) != OK)
    return FAIL;
  return r->repeats.f == NULL ? OK : flush_table(&r->repeats, e);
}

/* Groups of columns of results.tsv. */
static unsigned groups_of(const struct plan *p)
{
  return p->groups | (p->repeats > 1 ? RUN_BIT(p->kind->spread) : 0);
}

/* Prints the headers of the columns that identify a run. */
static void print_names(const struct plan *p, FILE *f)
{
  plan_print_columns(p, f);
  fprintf(f, "%s\t%s", p->kind->method, p->kind->seeds ? "seed\t" : "");
}

static void print_columns(unsigned groups, FILE *f)
{
  run_result_print_header(groups, f);
  fputs("\treason", f);
}

static void print_headers(const struct rows *r)
{
  const struct plan *p = r->plan;
  const bool several = p->repeats > 1;
  print_names(p, r->results.f);
  print_columns(groups_of(p), r->results.f);
  fputs(r->audit->count > 0 ? "\taudit_difference\n" : "\n", r->results.f);
  print_names(p, r->timings.f);
  fputs(several ? "repetition\t" : "", r->timings.f);
  run_result_print_header(p->kind->timings, r->timings.f);
  fputs("\n", r->timings.f);
  if (!several)
    return;
  print_names(p, r->repeats.f);
  fputs("repetition\t", r->repeats.f);
  print_columns(p->groups, r->repeats.f);
  fputs("\n", r->repeats.f);
}

static enum status print_heads(struct rows *r, struct err *e)
{
  struct textout out;
  if (textout_begin(&out, e) != OK)
    return FAIL;
  plan_print(r->plan, out.f);
  if (r->audit->count > 0)
    fprintf(out.f, "audit of %" PRIu64 " runs, seed %" PRIu64 ", %s\n", r->audit->wanted,
            r->audit->seed, r->audit->options);
  char *text = textout_end(&out, OK, e);
  if (text == NULL)
    return FAIL;
  provenance_print_lines(text, r->results.f);
  free(text);
  print_headers(r);
  return flush_all(r, e);
}

/* Removes the tables that an earlier campaign made from other rows. */
static enum status remove_derived(const char *folder, struct err *e)
{
  static const char *const DERIVED[] = {"summary.tsv", "differences.tsv", "explained.tsv"};
  for (size_t i = 0; i < sizeof DERIVED / sizeof *DERIVED; i++) {
    OWNED char *path = mem_printf(e, "%s/%s", folder, DERIVED[i]);
    if (path == NULL)
      return FAIL;
    if (unlink(path) != 0 && errno != ENOENT)
      return err_errno(e, path, "cannot remove");
  }
  return OK;
}

enum status rows_open(struct rows **out, const struct plan *p, const struct audit *a,
                      const char *folder, struct err *e)
{
  struct rows *r = mem_array(1, sizeof *r, e);
  if (r == NULL)
    return FAIL;
  r->plan = p;
  r->audit = a;
  /* results.tsv last: it stays if another file cannot be opened. */
  if (open_table(&r->timings, folder, "timings.tsv", e) != OK ||
      (p->repeats > 1 && open_table(&r->repeats, folder, "repeats.tsv", e) != OK) ||
      open_table(&r->results, folder, "results.tsv", e) != OK || remove_derived(folder, e) != OK ||
      print_heads(r, e) != OK) {
    rows_free(r);
    return FAIL;
  }
  *out = r;
  return OK;
}

static void close_table(struct table *t)
{
  if (t->f != NULL)
    fclose(t->f);
  free(t->path);
}

void rows_free(struct rows *r)
{
  if (r == NULL)
    return;
  close_table(&r->results);
  close_table(&r->timings);
  close_table(&r->repeats);
  free(r);
}

/* Prints the columns that identify the run. */
static void print_name(const struct rows *r, const struct plan_run *run, FILE *f)
{
  plan_print_subject(r->plan, run->subject, f);
  fprintf(f, "%s\t", r->plan->method[run->method].label);
  if (run->seeded)
    fprintf(f, "%" PRIu64 "\t", run->seed);
  else
    fputs(r->plan->kind->seeds ? "-\t" : "", f);
}

static void print_result(const struct run_result *r, unsigned groups, FILE *f)
{
  run_result_print_values(r, groups, f);
  fputc('\t', f);
  run_result_print_reason(r, f);
}

static void print_audit(const struct run_result *r, const struct run_result *reference, FILE *f)
{
  if (reference->status != RUN_OK)
    run_result_print_failure(reference, f);
  else if (r->status != RUN_OK)
    fputc('-', f);
  else
    report_number(f, audit_difference(r, reference));
}

/* Prints the audit of the first audited run of the next row. */
static void print_audits(const struct rows *r, const struct run_result *result)
{
  size_t run = r->next;
  const size_t end = r->next + r->plan->repeats;
  while (run < end && audit_find(r->audit, run) == r->audit->count)
    run++;
  fputc('\t', r->results.f);
  if (run == end)
    fputc('-', r->results.f);
  else
    print_audit(&result[run], &result[r->plan->runs + audit_find(r->audit, run)], r->results.f);
}

/* True if the runs of the next row and their audits are done. */
static bool is_ready(const struct rows *r, const bool *done)
{
  for (size_t run = r->next; run < r->next + r->plan->repeats; run++) {
    const size_t i = audit_find(r->audit, run);
    if (!done[run] || (i < r->audit->count && !done[r->plan->runs + i]))
      return false;
  }
  return true;
}

static void print_run(const struct rows *r, size_t run, const struct run_result *result)
{
  const struct plan_run *x = &r->plan->run[run];
  print_name(r, x, r->timings.f);
  if (r->plan->repeats > 1)
    fprintf(r->timings.f, "%" PRIu32 "\t", x->repeat);
  run_result_print_values(result, r->plan->kind->timings, r->timings.f);
  fputc('\n', r->timings.f);
  if (r->plan->repeats == 1)
    return;
  print_name(r, x, r->repeats.f);
  fprintf(r->repeats.f, "%" PRIu32 "\t", x->repeat);
  print_result(result, r->plan->groups, r->repeats.f);
  fputc('\n', r->repeats.f);
}

enum status rows_flush(struct rows *r, const bool *done, const struct run_result *result,
                       struct err *e)
{
  const uint32_t each = r->plan->repeats;
  for (; r->next < r->plan->runs && is_ready(r, done); r->next += each) {
    struct run_result mean;
    print_name(r, &r->plan->run[r->next], r->results.f);
    run_result_mean(&mean, &result[r->next], each, r->plan->kind->spread);
    print_result(&mean, groups_of(r->plan), r->results.f);
    if (r->audit->count > 0)
      print_audits(r, result);
    fputc('\n', r->results.f);
    for (size_t run = r->next; run < r->next + each; run++)
      print_run(r, run, &result[run]);
  }
  return flush_all(r, e);
}

enum status rows_close(struct rows *r, struct err *e)
{
  const size_t each = r->plan->repeats, rows = r->plan->runs / each;
  if (r->next < r->plan->runs)
    return err_set(e, "%s: %zu of %zu rows are missing", r->results.path, rows - r->next / each,
                   rows);
  return flush_all(r, e);
}

/* compare --explain: explains why the fastest mapping of a trace is faster than the baseline. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "campaign/results/results.h"
#include "campaign/run/store.h"
#include "cli/compare/compare.h"
#include "cli/explain/sides.h"
#include "common/files/memfile.h"
#include "common/files/outfile.h"
#include "common/mem.h"

/* The runs of a plan with their times. */
struct times {
  const struct plan *plan;
  const char *folder;
  double *time; /* by run, in s; NAN: the run failed */
};

static bool is_ok(const struct plan *p, const bool *ok, size_t run)
{
  for (uint32_t k = 0; k < p->repeats; k++)
    if (!ok[run + k])
      return false;
  return true;
}

/* The rows of results.tsv are in the order of the plan, one row for all repetitions of a run.
 * results_load() reads only rows with status ok. */
static enum status read_times(struct times *t, const char *folder, const bool *ok, struct err *e)
{
  static const char *const TIME[] = {"simulated_time_s", NULL};
  OWNED char *path = mem_printf(e, "%s/results.tsv", folder);
  struct results r;
  size_t row = 0;
  if (path == NULL || results_load(&r, path, NULL, TIME, e) != OK)
    return FAIL;
  for (size_t i = 0; i < t->plan->runs; i++)
    t->time[i] = NAN;
  for (size_t i = 0; i < t->plan->runs; i += t->plan->repeats)
    if (is_ok(t->plan, ok, i) && row < r.rows)
      t->time[i] = r.row[row++].value[0];
  const enum status s = row == r.rows ? OK : err_set(e, "%s: rows of other runs", path);
  results_clear(&r);
  return s;
}

/* The fastest run of a subject under one method, or under all methods if @p method is the number of
 * methods.  Returns the number of runs if all of these runs failed. */
static size_t fastest(const struct times *t, size_t subject, size_t method)
{
  const struct plan *p = t->plan;
  size_t best = p->runs;
  for (size_t i = 0; i < p->runs; i++)
    if (p->run[i].subject == subject && !isnan(t->time[i]) &&
        (method == p->methods || p->run[i].method == method) &&
        (best == p->runs || t->time[i] < t->time[best]))
      best = i;
  return best;
}

/* Prints the lines of the text as fields of a row. */
static void print_fields(FILE *text, FILE *f)
{
  enum { LINES = 5 };
  char line[4096];
  rewind(text);
  for (int i = 0; i < LINES; i++) {
    const bool more = fgets(line, sizeof line, text) != NULL;
    line[more ? strcspn(line, "\n") : 0] = '\0';
    fprintf(f, "\t%s", *line == '\0' ? "-" : line);
  }
  fputc('\n', f);
}

/* Explains two runs of a subject, and writes their critical paths and the use of links. */
static enum status explain_runs(const struct times *t, size_t subject, const size_t run[2],
                                FILE *text, struct err *e)
{
  const struct plan *p = t->plan;
  const struct machine *m = plan_machine(p, subject);
  OWNED char *usual = mem_printf(e, "%s/critical-path-%zu-baseline.csv", t->folder, subject + 1);
  OWNED char *best = mem_printf(e, "%s/critical-path-%zu-fastest.csv", t->folder, subject + 1);
  OWNED char *usual_use = mem_printf(e, "%s/links-%zu-baseline.csv", t->folder, subject + 1);
  OWNED char *best_use = mem_printf(e, "%s/links-%zu-fastest.csv", t->folder, subject + 1);
  if (usual == NULL || best == NULL || usual_use == NULL || best_use == NULL)
    return FAIL;
  const struct sides_args a = {.platform = m->on,
                               .settings = &m->settings,
                               .trace = p->subject[subject].file.name,
                               .mapping = {p->run[run[0]].spec, p->run[run[1]].spec},
                               .path = {usual, best},
                               .use = {usual_use, best_use},
                               .top = 10,
                               .blocked = stderr};
  return sides_explain(&a, text, NULL, e);
}

static enum status explain_subject(const struct times *t, size_t subject, size_t baseline, FILE *f,
                                   struct err *e)
{
  const struct plan *p = t->plan;
  const size_t run[2] = {fastest(t, subject, baseline), fastest(t, subject, p->methods)};
  struct memfile text = {0};
  if (run[0] == p->runs)
    return OK;
  if (memfile_open(&text, "explanation", e) != OK)
    return FAIL;
  const enum status s = run[0] == run[1] ? OK : explain_runs(t, subject, run, text.f, e);
  if (s == OK) {
    if (run[0] == run[1])
      fputs("The baseline is the fastest.\n", text.f);
    plan_print_subject(p, subject, f);
    fprintf(f, "%s\t%s", p->run[run[0]].spec, p->run[run[1]].spec);
    print_fields(text.f, f);
  }
  memfile_close(&text);
  return s;
}

static enum status write_all(const struct times *t, const char *baseline, FILE *f, struct err *e)
{
  const size_t method = plan_find_method(t->plan, baseline);
  plan_print_columns(t->plan, f);
  fputs("baseline\tfastest\twhy\tfurther\tslower\tfaster\tremedy\n", f);
  for (size_t i = 0; i < t->plan->subjects; i++)
    if (explain_subject(t, i, method, f, e) != OK)
      return FAIL;
  return OK;
}

/* Removes the timelines that an earlier command left in the folder. */
static enum status clear_old(const struct plan *p, const char *folder, struct err *e)
{
  for (size_t i = 0; i < p->subjects; i++)
    for (size_t k = 0; k < 4; k++) {
      OWNED char *path =
          mem_printf(e, "%s/%s-%zu-%s.csv", folder, k < 2 ? "critical-path" : "links", i + 1,
                     k % 2 == 0 ? "baseline" : "fastest");
      if (path == NULL || run_store_make_room(path, e) != OK)
        return FAIL;
    }
  return OK;
}

enum status compare_explain(const struct compare_args *a, const struct campaign_args *c,
                            const bool *ok, struct err *e)
{
  OWNED double *time = mem_array(c->plan->runs, sizeof *time, e);
  OWNED char *path = mem_printf(e, "%s/explained.tsv", a->output);
  struct times t = {.plan = c->plan, .folder = a->output, .time = time};
  struct outfile out = {0};
  if (path == NULL || clear_old(c->plan, a->output, e) != OK || run_store_make_room(path, e) != OK)
    return FAIL;
  if (!a->explain)
    return OK;
  if (time == NULL || read_times(&t, a->output, ok, e) != OK || outfile_open(&out, path, e) != OK)
    return FAIL;
  enum status s = write_all(&t, a->baseline, out.f, e);
  if (s == OK)
    s = outfile_commit(&out, e);
  outfile_abandon(&out);
  if (s == OK)
    printf("%s\n", path);
  return s;
}

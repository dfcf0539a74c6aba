#include "plots/report/overall_part.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "campaign/ranking.h"
#include "common/mem.h"
#include "common/num.h"
#include "common/stats.h"
#include "plots/report/sheet_part.h"
#include "plots/report/text.h"

/* The times of summary.tsv: a block is a trace of a folder. */
struct times {
  struct names mapper, block;
  double *time; /* by block, then mapper */
  size_t folders;
};

/* --- reading ---------------------------------------------------------------------------------- */

enum { TRACE, MAPPER, TIME, COLUMNS };

/* Is there no later folder on the same platform? */
static bool is_last(const struct folder *f, size_t folders, size_t i)
{
  for (size_t k = i + 1; k < folders; k++)
    if (folder_same_platform(&f[i], &f[k]))
      return false;
  return true;
}

static bool find_columns(const struct sheet *s, size_t *column)
{
  static const char *const NAMES[COLUMNS] = {"trace", "mapper", "simulated_time_s"};
  bool all = true;
  for (int i = 0; i < COLUMNS; i++)
    all = (column[i] = sheet_column(s, NAMES[i])) < s->columns && all;
  return all;
}

/* Visits the rows of a summary; the first time, with t->time NULL, to count blocks and mappers. */
static enum status visit(struct times *t, const struct folder *f, const size_t *column,
                         struct err *e)
{
  const struct sheet *s = &f->table[FOLDER_SUMMARY];
  struct err unused;
  for (size_t i = 0; i < s->rows; i++) {
    uint32_t block, mapper;
    double time;
    const char *trace = sheet_text(s, i, column[TRACE]);
    if (num_double(sheet_text(s, i, column[TIME]), 0, DBL_MAX, &time, &unused) != OK)
      continue; /* over all traces */
    char *name = text_print(e, "%s %s", f->id, trace);
    enum status status = name == NULL ? FAIL : names_add(&t->block, name, &block, e);
    free(name);
    if (status == OK)
      status = names_add(&t->mapper, sheet_text(s, i, column[MAPPER]), &mapper, e);
    if (status != OK)
      return FAIL;
    if (t->time != NULL && time > 0)
      t->time[(size_t)block * t->mapper.count + mapper] = time;
  }
  return OK;
}

static enum status visit_all(struct times *t, const struct folder *f, size_t folders, struct err *e)
{
  t->folders = 0;
  for (size_t i = 0; i < folders; i++) {
    size_t column[COLUMNS];
    if (!is_last(f, folders, i) || !find_columns(&f[i].table[FOLDER_SUMMARY], column))
      continue;
    t->folders++;
    if (visit(t, &f[i], column, e) != OK)
      return FAIL;
  }
  return OK;
}

static enum status read_times(struct times *t, const struct folder *f, size_t folders,
                              struct err *e)
{
  if (visit_all(t, f, folders, e) != OK)
    return FAIL;
  const size_t n = (size_t)t->block.count * t->mapper.count;
  if ((t->time = mem_array(n, sizeof *t->time, e)) == NULL)
    return FAIL;
  for (size_t i = 0; i < n; i++)
    t->time[i] = NAN;
  return visit_all(t, f, folders, e);
}

/* --- table ------------------------------------------------------------------------------------ */

/* The mappers that seem equal to that of a row, "-" if none; the caller's: free(). */
static char *list_equals(const struct ranking *r, const struct times *t, size_t row, struct err *e)
{
  char *text = NULL;
  size_t size, n = 0;
  FILE *f = open_memstream(&text, &size);
  if (f == NULL) {
    err_set(e, "out of memory");
    return NULL;
  }
  for (size_t i = 0; i < r->rows; i++)
    if (i != row && ranking_seem_equal(r, row, i))
      fprintf(f, "%s%s", n++ == 0 ? "" : " ", t->mapper.name[r->row[i].mapper]);
  fputs(n == 0 ? "-" : "", f);
  if (fclose(f) == 0)
    return text;
  free(text);
  err_set(e, "out of memory");
  return NULL;
}

static enum status add_row(struct sheet *s, const struct ranking *r, const struct times *t,
                           size_t i, struct err *e)
{
  const struct ranking_row *row = &r->row[i];
  char *rank = text_print(e, "%zu", i + 1), *relative = text_print(e, "%.6g", row->relative),
       *mean = text_print(e, "%.6g", row->mean_rank), *equals = list_equals(r, t, i, e);
  char *field[] = {rank, t->mapper.name[row->mapper], relative, mean, equals};
  const bool made = rank != NULL && relative != NULL && mean != NULL && equals != NULL;
  const enum status status = made ? sheet_add(s, field, e) : FAIL;
  free(rank);
  free(relative);
  free(mean);
  free(equals);
  return status;
}

static enum status show(struct page *p, const struct ranking *r, const struct times *t,
                        struct err *e)
{
  static const char *const NAMES[] = {
      "rank", "mapper", "relative_to_best", "mean_rank", "no_significant_difference_to", NULL};
  struct sheet s = {.rows = 0};
  char *note = text_print(
      e,
      "Over %u traces of %zu campaigns on different platforms: geometric means of the time "
      "relative to the best mapper's. Two-sided paired t-tests of the logarithms, Holm's "
      "correction; significant below %g.",
      t->block.count, t->folders, STATS_LEVEL);
  enum status status = note == NULL ? FAIL : sheet_new(&s, NAMES, e);
  for (size_t i = 0; status == OK && i < r->rows; i++)
    status = add_row(&s, r, t, i, e);
  if (status == OK) {
    const struct sheet_look look = {"overall", "ranking.tsv", "Ranking over all campaigns", note};
    page_add(p, page_root(p), "overall", sheet_part(p, &s, &look));
  }
  sheet_clear(&s);
  free(note);
  return status;
}

enum status overall_part_add(struct page *p, const struct folder *f, size_t folders, bool *added,
                             struct err *e)
{
  struct times t = {.folders = 0};
  struct ranking r = {.rows = 0};
  enum status s = read_times(&t, f, folders, e);
  if (s == OK)
    s = ranking_make(&r, t.time, t.block.count, t.mapper.count, e);
  *added = s == OK && t.folders > 1 && r.rows > 1;
  if (*added)
    s = show(p, &r, &t, e);
  ranking_clear(&r);
  names_clear(&t.mapper);
  names_clear(&t.block);
  free(t.time);
  return s;
}

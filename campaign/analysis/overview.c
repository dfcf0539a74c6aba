#include "campaign/analysis/overview.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/table.h"
#include "common/mem.h"

/* The columns that table_rows() hands over. */
enum { SUBJECT, METHOD, RANK, VALUES, RELATIVE, EQUALS, SECOND, COLUMNS };

struct line {
  char *subject, *method, *rank, *equals;
  uint64_t values; /* number of runs, or of subjects in a mean over all */
  double relative; /* time / time of the best method; NAN: the best takes no time */
};

struct overview {
  const struct kind *kind;
  struct line *line;
  size_t lines, room;
};

static void clear_line(struct line *l)
{
  free(l->subject);
  free(l->method);
  free(l->rank);
  free(l->equals);
}

static enum status take_row(void *state, const struct table *t, const size_t *column, struct err *e)
{
  struct overview *o = state;
  struct line l = {.subject = NULL};
  if (table_u64(t, column[VALUES], UINT64_MAX, &l.values, e) != OK ||
      table_number(t, column[RELATIVE], &l.relative, e) != OK)
    return FAIL;
  l.subject = mem_printf(e, "%s%s%s", t->field[column[SUBJECT]],
                         column[SECOND] == TABLE_NONE ? "" : ", ", table_text(t, column[SECOND]));
  if (l.subject == NULL || (l.method = mem_strdup(t->field[column[METHOD]], e)) == NULL ||
      (l.rank = mem_strdup(t->field[column[RANK]], e)) == NULL ||
      (l.equals = mem_strdup(t->field[column[EQUALS]], e)) == NULL ||
      MEM_GROW(o->line, o->room, o->lines + 1, e) != OK) {
    clear_line(&l);
    return FAIL;
  }
  o->line[o->lines++] = l;
  return OK;
}

static enum status read_summary(struct overview *o, const char *folder, struct err *e)
{
  const char *const names[COLUMNS + 1] = {o->kind->subject[0],
                                          o->kind->method,
                                          "rank",
                                          "values",
                                          "relative_to_best",
                                          "no_significant_difference_to",
                                          o->kind->subject[1]};
  char *path = mem_printf(e, "%s/summary.tsv", folder);
  const enum status s = path == NULL ? FAIL : table_read(path, '\t', names, take_row, o, e);
  free(path);
  return s;
}

/* True for lines of means over all subjects, which are the last lines. */
static bool is_mean(const struct line *l)
{
  return strcmp(l->subject, "*") == 0 || strcmp(l->subject, "*, *") == 0;
}

/* First line to show: the means, or the only subject; o->lines if there are neither. */
static size_t first_shown(const struct overview *o)
{
  size_t i = 0;
  while (i < o->lines && !is_mean(&o->line[i]))
    i++;
  const bool one = o->lines > 0 && strcmp(o->line[0].subject, o->line[o->lines - 1].subject) == 0;
  return i == o->lines && one ? 0 : i;
}

static int width_of(const struct overview *o, size_t first)
{
  size_t width = strlen(o->kind->method);
  for (size_t i = first; i < o->lines; i++)
    if (strlen(o->line[i].method) > width)
      width = strlen(o->line[i].method);
  return (int)(width < 60 ? width : 60);
}

static void print(const struct overview *o, size_t first, const char *baseline, FILE *f)
{
  const int width = width_of(o, first);
  const bool all = is_mean(&o->line[first]);
  double base = 0;
  for (size_t i = first; i < o->lines; i++)
    if (strcmp(o->line[i].method, baseline) == 0)
      base = o->line[i].relative;
  if (all)
    fprintf(f, "\ngeometric means over %" PRIu64 " %s\n", o->line[first].values, o->kind->name);
  else
    fprintf(f, "\n%s\n", o->line[first].subject);
  fprintf(f, "rank  %-*s  speedup over %s  no significant difference to\n", width, o->kind->method,
          baseline);
  for (size_t i = first; i < o->lines; i++) {
    const struct line *l = &o->line[i];
    fprintf(f, "%4s  %-*s  ", l->rank, width, l->method);
    if (base > 0 && l->relative > 0)
      fprintf(f, "%*.3f  ", (int)strlen("speedup over ") + (int)strlen(baseline),
              base / l->relative);
    else
      fprintf(f, "%*s  ", (int)strlen("speedup over ") + (int)strlen(baseline), "-");
    fprintf(f, "%s\n", l->equals);
  }
}

enum status overview_print(const struct kind *k, const char *folder, const char *baseline, FILE *f,
                           struct err *e)
{
  struct overview o = {.kind = k};
  const enum status s = read_summary(&o, folder, e);
  const size_t first = s == OK ? first_shown(&o) : o.lines;
  if (first < o.lines)
    print(&o, first, baseline, f);
  for (size_t i = 0; i < o.lines; i++)
    clear_line(&o.line[i]);
  free(o.line);
  return s;
}

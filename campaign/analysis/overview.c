#include "campaign/analysis/overview.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "campaign/plan/machine.h"
#include "common/files/table.h"
#include "common/mem.h"

/* Indices of the columns given to table_rows(). */
enum { SUBJECT, METHOD, RANK, VALUES, RELATIVE, EQUALS, SECOND, COLUMNS };

/* Machines after the first MOST_MACHINES are only in summary.tsv. */
enum { MOST_MACHINES = 8 };

struct line {
  char *machine; /* "" if the campaign has one machine; "*, ..." for all machines */
  char *subject, *method, *rank, *equals;
  uint64_t values; /* number of seeds or runs; in a row of means, of subjects */
  double relative; /* time / time of the best method; NAN: the best takes no time */
};

struct overview {
  const struct kind *kind;
  struct line *line;
  size_t lines, room;
};

static void clear_line(struct line *l)
{
  free(l->machine);
  free(l->subject);
  free(l->method);
  free(l->rank);
  free(l->equals);
}

static enum status take_row(void *state, const struct table *t, const size_t *column, struct err *e)
{
  struct overview *o = state;
  struct line l = {.subject = NULL};
  struct machine_columns machine;
  if (machine_columns_of(&machine, t, e) != OK ||
      table_u64(t, column[VALUES], UINT64_MAX, &l.values, e) != OK ||
      table_number(t, column[RELATIVE], &l.relative, e) != OK)
    return FAIL;
  l.subject = mem_printf(e, "%s%s%s", t->field[column[SUBJECT]],
                         column[SECOND] == TABLE_NONE ? "" : ", ", table_text(t, column[SECOND]));
  if (l.subject == NULL || (l.machine = machine_row_label(t, &machine, e)) == NULL ||
      (l.method = mem_strdup(t->field[column[METHOD]], e)) == NULL ||
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

static bool is_of_all_machines(const struct line *l)
{
  return strncmp(l->machine, "*", 1) == 0;
}

/* End of the lines with the machine and the subject of line @p i. */
static size_t end_of(const struct overview *o, size_t i)
{
  size_t end = i;
  while (end < o->lines && strcmp(o->line[end].machine, o->line[i].machine) == 0 &&
         strcmp(o->line[end].subject, o->line[i].subject) == 0)
    end++;
  return end;
}

/* True if the machine of line @p i has only the subject of this line. */
static bool is_only(const struct overview *o, size_t i)
{
  for (size_t k = 0; k < o->lines; k++)
    if (strcmp(o->line[k].machine, o->line[i].machine) == 0 &&
        strcmp(o->line[k].subject, o->line[i].subject) != 0)
      return false;
  return true;
}

static int width_of(const struct overview *o, size_t first, size_t end)
{
  size_t width = strlen(o->kind->method);
  for (size_t i = first; i < end; i++)
    if (strlen(o->line[i].method) > width)
      width = strlen(o->line[i].method);
  return (int)(width < 60 ? width : 60);
}

/* Prints "geometric means over 6 traces", "geometric means over 3 traces on torus:8x8", "cg on
 * torus:8x8", "geometric means over 6 pairs of platform and trace", or, for networks under loads,
 * "pairs of network and load" and "combinations of platform, network and load". */
static void print_title(const struct overview *o, const struct line *l, FILE *f)
{
  const bool all = is_of_all_machines(l), on = *l->machine != '\0' && !all;
  const char *first = o->kind->subject[0], *second = o->kind->subject[1];
  fputc('\n', f);
  if (!is_mean(l))
    fputs(l->subject, f);
  else if (all && second != NULL)
    fprintf(f, "geometric means over %" PRIu64 " combinations of platform, %s and %s", l->values,
            first, second);
  else if (all)
    fprintf(f, "geometric means over %" PRIu64 " pairs of platform and %s", l->values, first);
  else if (second != NULL)
    fprintf(f, "geometric means over %" PRIu64 " pairs of %s and %s", l->values, first, second);
  else
    fprintf(f, "geometric means over %" PRIu64 " %s", l->values, o->kind->name);
  fprintf(f, "%s%s\n", on ? " on " : "", on ? l->machine : "");
}

static void print(const struct overview *o, size_t first, size_t end, const char *baseline, FILE *f)
{
  const int width = width_of(o, first, end);
  double base = 0;
  for (size_t i = first; i < end; i++)
    if (strcmp(o->line[i].method, baseline) == 0)
      base = o->line[i].relative;
  print_title(o, &o->line[first], f);
  fprintf(f, "rank  %-*s  speedup over %s  no significant difference to\n", width, o->kind->method,
          baseline);
  const int column = (int)(strlen("speedup over ") + strlen(baseline));
  for (size_t i = first; i < end; i++) {
    const struct line *l = &o->line[i];
    fprintf(f, "%4s  %-*s  ", l->rank, width, l->method);
    if (base > 0 && l->relative > 0)
      fprintf(f, "%*.3f  ", column, base / l->relative);
    else
      fprintf(f, "%*s  ", column, "-");
    fprintf(f, "%s\n", l->equals);
  }
}

static void print_all(const struct overview *o, const char *baseline, FILE *f)
{
  size_t machines = 0;
  for (size_t i = 0, end; i < o->lines; i = end) {
    end = end_of(o, i);
    if (!is_mean(&o->line[i]) && !is_only(o, i))
      continue;
    machines += !is_of_all_machines(&o->line[i]);
    if (is_of_all_machines(&o->line[i]) && machines > MOST_MACHINES)
      fprintf(f, "\n%zu more in summary.tsv\n", machines - MOST_MACHINES);
    if (is_of_all_machines(&o->line[i]) || machines <= MOST_MACHINES)
      print(o, i, end, baseline, f);
  }
}

enum status overview_print(const struct kind *k, const char *folder, const char *baseline, FILE *f,
                           struct err *e)
{
  struct overview o = {.kind = k};
  const enum status s = read_summary(&o, folder, e);
  if (s == OK)
    print_all(&o, baseline, f);
  for (size_t i = 0; i < o.lines; i++)
    clear_line(&o.line[i]);
  free(o.line);
  return s;
}

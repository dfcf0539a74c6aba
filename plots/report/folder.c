#include "plots/report/folder.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "campaign/plan/machine.h"
#include "common/files/textout.h"
#include "common/mem.h"
#include "common/utf8.h"

static const struct {
  const char *file, *help;
} TABLE[FOLDER_TABLES] = {
    [FOLDER_EXPLAINED] = {"explained.tsv", "Why the fastest mapping is faster than the baseline"},
    [FOLDER_SUMMARY] = {"summary.tsv", "Methods, the best first"},
    [FOLDER_DIFFERENCES] = {"differences.tsv",
                            "Pairs of methods, with the significance of their differences"},
    [FOLDER_RESULTS] = {"results.tsv", "Results"},
    [FOLDER_REPEATS] = {"repeats.tsv", "The repetitions of each row"},
    [FOLDER_TIMINGS] = {"timings.tsv", "Time and memory of the runs"},
};

const char *folder_file(enum folder_table t)
{
  return TABLE[t].file;
}

const char *folder_help(enum folder_table t)
{
  return TABLE[t].help;
}

static char *path_of(const struct folder *f, const char *file, struct err *e)
{
  const size_t n = strlen(f->path);
  return mem_printf(e, "%s%s%s", f->path, n > 0 && f->path[n - 1] == '/' ? "" : "/", file);
}

static enum status load_table(struct folder *f, enum folder_table t, struct err *e)
{
  struct stat st;
  OWNED char *path = path_of(f, TABLE[t].file, e);
  if (path == NULL)
    return FAIL;
  enum status s = OK;
  if (t == FOLDER_RESULTS || stat(path, &st) == 0)
    s = sheet_load(&f->table[t], path, '\t', e);
  return s;
}

/* Reads the first comment of the summary. */
static enum status load_test(struct folder *f, struct err *e)
{
  struct provenance comments = {.lines = 0};
  OWNED char *path = path_of(f, TABLE[FOLDER_SUMMARY].file, e);
  OWNED char *text = NULL;
  if (path == NULL)
    return FAIL;
  enum status s = OK;
  if (f->table[FOLDER_SUMMARY].columns > 0)
    s = provenance_load(&comments, path, e);
  if (s == OK && comments.lines > 0 &&
      (text = mem_printf(e, "%s %s", comments.line[0].kind, comments.line[0].value)) == NULL)
    s = FAIL;
  if (s == OK && (f->test = utf8_clean(text == NULL ? "" : text, e)) == NULL)
    s = FAIL;
  provenance_clear(&comments);
  return s;
}

static bool has_column(const void *sheet, const char *name)
{
  const struct sheet *s = sheet;
  return sheet_column(s, name) < s->columns;
}

char *folder_machine(const struct folder *f, enum folder_table t, size_t row, struct err *e)
{
  const struct sheet *s = &f->table[t];
  const char *field[MACHINE_OPTIONS];
  for (int o = 0; o < MACHINE_OPTIONS; o++) {
    const size_t at = sheet_column(s, machine_column((enum machine_option)o));
    field[o] = at == s->columns ? NULL : sheet_text(s, row, at);
  }
  return machine_label(field, e);
}

static enum status list_machines(struct folder *f, struct err *e)
{
  uint32_t unused;
  for (size_t i = 0; i < f->table[FOLDER_RESULTS].rows; i++) {
    char *machine = folder_machine(f, FOLDER_RESULTS, i, e);
    const enum status s = machine == NULL ? FAIL : names_add(&f->machine, machine, &unused, e);
    free(machine);
    if (s != OK)
      return FAIL;
  }
  return OK;
}

static enum status count_failed(struct folder *f, struct err *e)
{
  const struct sheet *s = &f->table[FOLDER_RESULTS];
  const size_t status = sheet_column(s, "status");
  if (status == s->columns)
    return err_set(e, "%s: no column 'status' in the header", f->results);
  for (size_t i = 0; i < s->rows; i++)
    f->failed += strcmp(sheet_text(s, i, status), "ok") != 0;
  return OK;
}

enum status folder_load(struct folder *f, const char *path, size_t number, struct err *e)
{
  struct folder read = {.path = path};
  snprintf(read.id, sizeof read.id, "f%zu", number);
  enum status s = OK;
  if ((read.shown = utf8_clean(path, e)) == NULL ||
      (read.results = path_of(&read, TABLE[FOLDER_RESULTS].file, e)) == NULL)
    s = FAIL;
  for (int t = 0; s == OK && t < FOLDER_TABLES; t++)
    s = load_table(&read, t, e);
  read.kind = kind_of_columns(has_column, &read.table[FOLDER_RESULTS]);
  if (s == OK)
    s = provenance_load(&read.about, read.results, e);
  if (s == OK)
    s = load_test(&read, e);
  if (s == OK)
    s = count_failed(&read, e);
  if (s == OK)
    s = list_machines(&read, e);
  if (s == OK && read.machine.count == 0)
    s = err_set(e, "%s: no rows", read.results);
  if (s == OK)
    *f = read;
  else
    folder_clear(&read);
  return s;
}

void folder_clear(struct folder *f)
{
  for (int t = 0; t < FOLDER_TABLES; t++)
    sheet_clear(&f->table[t]);
  provenance_clear(&f->about);
  names_clear(&f->machine);
  free(f->shown);
  free(f->results);
  free(f->test);
  *f = (struct folder){.path = NULL};
}

size_t folder_count(const struct folder *f, const char *kind)
{
  size_t n = 0;
  for (size_t i = 0; i < f->about.lines; i++)
    n += strcmp(f->about.line[i].kind, kind) == 0;
  return n;
}

size_t folder_subject(const struct folder *f, enum folder_table t, size_t *column)
{
  size_t n = 0;
  for (; f->kind->subject[n] != NULL; n++)
    if ((column[n] = sheet_column(&f->table[t], f->kind->subject[n])) == f->table[t].columns)
      return 0;
  return n;
}

/* True if two rows of equal rank are of one subject and machine.  The columns of both precede the
 * column of the method. */
static bool same_subject(const struct sheet *s, size_t method, size_t a, size_t b)
{
  for (size_t k = 0; k < method; k++)
    if (strcmp(sheet_text(s, a, k), sheet_text(s, b, k)) != 0)
      return false;
  return true;
}

char *folder_best(const struct folder *f, struct err *e)
{
  const struct sheet *s = &f->table[FOLDER_SUMMARY];
  size_t subject[KIND_MOST_SUBJECT], subjects = 0, last = s->rows;
  const size_t rank = sheet_column(s, "rank"), method = sheet_column(s, f->kind->method);
  struct textout text;
  if (textout_begin(&text, e) != OK)
    return NULL;
  const bool known =
      folder_subject(f, FOLDER_SUMMARY, subject) > 0 && rank < s->columns && method < s->columns;
  for (size_t i = 0; known && i < s->rows; i++)
    if (strcmp(sheet_text(s, i, rank), "1") == 0) {
      subjects += last == s->rows || !same_subject(s, method, last, i);
      last = i;
    }
  /* Rows over all subjects, if any, are the last ones. */
  if (subjects > 1 && strcmp(sheet_text(s, last, subject[0]), "*") != 0)
    subjects = 0;
  const char *gap = "";
  for (size_t i = 0; subjects > 0 && i <= last; i++)
    if (strcmp(sheet_text(s, i, rank), "1") == 0 && same_subject(s, method, i, last)) {
      fprintf(text.f, "%s%s", gap, sheet_text(s, i, method));
      gap = ", ";
    }
  fputs(subjects == 0 ? "-" : "", text.f);
  return textout_end(&text, OK, e);
}

/* True if each line of a machine in @p a is in @p b too, except for its checksum. */
static bool has_machines(const struct folder *a, const struct folder *b)
{
  for (size_t i = 0; i < a->about.lines; i++) {
    const struct provenance_line *l = &a->about.line[i];
    bool found = machine_find(l->kind) == MACHINE_OPTIONS;
    for (size_t k = 0; !found && k < b->about.lines; k++)
      found = strcmp(b->about.line[k].kind, l->kind) == 0 &&
              strcmp(b->about.line[k].value, l->value) == 0;
    if (!found)
      return false;
  }
  return true;
}

bool folder_is_like(const struct folder *a, const struct folder *b)
{
  return a->kind == b->kind && provenance_find(&a->about, "platform") != NULL &&
         provenance_find(&b->about, "platform") != NULL && has_machines(a, b) && has_machines(b, a);
}

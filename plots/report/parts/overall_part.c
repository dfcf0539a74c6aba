#include "plots/report/parts/overall_part.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "campaign/analysis/ranking.h"
#include "campaign/plan/machine.h"
#include "common/files/textout.h"
#include "common/mem.h"
#include "common/num.h"
#include "common/numeric/stats.h"
#include "plots/report/parts/sheet_part.h"
#include "plots/report/text.h"

/* The times of summary.tsv; a block is one subject of one folder. */
struct times {
  const struct kind *kind; /* kind of campaign of the folders */
  struct names mapper, block;
  double *time; /* by block, then mapper */
  size_t folders;
};

/* --- reading ---------------------------------------------------------------------------------- */

/* True if no later folder is like folder @p i. */
static bool is_last(const struct folder *f, size_t folders, size_t i)
{
  for (size_t k = i + 1; k < folders; k++)
    if (folder_is_like(&f[i], &f[k]))
      return false;
  return true;
}

/* The columns of a summary. */
struct columns {
  size_t subject[KIND_MOST_SUBJECT], subjects;
  size_t method, time;
};

static bool find_columns(const struct folder *f, struct columns *c)
{
  const struct sheet *s = &f->table[FOLDER_SUMMARY];
  c->subjects = folder_subject(f, FOLDER_SUMMARY, c->subject);
  c->method = sheet_column(s, f->kind->method);
  c->time = sheet_column(s, f->kind->time);
  return c->subjects > 0 && c->method < s->columns && c->time < s->columns;
}

/* Makes a name like "f1 cg.A.64 on torus:4x4".  The caller frees it. */
static char *name_block(const struct folder *f, const struct columns *c, size_t row, struct err *e)
{
  const struct sheet *s = &f->table[FOLDER_SUMMARY];
  const bool one = c->subjects == 1;
  char *machine = folder_machine(f, FOLDER_SUMMARY, row, e);
  OWNED char *subject =
      machine == NULL ? NULL
                      : text_print(e, "%s %s%s%s", f->id, sheet_text(s, row, c->subject[0]),
                                   one ? "" : " ", one ? "" : sheet_text(s, row, c->subject[1]));
  char *name = subject == NULL ? NULL : machine_subject_label(subject, machine, e);
  free(machine);
  return name;
}

/* Visits the rows of a summary.  In a first pass, with t->time NULL, it only numbers blocks and
 * mappers. */
static enum status visit(struct times *t, const struct folder *f, const struct columns *c,
                         struct err *e)
{
  const struct sheet *s = &f->table[FOLDER_SUMMARY];
  struct err unused;
  for (size_t i = 0; i < s->rows; i++) {
    uint32_t block, mapper;
    double time;
    if (num_double(sheet_text(s, i, c->time), 0, DBL_MAX, &time, &unused) != OK)
      continue; /* a row over all subjects */
    OWNED char *name = name_block(f, c, i, e);
    enum status status = name == NULL ? FAIL : names_add(&t->block, name, &block, e);
    if (status == OK)
      status = names_add(&t->mapper, sheet_text(s, i, c->method), &mapper, e);
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
    struct columns c;
    if (f[i].kind != t->kind || !is_last(f, folders, i) || !find_columns(&f[i], &c))
      continue;
    t->folders++;
    if (visit(t, &f[i], &c, e) != OK)
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

/* Lists the mappers without significant difference to a row's mapper, "-" if there are none.  The
 * caller frees it with free(). */
static char *list_equals(const struct ranking *r, const struct times *t, size_t row, struct err *e)
{
  struct textout m;
  size_t n = 0;
  if (textout_begin(&m, e) != OK)
    return NULL;
  for (size_t i = 0; i < r->rows; i++)
    if (i != row && ranking_is_insignificant(r, row, i))
      fprintf(m.f, "%s%s", n++ == 0 ? "" : " ", t->mapper.name[r->row[i].mapper]);
  fputs(n == 0 ? "-" : "", m.f);
  return textout_end(&m, OK, e);
}

/* Equal means have equal ranks. */
static size_t rank_of(const struct ranking *r, size_t i)
{
  while (i > 0 && r->row[i].relative == r->row[i - 1].relative)
    i--;
  return i + 1;
}

/* Makes " Not ranked, as a run failed or is missing: greedy, random."; "" if all mappers are
 * ranked.  The caller frees it with free(). */
static char *list_left_out(const struct ranking *r, const struct times *t, struct err *e)
{
  char list[400] = "";
  for (uint32_t m = 0; m < t->mapper.count; m++) {
    size_t i = 0;
    while (i < r->rows && r->row[i].mapper != m)
      i++;
    if (i == r->rows)
      err_list(list, sizeof list, t->mapper.name[m]);
  }
  return text_print(e, "%s%s%s",
                    *list == '\0' ? "" : " Not ranked, as a run failed or is missing: ", list,
                    *list == '\0' ? "" : ".");
}

static enum status add_row(struct sheet *s, const struct ranking *r, const struct times *t,
                           size_t i, struct err *e)
{
  const struct ranking_row *row = &r->row[i];
  OWNED char *rank = text_print(e, "%zu", rank_of(r, i));
  OWNED char *relative = text_print(e, "%.6g", row->relative);
  OWNED char *mean = text_print(e, "%.6g", row->mean_rank);
  OWNED char *equals = list_equals(r, t, i, e);
  char *field[] = {rank, t->mapper.name[row->mapper], relative, mean, equals};
  const bool made = rank != NULL && relative != NULL && mean != NULL && equals != NULL;
  return made ? sheet_add(s, field, e) : FAIL;
}

static enum status show(struct page *p, const struct ranking *r, const struct times *t,
                        struct err *e)
{
  const char *const names[] = {
      "rank", t->kind->method, "relative_to_best", "mean_rank", "no_significant_difference_to",
      NULL};
  struct sheet s = {.rows = 0};
  OWNED char *left_out = list_left_out(r, t, e);
  char *note =
      left_out == NULL
          ? NULL
          : text_print(
                e,
                "Over %u %s of %zu campaigns on different platforms: geometric means of the time "
                "relative to the time of the best %s. Two-sided paired t-tests of the logarithms, "
                "Holm's correction; significant below %g.%s",
                t->block.count, t->kind->name, t->folders, t->kind->method, STATS_LEVEL, left_out);
  enum status status = note == NULL ? FAIL : sheet_new(&s, names, e);
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

static enum status add_kind(struct page *p, const struct folder *f, size_t folders,
                            const struct kind *kind, bool *added, struct err *e)
{
  struct times t = {.kind = kind};
  struct ranking r = {.rows = 0};
  enum status s = read_times(&t, f, folders, e) == OK
                      ? ranking_make(&r, t.time, t.block.count, t.mapper.count, e)
                      : FAIL;
  *added = s == OK && t.folders > 1 && r.rows > 1;
  if (*added)
    s = show(p, &r, &t, e);
  ranking_clear(&r);
  names_clear(&t.mapper);
  names_clear(&t.block);
  free(t.time);
  return s;
}

enum status overall_part_add(struct page *p, const struct folder *f, size_t folders, bool *added,
                             struct err *e)
{
  *added = false;
  for (size_t i = 0; !*added && registry_at(&kinds, i) != NULL; i++)
    if (add_kind(p, f, folders, registry_at(&kinds, i), added, e) != OK)
      return FAIL;
  return OK;
}

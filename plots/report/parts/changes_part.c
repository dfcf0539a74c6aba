#include "plots/report/parts/changes_part.h"

#include <math.h>
#include <stdlib.h>

#include "campaign/analysis/change.h"
#include "common/mem.h"
#include "common/numeric/rising.h"
#include "common/report.h"
#include "plots/report/parts/sheet_part.h"
#include "plots/report/text.h"

enum { NUMBER_SIZE = 32 };

/* Writes a number, or "-" for NAN. */
static void write_number(char text[NUMBER_SIZE], double value)
{
  FILE *f = isnan(value) ? NULL : fmemopen(text, NUMBER_SIZE, "w");
  snprintf(text, NUMBER_SIZE, "-");
  if (f == NULL)
    return;
  report_number(f, value);
  fclose(f);
}

/* --- tables ----------------------------------------------------------------------------------- */

static enum status add_mapper(struct sheet *s, const struct changes *c, uint32_t m, struct err *e)
{
  const struct change_mapper *x = &c->mappers[m];
  char number[CHANGE_VERDICTS][NUMBER_SIZE], ratio[NUMBER_SIZE], p[NUMBER_SIZE];
  char *field[CHANGE_VERDICTS + 3] = {c->mapper.name[m], ratio, p};
  write_number(ratio, x->ratio - 1);
  write_number(p, x->p);
  for (int v = 0; v < CHANGE_VERDICTS; v++) {
    snprintf(number[v], sizeof number[v], "%zu", x->verdict[v]);
    field[3 + v] = number[v];
  }
  return sheet_add(s, field, e);
}

static enum status make_mappers(struct sheet *s, const struct changes *c, const struct kind *k,
                                struct err *e)
{
  const char *name[CHANGE_VERDICTS + 4] = {k->method, "change", "p_corrected"};
  for (int v = 0; v < CHANGE_VERDICTS; v++)
    name[3 + v] = change_verdict_name(v);
  enum status status = sheet_new(s, name, e);
  for (uint32_t m = 0; status == OK && m < c->mapper.count; m++)
    status = add_mapper(s, c, m, e);
  return status;
}

static enum status add_cell(struct sheet *s, const struct changes *c, const struct change_cell *x,
                            struct err *e)
{
  char count[2][NUMBER_SIZE], mean[2][NUMBER_SIZE], ratio[NUMBER_SIZE], p[NUMBER_SIZE];
  for (int i = 0; i < 2; i++) {
    snprintf(count[i], NUMBER_SIZE, "%zu", x->values[i]);
    write_number(mean[i], x->mean_s[i]);
  }
  write_number(ratio, x->ratio - 1);
  write_number(p, x->p);
  char *field[] = {c->trace.name[x->trace],
                   c->mapper.name[x->mapper],
                   (char *)change_verdict_name(x->verdict),
                   ratio,
                   p,
                   (char *)change_test_name(x->test),
                   count[0],
                   mean[0],
                   count[1],
                   mean[1]};
  return sheet_add(s, field, e);
}

/* Orders by verdict, then by falling size of the change. */
static int by_change(const void *a, const void *b)
{
  static const int ORDER[CHANGE_VERDICTS] = {
      [CHANGE_WORSE] = 0, [CHANGE_BETTER] = 1,  [CHANGE_GONE] = 2,
      [CHANGE_NEW] = 3,   [CHANGE_UNCLEAR] = 4, [CHANGE_SAME] = 5};
  const struct change_cell *x = a, *y = b;
  if (x->verdict != y->verdict)
    return ORDER[x->verdict] - ORDER[y->verdict];
  const double by = isnan(x->ratio) ? 0 : fabs(log(x->ratio)),
               than = isnan(y->ratio) ? 0 : fabs(log(y->ratio));
  return RISING(than, by) ?: RISING(x->trace, y->trace) ?: RISING(x->mapper, y->mapper);
}

static enum status make_cells(struct sheet *s, const struct changes *c, const struct kind *k,
                              struct err *e)
{
  const char *const names[] = {
      k->subject[0],   k->method,       "verdict",      "change",       "p_corrected", "test",
      "values_before", "mean_before_s", "values_after", "mean_after_s", NULL};
  enum status status = sheet_new(s, names, e);
  for (size_t i = 0; status == OK && i < c->cells; i++)
    status = add_cell(s, c, &c->cell[i], e);
  return status;
}

/* --- words ------------------------------------------------------------------------------------ */

static void say_verdict(struct page *p, xmlNode *part, const struct changes *c,
                        const struct kind *k, double tolerance)
{
  page_print(p, part, "verdict",
             "Of %zu cells (a %s on a %s) %zu got better, %zu got worse, %zu are the same to "
             "the last digit, and %zu differ within noise or by less than %g %%; %zu are gone, and "
             "%zu are new.",
             c->cells, k->method, k->subject[0], c->verdict[CHANGE_BETTER],
             c->verdict[CHANGE_WORSE], c->verdict[CHANGE_SAME], c->verdict[CHANGE_UNCLEAR],
             tolerance * 100, c->verdict[CHANGE_GONE], c->verdict[CHANGE_NEW]);
}

/* Adds the provenance lines of @p f that @p other does not have. */
static enum status add_lines(struct page *p, xmlNode *part, const struct folder *f,
                             const struct folder *other, const char *when, struct err *e)
{
  for (size_t i = 0; i < f->about.lines; i++) {
    const struct provenance_line *l = &f->about.line[i];
    if (provenance_has(&other->about, l))
      continue;
    OWNED char *text = text_print(e, "Only %s: %s %s%s%s%s%.12s", when, l->kind, l->value,
                                  *l->library == '\0' ? "" : " of ", l->library,
                                  *l->checksum == '\0' ? "" : ", SHA-256 ", l->checksum);
    xmlNode *item = text == NULL ? NULL : page_part(p, "item");
    if (text != NULL) {
      page_text(p, item, "text", text);
      page_add(p, part, "differences", item);
    }
    if (item == NULL)
      return FAIL;
  }
  return OK;
}

static enum status add_differences(struct page *p, xmlNode *part, const struct folder *before,
                                   const struct folder *after, struct err *e)
{
  if (add_lines(p, part, before, after, "before", e) != OK ||
      add_lines(p, part, after, before, "after", e) != OK)
    return FAIL;
  return OK;
}

/* --- the whole -------------------------------------------------------------------------------- */

typedef enum status make_fn(struct sheet *s, const struct changes *c, const struct kind *k,
                            struct err *e);

struct comparison {
  const struct changes *changes;
  const struct kind *kind;
  const char *id;
};

static enum status add_sheet(struct page *p, xmlNode *part, const struct comparison *c,
                             make_fn *make, const struct sheet_look *look, struct err *e)
{
  struct sheet s = {.rows = 0};
  const enum status status = make(&s, c->changes, c->kind, e);
  if (status == OK)
    page_add(p, part, "tables", sheet_part(p, &s, look));
  sheet_clear(&s);
  return status;
}

static enum status add_tables(struct page *p, xmlNode *part, const struct comparison *c,
                              struct err *e)
{
  const struct kind *k = c->kind;
  char methods[SHEET_ID_SIZE], cells[SHEET_ID_SIZE], of_methods[64], of_cells[64], file[64],
      note[192];
  snprintf(methods, sizeof methods, "%s-%s", c->id, k->methods);
  snprintf(cells, sizeof cells, "%s-cells", c->id);
  snprintf(file, sizeof file, "changes-by-%s.tsv", k->method);
  snprintf(of_methods, sizeof of_methods, "Changes by %s", k->method);
  snprintf(of_cells, sizeof of_cells, "Changes by %s and %s", k->subject[0], k->method);
  snprintf(
      note, sizeof note,
      "The change is the relative change of the geometric mean over all %s that both campaigns "
      "have; below 0 is faster. The last columns count the cells by verdict.",
      k->name);
  const struct sheet_look by_method = {methods, file, of_methods, note};
  const struct sheet_look by_cell = {
      cells, "changes.tsv", of_cells,
      "Cells that got worse come first, then cells that got better. The change is the relative "
      "change of the time; below 0 is faster."};
  return add_sheet(p, part, c, make_mappers, &by_method, e) == OK
             ? add_sheet(p, part, c, make_cells, &by_cell, e)
             : FAIL;
}

static enum status fill(struct page *p, xmlNode *part, const struct folder *const *side,
                        double tolerance, struct err *e)
{
  struct changes c;
  char id[40];
  if (change_find(&c, side[0]->path, side[1]->path, tolerance, e) != OK)
    return FAIL;
  snprintf(id, sizeof id, "%s-%s", side[0]->id, side[1]->id);
  if (c.cells > 0)
    qsort(c.cell, c.cells, sizeof *c.cell, by_change);
  say_verdict(p, part, &c, side[0]->kind, tolerance);
  enum status s = add_differences(p, part, side[0], side[1], e);
  if (s == OK)
    s = add_tables(p, part, &(struct comparison){&c, side[0]->kind, id}, e);
  change_clear(&c);
  return s;
}

enum status changes_part_add(struct page *p, const struct folder *before,
                             const struct folder *after, double tolerance, struct err *e)
{
  const struct folder *const side[] = {before, after};
  char title[64], id[48];
  xmlNode *part = page_part(p, "changes");
  snprintf(id, sizeof id, "%s-%s", before->id, after->id);
  snprintf(title, sizeof title, "%s-title", id);
  page_attribute(p, part, "section", "id", id);
  page_attribute(p, part, "section", "aria-labelledby", title);
  page_attribute(p, part, "heading", "id", title);
  page_print(p, part, "heading", "From %s to %s", before->shown, after->shown);
  if (fill(p, part, side, tolerance, e) != OK) {
    xmlFreeNode(part);
    return FAIL;
  }
  page_add(p, page_root(p), "main", part);
  return OK;
}

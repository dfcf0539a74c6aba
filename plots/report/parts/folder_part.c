#include "plots/report/parts/folder_part.h"

#include <stdlib.h>
#include <string.h>

#include "campaign/plan/machine.h"
#include "common/files/textout.h"
#include "common/mem.h"
#include "plots/report/parts/note.h"
#include "plots/report/parts/pictures.h"
#include "plots/report/parts/sheet_part.h"
#include "plots/report/text.h"

/* --- provenance ------------------------------------------------------------------------------- */

static enum status add_fact(struct page *p, xmlNode *part, const struct provenance_line *l,
                            struct err *e)
{
  xmlNode *row = page_part(p, "fact");
  OWNED char *value = text_print(e, "%s%s%s%s%s", l->value, *l->seeds == '\0' ? "" : ", seeds ",
                                 l->seeds, *l->library == '\0' ? "" : ", of ", l->library);
  OWNED char *kind = text_print(e, "%s", l->kind);
  const enum status s = value == NULL || kind == NULL ? FAIL : OK;
  if (s == OK) {
    page_text(p, row, "kind", kind);
    page_text(p, row, "value", value);
    page_text(p, row, "checksum", l->checksum);
    page_add(p, part, "facts", row);
  } else {
    xmlFreeNode(row);
  }
  return s;
}

static enum status add_command(struct page *p, xmlNode *part, const struct folder *f, struct err *e)
{
  struct textout m;
  if (textout_begin(&m, e) != OK)
    return FAIL;
  provenance_print_command(&f->about, f->path, m.f);
  OWNED char *text = textout_end(&m, OK, e);
  OWNED char *clean = text == NULL ? NULL : text_print(e, "%s", text);
  if (clean == NULL)
    return FAIL;
  page_text(p, part, "command", clean);
  return OK;
}

static enum status add_facts(struct page *p, xmlNode *part, const struct folder *f, struct err *e)
{
  for (size_t i = 0; i < f->about.lines; i++)
    if (add_fact(p, part, &f->about.line[i], e) != OK)
      return FAIL;
  if (f->about.lines == 0)
    note_add(p, part, "results.tsv has no comments with the inputs and options of the campaign.");
  return add_command(p, part, f, e);
}

/* --- ranking ---------------------------------------------------------------------------------- */

enum { MOST_COLUMNS = MACHINE_OPTIONS + KIND_MOST_SUBJECT + 5 };

/* The columns of the ranking, a subset of the columns of the summary. */
struct columns {
  const char *name[MOST_COLUMNS + 1]; /* ends with NULL */
  size_t at[MOST_COLUMNS];            /* indices in the summary */
  size_t count;
  size_t subject; /* the first column that names the subject; columns before it name the machine */
};

/* The last column lists the methods without a significant difference to the method of the
 * row. */
static struct columns ranking_columns(const struct kind *k, const struct sheet *s)
{
  const char *const rest[] = {"rank", k->method, "relative_to_best", "values",
                              "no_significant_difference_to"};
  struct columns c = {.count = 0};
  for (int o = 0; o < MACHINE_OPTIONS; o++)
    if (sheet_column(s, machine_column((enum machine_option)o)) < s->columns)
      c.name[c.count++] = machine_column((enum machine_option)o);
  c.subject = c.count;
  for (size_t i = 0; k->subject[i] != NULL; i++)
    c.name[c.count++] = k->subject[i];
  for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
    c.name[c.count++] = rest[i];
  return c;
}

/* True if all machines have means over subjects; a machine with a single subject has none. */
static bool has_means(const struct sheet *s, const struct columns *c)
{
  const struct names *subjects = &s->column[c->at[c->subject]].text;
  return names_find(subjects, "*") != NAMES_NONE && (c->subject == 0 || subjects->count > 2);
}

/* Copies the rows of means over subjects, for each machine and for all machines together.  Without
 * such rows, copies all rows. */
static enum status make_ranking(struct sheet *out, const struct sheet *s, const struct columns *c,
                                struct err *e)
{
  const bool means = has_means(s, c);
  enum status status = sheet_new(out, c->name, e);
  for (size_t i = 0; status == OK && i < s->rows; i++) {
    char *field[MOST_COLUMNS];
    for (size_t k = 0; k < c->count; k++)
      field[k] = s->column[c->at[k]].text.name[s->column[c->at[k]].row[i]];
    if (!means || strcmp(field[c->subject], "*") == 0)
      status = sheet_add(out, field, e);
  }
  return status;
}

/* The last row with rank 1.  With several machines, it belongs to the ranking over all machines. */
static size_t overall_row(const struct sheet *ranking)
{
  const size_t rank = sheet_column(ranking, "rank");
  size_t row = 0;
  for (size_t i = 0; i < ranking->rows; i++)
    if (strcmp(sheet_text(ranking, i, rank), "1") == 0)
      row = i;
  return row;
}

/* The result of the ranking in words, and the test used. */
static char *rank_in_words(const struct folder *f, const struct sheet *ranking, struct err *e)
{
  OWNED char *best = folder_best(f, e);
  if (best == NULL)
    return NULL;
  if (strcmp(best, "-") == 0 || ranking->rows == 0)
    return text_print(e, "%s", f->test);
  const char *equal = sheet_text(ranking, overall_row(ranking), ranking->columns - 1);
  return strcmp(equal, "-") == 0 ? text_print(e, "Best: %s. %s", best, f->test)
                                 : text_print(e, "Best: %s. No significant difference to: %s. %s",
                                              best, equal, f->test);
}

static enum status show_ranking(struct page *p, xmlNode *part, const struct folder *f,
                                const struct sheet *ranking, struct err *e)
{
  char id[SHEET_ID_SIZE];
  OWNED char *words = rank_in_words(f, ranking, e);
  if (words == NULL)
    return FAIL;
  snprintf(id, sizeof id, "%s-ranking", f->id);
  const struct sheet_look look = {id, "ranking.tsv", "Ranking", words};
  page_add(p, part, "ranking", sheet_part(p, ranking, &look));
  return OK;
}

static enum status add_ranking(struct page *p, xmlNode *part, const struct folder *f, struct err *e)
{
  const struct sheet *s = &f->table[FOLDER_SUMMARY];
  struct sheet ranking = {.rows = 0};
  struct columns c = ranking_columns(f->kind, s);
  if (s->columns == 0) {
    note_add(p, part,
             "The campaign has not ended: summary.tsv is missing. The command above continues it.");
    return OK;
  }
  for (size_t i = 0; i < c.count; i++)
    if ((c.at[i] = sheet_column(s, c.name[i])) == s->columns) {
      note_add(p, part, "No ranking: summary.tsv has no column %s.", c.name[i]);
      return OK;
    }
  const enum status status =
      make_ranking(&ranking, s, &c, e) == OK ? show_ranking(p, part, f, &ranking, e) : FAIL;
  sheet_clear(&ranking);
  return status;
}

/* --- section ---------------------------------------------------------------------------------- */

static void add_tables(struct page *p, xmlNode *part, const struct folder *f)
{
  for (int t = 0; t < FOLDER_TABLES; t++) {
    char id[SHEET_ID_SIZE];
    if (f->table[t].columns == 0)
      continue;
    snprintf(id, sizeof id, "%s-%.*s", f->id, (int)strcspn(folder_file(t), "."), folder_file(t));
    const struct sheet_look look = {id, folder_file(t), folder_help(t),
                                    t == FOLDER_DIFFERENCES ? f->test : ""};
    page_add(p, part, "tables", sheet_part(p, &f->table[t], &look));
  }
}

enum status folder_part_add(struct page *p, const struct folder *f, const char *baseline,
                            uint32_t most_traces, struct err *e)
{
  char title[SHEET_ID_SIZE];
  xmlNode *part = page_part(p, "folder");
  const struct pictures pictures = {
      .page = p, .part = part, .folder = f, .baseline = baseline, .most_traces = most_traces};
  snprintf(title, sizeof title, "%s-title", f->id);
  page_attribute(p, part, "section", "id", f->id);
  page_attribute(p, part, "section", "aria-labelledby", title);
  page_attribute(p, part, "heading", "id", title);
  page_attribute(p, part, "region", "aria-labelledby", title);
  page_print(p, part, "heading", "Campaign %s", f->shown);
  const enum status s = add_facts(p, part, f, e) == OK && add_ranking(p, part, f, e) == OK
                            ? pictures_add(&pictures, e)
                            : FAIL;
  if (s != OK) {
    xmlFreeNode(part);
    return FAIL;
  }
  add_tables(p, part, f);
  page_add(p, page_root(p), "main", part);
  return OK;
}

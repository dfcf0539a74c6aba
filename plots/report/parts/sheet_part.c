#include "plots/report/parts/sheet_part.h"

#include <float.h>
#include <string.h>

#include "common/mem.h"
#include "common/num.h"
#include "common/plural.h"

/* Numbers with a point or an exponent are shown with this many digits; downloads are unchanged. */
enum { DIGITS = 5 };

static void add_json(struct page *p, xmlNode *part, const struct sheet *s)
{
  struct err e;
  OWNED char *text = sheet_json(s, &e);
  page_text(p, text == NULL ? NULL : part, "json", text == NULL ? "" : text);
}

/* A verdict also has a colour: its text is its CSS class. */
enum look { TEXT, NUMBER, VERDICT };

static enum look look_of(const struct sheet *s, size_t column, bool number)
{
  const bool verdict = strcmp(s->column[column].name, "verdict") == 0;
  return number ? NUMBER : verdict ? VERDICT : TEXT;
}

static void add_cell(struct page *p, xmlNode *row, const char *text, enum look look)
{
  struct err unused;
  double value;
  char short_text[32];
  xmlNode *cell = page_part(p, look == NUMBER ? "number" : "cell");
  if (look == NUMBER && strpbrk(text, ".eE") != NULL &&
      num_double(text, -DBL_MAX, DBL_MAX, &value, &unused) == OK) {
    snprintf(short_text, sizeof short_text, "%.*g", DIGITS, value);
    if (strcmp(short_text, text) != 0)
      page_attribute(p, cell, "text", "title", text);
    text = short_text;
  }
  if (look == VERDICT)
    page_attribute(p, cell, "text", "class", text);
  page_text(p, cell, "text", text);
  page_add(p, row, "row", cell);
}

static void add_head(struct page *p, xmlNode *part, const struct sheet *s, bool *number)
{
  for (size_t c = 0; c < s->columns; c++) {
    xmlNode *head = page_part(p, "column");
    page_text(p, head, "name", s->column[c].name);
    number[c] = sheet_is_number(s, c);
    if (number[c])
      page_attribute(p, head, "name", "class", "number");
    page_add(p, part, "head", head);
  }
}

static void add_table(struct page *p, xmlNode *part, const struct sheet *s)
{
  bool number[SHEET_MOST_COLUMNS];
  add_head(p, part, s, number);
  for (size_t r = 0; r < s->rows && r < SHEET_SHOWN; r++) {
    xmlNode *row = page_part(p, "row");
    for (size_t c = 0; c < s->columns; c++)
      add_cell(p, row, sheet_text(s, r, c), look_of(s, c, number[c]));
    page_add(p, part, "body", row);
  }
}

xmlNode *sheet_part(struct page *p, const struct sheet *s, const struct sheet_look *look)
{
  char title[SHEET_ID_SIZE + 8], rows[24];
  xmlNode *part = page_part(p, "sheet");
  snprintf(title, sizeof title, "%s-title", look->id);
  page_attribute(p, part, "sheet", "id", look->id);
  page_attribute(p, part, "sheet", "data-file", look->file);
  snprintf(rows, sizeof rows, "%zu", s->rows);
  page_attribute(p, part, "sheet", "data-rows", rows);
  page_attribute(p, part, "heading", "id", title);
  page_attribute(p, part, "region", "aria-labelledby", title);
  page_text(p, part, "heading", look->heading);
  if (look->note[0] != '\0')
    page_text(p, part, "note", look->note);
  else
    page_remove(p, part, "note");
  if (s->rows > SHEET_SHOWN)
    page_print(p, part, "caption", "%s: the first %d of %zu rows", look->heading, SHEET_SHOWN,
               s->rows);
  else
    page_print(p, part, "caption", "%s: %zu row%s", look->heading, s->rows, PLURAL(s->rows));
  add_table(p, part, s);
  add_json(p, part, s);
  return part;
}

xmlNode *sheet_data(struct page *p, const struct sheet *s, const char *id)
{
  xmlNode *part = page_part(p, "data");
  page_attribute(p, part, "json", "id", id);
  add_json(p, part, s);
  return part;
}

xmlNode *sheet_button(struct page *p, const char *id, const char *file, const char *of)
{
  xmlNode *button = page_part(p, "get");
  page_attribute(p, button, "button", "data-sheet", id);
  page_attribute(p, button, "button", "data-file", file);
  page_print(p, button, "button", "Data: %s", of);
  return button;
}

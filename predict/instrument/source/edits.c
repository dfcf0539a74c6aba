#include "predict/instrument/source/edits.h"

#include <stdlib.h>

#include "common/mem.h"
#include "common/numeric/rising.h"

static enum status add(struct edits *s, struct edit edit, const char *text, struct err *e)
{
  if (MEM_GROW(s->edit, s->room, s->count + 1, e) != OK)
    return FAIL;
  edit.number = (uint32_t)s->count;
  snprintf(edit.text, sizeof edit.text, "%s", text);
  s->edit[s->count++] = edit;
  return OK;
}

enum status edits_insert(struct edits *s, uint32_t file, uint32_t at, const char *text,
                         struct err *e)
{
  return add(s, (struct edit){.file = file, .begin = at, .end = at}, text, e);
}

enum status edits_close(struct edits *s, uint32_t file, uint32_t at, const char *text,
                        struct err *e)
{
  return add(s, (struct edit){.file = file, .begin = at, .end = at, .closes = true}, text, e);
}

enum status edits_replace(struct edits *s, uint32_t file, uint32_t begin, uint32_t end,
                          const char *text, struct err *e)
{
  return add(s, (struct edit){.file = file, .begin = begin, .end = end}, text, e);
}

/* Orders by place; at one place closings, insertions, then replacements, the longest first. */
static int by_place(const void *a, const void *b)
{
  const struct edit *x = a, *y = b;
  const bool x_long = x->end > x->begin, y_long = y->end > y->begin;
  return RISING(x->file, y->file) ?: RISING(x->begin, y->begin) ?: RISING(y->closes, x->closes)
         ?: RISING(x_long, y_long) ?: RISING(y->end, x->end) ?: RISING(x->number, y->number);
}

void edits_sort(struct edits *s)
{
  if (s->count > 0)
    qsort(s->edit, s->count, sizeof *s->edit, by_place);
}

void edits_write(const struct edits *s, const struct tree *t, uint32_t file, FILE *out)
{
  const struct tree_file *f = &t->file[file];
  uint32_t at = 0;
  for (size_t i = 0; i < s->count; i++) {
    const struct edit *edit = &s->edit[i];
    if (edit->file != file || edit->begin < at)
      continue;
    fwrite(f->text + at, 1, edit->begin - at, out);
    fputs(edit->text, out);
    for (at = edit->begin; at < edit->end; at++)
      if (f->text[at] == '\n')
        fputc('\n', out);
  }
  fwrite(f->text + at, 1, f->size - at, out);
}

void edits_clear(struct edits *s)
{
  free(s->edit);
  *s = (struct edits){0};
}

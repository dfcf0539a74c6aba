#include "traces/paraver/fields.h"

#include <inttypes.h>
#include <string.h>

#include "common/num.h"

enum { BUFFER = 1 << 14 };

void fields_start(struct fields *f, const struct bytes *b, uint64_t offset, uint64_t line)
{
  *f = (struct fields){.cursor = {b, offset},
                       .lines = {.room = BUFFER, .line = line},
                       .name = b->name,
                       .offset = offset};
}

void fields_stop(struct fields *f)
{
  lines_clear(&f->lines);
}

enum status fields_line(struct fields *f, bool *more, struct err *e)
{
  const struct lines_input in = {bytes_next, &f->cursor, f->name};
  size_t length;
  do {
    f->offset = f->cursor.offset - (f->lines.end - f->lines.begin);
    if (lines_next(&f->lines, &in, &f->text, &length, e) != OK)
      return FAIL;
    *more = f->text != NULL;
    if (!*more)
      return OK;
    while (length > 0 && lines_is_blank(f->text[length - 1]))
      length--;
    f->text[length] = '\0';
    if (memchr(f->text, '\0', length) != NULL)
      return err_at(e, f->name, f->lines.line, "a NUL character");
  } while (length == 0);
  return OK;
}

/* Cuts the next field off. */
static enum status take(struct fields *f, const char *what, char **field, struct err *e)
{
  if (fields_end(f))
    return err_set(e, "the line ends before %s", what);
  *field = f->text;
  f->text += strcspn(f->text, ":");
  if (*f->text == ':')
    *f->text++ = '\0';
  return OK;
}

enum status fields_number(struct fields *f, const char *what, int64_t min, int64_t max,
                          int64_t *out, struct err *e)
{
  char *field = NULL;
  struct err why;
  if (take(f, what, &field, e) != OK)
    return FAIL;
  return num_i64(field, min, max, out, &why) == OK ? OK : err_set(e, "%s: %s", what, why.text);
}

enum status fields_seconds(struct fields *f, double *out, struct err *e)
{
  char *field = NULL;
  struct err why;
  if (take(f, "the seconds", &field, e) != OK)
    return FAIL;
  return num_double(field, 0, 1e12, out, &why) == OK ? OK : err_set(e, "the seconds: %s", why.text);
}

enum status fields_need_end(const struct fields *f, struct err *e)
{
  return fields_end(f) ? OK : err_set(e, "more fields than expected: '%.64s'", f->text);
}

enum status fields_at(const struct fields *f, struct err *e)
{
  return err_place(e, f->name, f->lines.line);
}

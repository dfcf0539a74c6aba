#include "common/files/linefile.h"

#include <string.h>

enum { FIRST_ROOM = 65536 };

enum status linefile_open(struct linefile *l, const char *path, struct err *e)
{
  *l = (struct linefile){.path = strcmp(path, "-") == 0 ? "standard input" : path,
                         .lines = {.room = FIRST_ROOM, .longest = LINEFILE_LONGEST}};
  return textfile_open(&l->in, path, path, e);
}

static enum status read_file(void *from, char *buffer, size_t room, size_t *got, struct err *e)
{
  const struct linefile *l = from;
  return textfile_read(l->in, buffer, room, got, e);
}

enum status linefile_next(struct linefile *l, bool *more, struct err *e)
{
  const struct lines_input in = {read_file, l, l->path};
  if (lines_next(&l->lines, &in, &l->text, &l->length, e) != OK)
    return FAIL;
  *more = l->text != NULL;
  if (!*more)
    return OK;
  l->line = l->lines.line;
  if (memchr(l->text, '\0', l->length) != NULL)
    return err_at(e, l->path, l->line, "a NUL character");
  if (l->length > 0 && l->text[l->length - 1] == '\r')
    l->length--;
  l->text[l->length] = '\0';
  return OK;
}

enum status linefile_peek(struct linefile *l, const char **text, size_t *length, bool *whole,
                          struct err *e)
{
  const struct lines_input in = {read_file, l, l->path};
  if (lines_peek(&l->lines, &in, text, length, e) != OK)
    return FAIL;
  *whole = l->lines.ended;
  return OK;
}

enum status linefile_next_whole(struct linefile *l, bool *more, struct err *e)
{
  if (linefile_next(l, more, e) != OK)
    return FAIL;
  if (*more && !l->lines.whole)
    return err_at(e, l->path, l->line, "the line has no end: is the file cut off?");
  return OK;
}

void linefile_close(struct linefile *l)
{
  textfile_close(l->in);
  lines_clear(&l->lines);
  *l = (struct linefile){0};
}

char *linefile_word(char **rest)
{
  char *word = *rest + strspn(*rest, " \t");
  if (*word == '\0')
    return NULL;
  *rest = word + strcspn(word, " \t");
  if (**rest != '\0')
    *(*rest)++ = '\0';
  return word;
}

bool linefile_is_header(const char *text, const char *names)
{
  for (;;) {
    text += strspn(text, " \t");
    names += strspn(names, " \t");
    const size_t n = strcspn(text, " \t");
    if (n != strcspn(names, " \t") || strncmp(text, names, n) != 0)
      return false;
    if (n == 0)
      return true;
    text += n;
    names += n;
  }
}

#include "common/linefile.h"

#include <string.h>

enum { FIRST_ROOM = 65536 };

enum status linefile_open(struct linefile *l, const char *path, struct err *e)
{
  *l = (struct linefile){.path = path,
                         .f = fopen(path, "re"),
                         .lines = {.room = FIRST_ROOM, .longest = LINEFILE_LONGEST}};
  return l->f != NULL ? OK : err_errno(e, path, "cannot read");
}

static enum status read_file(void *from, char *buffer, size_t room, size_t *got, struct err *e)
{
  const struct linefile *l = from;
  *got = fread(buffer, 1, room, l->f);
  return *got == 0 && ferror(l->f) ? err_errno(e, l->path, "cannot read") : OK;
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
  l->text[l->length] = '\0';
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
  if (l->f != NULL)
    fclose(l->f);
  lines_clear(&l->lines);
  *l = (struct linefile){0};
}

#include "traces/files/text.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "common/files/inputs.h"

struct text_cursor text_start_part(struct text *t, struct spool *spool, uint32_t stream)
{
  struct text_cursor c = {.text = t, .spool = spool, .stream = stream};
  if (stream != TEXT_IN_PLACE)
    c.at = spool_start(spool, stream);
  return c;
}

struct text_cursor text_start(struct text *t, struct spool *spool)
{
  return text_start_part(t, spool, t->stream);
}

/* Opens and closes the file on each call: there may be more ranks than descriptors. */
static enum status read_in_place(struct text_cursor *c, char *buffer, size_t room, size_t *got,
                                 struct err *e)
{
  const char *name = c->text->name;
  *got = 0;
  if (c->ended)
    return OK;
  const int fd = open(name, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return err_errno(e, name, "cannot open");
  if (c->offset == 0)
    inputs_note(fd);
  ssize_t n;
  do {
    n = pread(fd, buffer, room, (off_t)c->offset);
  } while (n < 0 && errno == EINTR);
  const enum status status = n < 0 ? err_errno(e, name, "cannot read") : OK;
  close(fd);
  if (status == OK) {
    c->offset += *got = (size_t)n;
    c->ended = *got < room; /* a short read ends a regular file */
  }
  return status;
}

static enum status read_bytes(struct text_cursor *c, char *buffer, size_t room, size_t *got,
                              struct err *e)
{
  return c->stream == TEXT_IN_PLACE ? read_in_place(c, buffer, room, got, e)
                                    : spool_read(c->spool, &c->at, buffer, room, got, e);
}

enum status text_unpack(struct text *t, struct spool *spool, struct unpack *u, struct err *e)
{
  const char *name;
  if (unpack_form(u) == UNPACK_ARCHIVE)
    return err_set(e, "%s: an archive where a text should be", t->name);
  if (unpack_form(u) == UNPACK_COMPRESSED &&
      (unpack_next(u, &name, e) != OK || unpack_copy(u, spool, &t->stream, e) != OK))
    return FAIL;
  t->plain = true;
  return OK;
}

/* True if a trace can begin with @p c.  No compressed file does. */
static bool begins_text(char c)
{
  return (c >= '0' && c <= '9') || c == '#' || c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Called if the text does not begin like a trace: unpacks it if it is compressed, and rewinds the
 * cursor. */
static enum status look_inside(struct text_cursor *c, struct err *e)
{
  struct text *t = c->text;
  struct unpack *u = NULL;
  enum status status = t->stream == TEXT_IN_PLACE
                           ? unpack_file(&u, t->name, e)
                           : unpack_stream(&u, c->spool, t->stream, t->name, e);
  if (status == OK)
    status = text_unpack(t, c->spool, u, e);
  unpack_free(u);
  if (status == OK)
    *c = text_start(t, c->spool);
  return status;
}

enum status text_read(void *cursor, char *buffer, size_t room, size_t *got, struct err *e)
{
  struct text_cursor *c = cursor;
  struct text *t = c->text;
  if (read_bytes(c, buffer, room, got, e) != OK)
    return FAIL;
  if (!t->plain && (*got == 0 || begins_text(*buffer)))
    t->plain = true;
  if (t->plain)
    return OK;
  return look_inside(c, e) == OK ? read_bytes(c, buffer, room, got, e) : FAIL;
}

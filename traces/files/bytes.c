#include "traces/files/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/files/inputs.h"
#include "common/files/path.h"
#include "common/files/temp.h"
#include "common/files/textfile.h"
#include "traces/files/unpack.h"

enum { COPY = 1 << 16 };

size_t bytes_peek(const char *path, char *buffer, size_t room)
{
  struct textfile *t;
  struct err e;
  size_t all = 0, got = 1;
  if (!path_is_regular(path) || textfile_open(&t, path, path, &e) != OK)
    return 0;
  while (all < room && got > 0) {
    if (textfile_read(t, buffer + all, room - all, &got, &e) != OK)
      got = 0;
    all += got;
  }
  textfile_close(t);
  return all;
}

bool bytes_write(int fd, const char *p, size_t n)
{
  while (n > 0) {
    const ssize_t done = write(fd, p, n);
    if (done < 0 && errno != EINTR)
      return false;
    p += done < 0 ? 0 : done;
    n -= done < 0 ? 0 : (size_t)done;
  }
  return true;
}

static enum status copy(struct bytes *b, struct textfile *from, uint64_t limit, struct err *e)
{
  char buffer[COPY];
  size_t got;
  do {
    if (textfile_read(from, buffer, sizeof buffer, &got, e) != OK)
      return FAIL;
    if (got > limit - b->size)
      return err_set(e, "%s: unpacked, it has more than the %" PRIu64 " bytes of --unpack-limit",
                     b->name, limit);
    if (!bytes_write(b->fd, buffer, got))
      return err_errno(e, b->name, "cannot write its temporary file");
    b->size += got;
  } while (got > 0);
  return OK;
}

static enum status unpack(struct bytes *b, uint64_t limit, struct err *e)
{
  struct textfile *from;
  if (textfile_open(&from, b->name, b->name, e) != OK)
    return FAIL;
  enum status s = temp_unnamed(&b->fd, e);
  if (s == OK)
    s = copy(b, from, limit, e);
  textfile_close(from);
  return s;
}

static enum status open_plain(struct bytes *b, struct err *e)
{
  struct stat st;
  b->fd = open(b->name, O_RDONLY | O_CLOEXEC);
  if (b->fd < 0 || fstat(b->fd, &st) != 0)
    return err_errno(e, b->name, "cannot open");
  inputs_note(b->fd);
  b->size = (uint64_t)st.st_size;
  return OK;
}

enum status bytes_open(struct bytes *b, const char *path, uint64_t unpack_limit, struct err *e)
{
  struct unpack *u;
  *b = (struct bytes){.name = path, .fd = -1};
  if (!path_is_regular(path))
    return err_set(e, "%s: no regular file", path);
  if (unpack_file(&u, path, e) != OK)
    return FAIL;
  const enum unpack_form form = unpack_form(u);
  unpack_free(u);
  if ((form == UNPACK_COMPRESSED ? unpack(b, unpack_limit, e) : open_plain(b, e)) == OK)
    return OK;
  bytes_close(b);
  return FAIL;
}

void bytes_close(struct bytes *b)
{
  if (b->fd >= 0)
    close(b->fd);
  b->fd = -1;
}

enum status bytes_read(const struct bytes *b, uint64_t offset, void *buffer, size_t room,
                       size_t *got, struct err *e)
{
  size_t all = 0;
  if (offset > INT64_MAX)
    offset = INT64_MAX;
  while (all < room) {
    const ssize_t n = pread(b->fd, (char *)buffer + all, room - all, (off_t)(offset + all));
    if (n < 0 && errno != EINTR)
      return err_errno(e, b->name, "cannot read");
    if (n == 0)
      break;
    all += n > 0 ? (size_t)n : 0;
  }
  *got = all;
  return OK;
}

enum status bytes_need(const struct bytes *b, uint64_t offset, void *buffer, size_t size,
                       struct err *e)
{
  size_t got = 0;
  if (bytes_read(b, offset, buffer, size, &got, e) != OK)
    return FAIL;
  return got == size ? OK
                     : bytes_refuse(b, offset + got, e, "the file ends here, %zu bytes too early",
                                    size - got);
}

enum status bytes_refuse(const struct bytes *b, uint64_t offset, struct err *e, const char *fmt,
                         ...)
{
  char text[sizeof e->text];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  return err_set(e, "%s: offset %" PRIu64 ": %s", b->name, offset, text);
}

enum status bytes_next(void *cursor, char *buffer, size_t room, size_t *got, struct err *e)
{
  struct bytes_cursor *c = cursor;
  if (bytes_read(c->bytes, c->offset, buffer, room, got, e) != OK)
    return FAIL;
  c->offset += *got;
  return OK;
}

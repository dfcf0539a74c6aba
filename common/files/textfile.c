#include "common/files/textfile.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/files/inputs.h"
#include "common/mem.h"
#include "common/utf8.h"

enum { BLOCK = 65536 };

struct textfile {
  const char *name;
  int fd;
  bool own_fd; /* false: standard input */
  bool ended;
  struct archive *archive; /* NULL: the bytes are read as they are */
};

void textfile_support_filters(struct archive *a)
{
  archive_read_support_filter_gzip(a);
  archive_read_support_filter_bzip2(a);
  archive_read_support_filter_xz(a);
  archive_read_support_filter_lzma(a);
  archive_read_support_filter_lzip(a);
  archive_read_support_filter_zstd(a);
  archive_read_support_filter_lz4(a);
}

static enum status archive_failure(const struct textfile *t, struct err *e)
{
  const int number = archive_errno(t->archive);
  const char *why = archive_error_string(t->archive);
  errno = number;
  if (number > 0 && archive_filter_count(t->archive) <= 1)
    return err_errno(e, t->name, "cannot read");
  return err_set(e, "%s: cannot unpack: %s", t->name, why == NULL ? "no reason given" : why);
}

static enum status open_fd(struct textfile *t, const char *path, struct err *e)
{
  struct stat st;
  t->fd = t->own_fd ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
  if (t->fd < 0 || fstat(t->fd, &st) != 0)
    return err_errno(e, t->name, "cannot read");
  inputs_note(t->fd);
  if (!S_ISDIR(st.st_mode))
    return OK;
  errno = EISDIR;
  return err_errno(e, t->name, "cannot read");
}

/* libarchive treats an empty file as an archive without entries. */
static enum status open_archive(struct textfile *t, struct err *e)
{
  struct archive_entry *entry;
  if ((t->archive = archive_read_new()) == NULL)
    return err_set(e, "out of memory");
  textfile_support_filters(t->archive);
  archive_read_support_format_raw(t->archive);
  archive_read_support_format_empty(t->archive);
  if (archive_read_open_fd(t->archive, t->fd, BLOCK) != ARCHIVE_OK)
    return archive_failure(t, e);
  const int status = archive_read_next_header(t->archive, &entry);
  t->ended = status == ARCHIVE_EOF;
  return status < ARCHIVE_WARN ? archive_failure(t, e) : OK;
}

enum status textfile_open(struct textfile **out, const char *path, const char *name, struct err *e)
{
  struct textfile *t = mem_array(1, sizeof *t, e);
  if (t == NULL)
    return FAIL;
  t->name = strcmp(name, "-") == 0 ? "standard input" : name;
  t->own_fd = strcmp(path, "-") != 0;
  t->fd = -1;
  if (open_fd(t, path, e) == OK && open_archive(t, e) == OK) {
    *out = t;
    return OK;
  }
  textfile_close(t);
  return FAIL;
}

enum status textfile_read(struct textfile *t, char *buffer, size_t room, size_t *got, struct err *e)
{
  *got = 0;
  if (t->ended)
    return OK;
  const ssize_t n =
      t->archive == NULL ? read(t->fd, buffer, room) : archive_read_data(t->archive, buffer, room);
  if (n < 0)
    return t->archive == NULL ? err_errno(e, t->name, "cannot read") : archive_failure(t, e);
  *got = (size_t)n;
  t->ended = n == 0;
  return OK;
}

void textfile_close(struct textfile *t)
{
  if (t == NULL)
    return;
  archive_read_free(t->archive);
  if (t->own_fd && t->fd >= 0)
    close(t->fd);
  free(t);
}

static uint64_t line_of(const char *bytes, size_t n)
{
  uint64_t line = 1;
  for (size_t i = 0; i < n; i++)
    line += bytes[i] == '\n';
  return line;
}

static enum status load(struct textfile *t, char **bytes, size_t *length, size_t most,
                        struct err *e)
{
  size_t room = 0, got = 1;
  for (*length = 0; got > 0; *length += got) {
    if (MEM_GROW(*bytes, room, *length + BLOCK, e) != OK ||
        textfile_read(t, *bytes + *length, room - *length - 1, &got, e) != OK)
      return FAIL;
    if (*length + got > most)
      return err_set(e, "%s: longer than %zu bytes", t->name, most);
    const char *nul = memchr(*bytes + *length, '\0', got);
    if (nul != NULL)
      return err_at(e, t->name, line_of(*bytes, (size_t)(nul - *bytes)), "a NUL character");
  }
  if (t->archive != NULL && utf8_has_mark(*bytes, *length)) {
    *length -= UTF8_MARK;
    memmove(*bytes, *bytes + UTF8_MARK, *length);
  }
  (*bytes)[*length] = '\0';
  return OK;
}

/* Loads the text of an open file.  Leaves *bytes NULL on failure. */
static enum status load_opened(struct textfile *t, char **bytes, size_t *length, size_t most,
                               struct err *e)
{
  *bytes = NULL;
  const enum status s = load(t, bytes, length, most, e);
  if (s != OK) {
    free(*bytes);
    *bytes = NULL;
  }
  return s;
}

enum status textfile_load(char **bytes, size_t *length, const char *path, const char *name,
                          size_t most, struct err *e)
{
  struct textfile *t;
  *bytes = NULL;
  if (textfile_open(&t, path, name, e) != OK)
    return FAIL;
  const enum status s = load_opened(t, bytes, length, most, e);
  textfile_close(t);
  return s;
}

enum status textfile_load_plain(char **bytes, size_t *length, const char *path, size_t most,
                                struct err *e)
{
  struct textfile t = {.name = path, .own_fd = true};
  *bytes = NULL;
  const enum status s = open_fd(&t, path, e) == OK ? load_opened(&t, bytes, length, most, e) : FAIL;
  if (t.fd >= 0)
    close(t.fd);
  return s;
}

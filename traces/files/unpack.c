#include "traces/files/unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/files/inputs.h"
#include "common/files/textfile.h"
#include "common/mem.h"

enum { BLOCK = 65536 };

struct unpack {
  struct archive *archive;
  struct archive_entry *entry; /* the current one; NULL at the end */
  bool first;                  /* unpack_next() has not given the first entry yet */
  enum unpack_form form;
  char *name;
  int fd; /* of the file; -1: none */
  const struct spool *spool;
  struct spool_cursor cursor;
  struct err spool_err;
  char block[BLOCK];
};

static enum status archive_failure(const struct unpack *u, struct err *e)
{
  const char *why = archive_error_string(u->archive);
  return err_set(e, "%s: cannot unpack: %s", u->name,
                 why != NULL ? why : strerror(archive_errno(u->archive)));
}

static la_ssize_t read_spool(struct archive *a, void *data, const void **block)
{
  struct unpack *u = data;
  size_t got = 0;
  if (spool_read(u->spool, &u->cursor, u->block, sizeof u->block, &got, &u->spool_err) != OK) {
    archive_set_error(a, EIO, "%s", u->spool_err.text);
    return -1;
  }
  *block = u->block;
  return (la_ssize_t)got;
}

/* Enables some formats: libarchive's "all" includes formats that mistake texts for archives. */
static void support(struct archive *a)
{
  textfile_support_filters(a);
  archive_read_support_format_tar(a);
  archive_read_support_format_zip(a);
  archive_read_support_format_raw(a);
  archive_read_support_format_empty(a);
}

static enum unpack_form form_of(struct archive *a, bool empty)
{
  const int format = archive_format(a) & ARCHIVE_FORMAT_BASE_MASK;
  if (!empty && format != ARCHIVE_FORMAT_RAW)
    return UNPACK_ARCHIVE;
  /* The last filter is always "none". */
  return archive_filter_count(a) > 1 ? UNPACK_COMPRESSED : UNPACK_PLAIN;
}

static enum status advance(struct unpack *u, struct err *e)
{
  int status;
  do {
    status = archive_read_next_header(u->archive, &u->entry);
  } while (status == ARCHIVE_RETRY);
  if (status == ARCHIVE_EOF)
    u->entry = NULL;
  return status < ARCHIVE_WARN ? archive_failure(u, e) : OK;
}

/* Opens u->archive from the file @p path, or from the spool if it is NULL. */
static enum status start(struct unpack *u, const char *path, struct err *e)
{
  if ((u->archive = archive_read_new()) == NULL)
    return err_set(e, "out of memory");
  support(u->archive);
  /* Opens the file here: if libarchive opened a pipe by name, it would read the pipe to its end,
   * maybe forever, on closing. */
  if (path != NULL && (u->fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
    return err_errno(e, path, "cannot open");
  if (path != NULL)
    inputs_note(u->fd);
  const int status = path != NULL ? archive_read_open_fd(u->archive, u->fd, BLOCK)
                                  : archive_read_open(u->archive, u, NULL, read_spool, NULL);
  if (status != ARCHIVE_OK)
    return archive_failure(u, e);
  if (advance(u, e) != OK)
    return FAIL;
  u->form = form_of(u->archive, u->entry == NULL);
  u->first = true;
  return OK;
}

static struct unpack *make(const char *name, struct err *e)
{
  struct unpack *u = mem_array(1, sizeof *u, e);
  if (u != NULL && (u->name = mem_strdup(name, e)) == NULL) {
    free(u);
    u = NULL;
  }
  if (u != NULL)
    u->fd = -1;
  return u;
}

enum status unpack_file(struct unpack **out, const char *path, struct err *e)
{
  struct unpack *u = make(path, e);
  if (u == NULL || start(u, path, e) != OK) {
    unpack_free(u);
    return FAIL;
  }
  *out = u;
  return OK;
}

enum status unpack_stream(struct unpack **out, struct spool *s, uint32_t stream, const char *name,
                          struct err *e)
{
  struct unpack *u = make(name, e);
  if (u == NULL)
    return FAIL;
  u->spool = s;
  u->cursor = spool_start(s, stream);
  if (start(u, NULL, e) != OK) {
    unpack_free(u);
    return FAIL;
  }
  *out = u;
  return OK;
}

void unpack_free(struct unpack *u)
{
  if (u == NULL)
    return;
  archive_read_free(u->archive);
  if (u->fd >= 0)
    close(u->fd);
  free(u->name);
  free(u);
}

enum unpack_form unpack_form(const struct unpack *u)
{
  return u->form;
}

enum status unpack_next(struct unpack *u, const char **name, struct err *e)
{
  do {
    if (!u->first && u->entry != NULL && advance(u, e) != OK)
      return FAIL;
    u->first = false;
    /* libarchive makes up an entry, a regular file, for a plain or compressed text. */
  } while (u->entry != NULL && (archive_entry_filetype(u->entry) != AE_IFREG ||
                                archive_entry_hardlink(u->entry) != NULL));
  *name = NULL;
  if (u->entry == NULL)
    return OK;
  if ((*name = archive_entry_pathname(u->entry)) == NULL)
    *name = archive_entry_pathname_utf8(u->entry);
  return *name != NULL ? OK : err_set(e, "%s: a file in it has no readable name", u->name);
}

/* --- checks of the first line ----------------------------------------------------------------- */

/* Maximum bytes of blanks and comments before the first line, and of the line's first word: the
 * name of a file, or a rank.  The first LEAST_TEXT bytes must have no control characters; in 3 % of
 * random inputs the first line alone has none. */
enum { MOST_BLANK = 1 << 26, MOST_WORD = 4096, LEAST_TEXT = 4096 };

/* Part of the text, up to the end of the first line that is not blank or a comment. */
enum opening_part { OPENING_BLANK, OPENING_COMMENT, OPENING_WORD, OPENING_REST, OPENING_DONE };

struct opening {
  enum opening_part part;
  size_t bytes; /* so far, of blanks and comments, or of the word */
  size_t text;  /* bytes without a control character so far */
};

static enum opening_part next_part(enum opening_part part, char c)
{
  const bool blank = c == ' ' || c == '\t' || c == '\r';
  switch (part) {
  case OPENING_BLANK:
    return blank || c == '\n' ? OPENING_BLANK : c == '#' ? OPENING_COMMENT : OPENING_WORD;
  case OPENING_COMMENT:
    return c == '\n' ? OPENING_BLANK : OPENING_COMMENT;
  case OPENING_WORD:
    return c == '\n' ? OPENING_DONE : blank ? OPENING_REST : OPENING_WORD;
  default:
    return c == '\n' ? OPENING_DONE : part;
  }
}

/* Fails on random or endless bytes before they fill the disk. */
static enum status check_opening(struct opening *o, const char *text, size_t n, const char *name,
                                 struct err *e)
{
  for (size_t i = 0; i < n && (o->part != OPENING_DONE || o->text < LEAST_TEXT); i++, o->text++) {
    const unsigned char c = (unsigned char)text[i];
    const enum opening_part before = o->part;
    o->part = next_part(before, text[i]);
    o->bytes = o->part == OPENING_WORD && before != OPENING_WORD ? 1 : o->bytes + 1;
    if (c == 127 || (c < ' ' && c != '\t' && c != '\n' && c != '\r'))
      return err_set(e, "%s: is no trace: byte 0x%02x at offset %zu", name, c, o->text);
    if (o->part == OPENING_WORD && o->bytes > MOST_WORD)
      return err_set(e, "%s: is no trace: its first word has more than %d bytes", name, MOST_WORD);
    if (o->part < OPENING_WORD && o->bytes > MOST_BLANK)
      return err_set(e, "%s: is no trace: it begins with %d bytes of blanks and comments", name,
                     MOST_BLANK);
  }
  return OK;
}

/* --- copying ---------------------------------------------------------------------------------- */

/* Where the bytes of a file go: appended to a stream of a spool, or written to a file. */
struct target {
  struct spool *spool;
  uint32_t stream;
  FILE *file;
  uint64_t limit, bytes; /* of the file */
};

static enum status put(struct target *to, const void *data, size_t size, const char *name,
                       struct err *e)
{
  if (to->spool != NULL)
    return spool_append(to->spool, to->stream, data, size, e);
  if (size > to->limit - to->bytes)
    return err_set(e, "%s: unpacks to more than %" PRIu64 " bytes; --unpack-limit allows more",
                   name, to->limit);
  to->bytes += size;
  return fwrite(data, 1, size, to->file) == size ? OK : err_errno(e, name, "cannot unpack");
}

static enum status copy_data(struct unpack *u, struct target *to, struct err *e)
{
  const void *block;
  size_t size;
  la_int64_t offset, end = 0;
  struct opening opening = {.part = OPENING_BLANK};
  if (u->form == UNPACK_ARCHIVE)
    opening = (struct opening){.part = OPENING_DONE, .text = LEAST_TEXT};
  int status = ARCHIVE_EOF;
  while (u->entry != NULL &&
         (status = archive_read_data_block(u->archive, &block, &size, &offset)) != ARCHIVE_EOF) {
    if (status < ARCHIVE_WARN)
      return archive_failure(u, e);
    /* A hole may have any declared size, and would be written to disk. */
    if (size > 0 && offset != end)
      return err_set(e, "%s: it contains a sparse file, which is not a text", u->name);
    if (check_opening(&opening, block, size, u->name, e) != OK)
      return FAIL;
    end += (la_int64_t)size;
    if (put(to, block, size, u->name, e) != OK)
      return FAIL;
  }
  return OK;
}

uint64_t unpack_size(const struct unpack *u)
{
  if (u->entry == NULL || !archive_entry_size_is_set(u->entry) || archive_entry_size(u->entry) < 0)
    return UINT64_MAX;
  return (uint64_t)archive_entry_size(u->entry);
}

enum status unpack_write(struct unpack *u, FILE *f, uint64_t limit, uint64_t *bytes, struct err *e)
{
  struct target to = {.file = f, .limit = limit, .bytes = *bytes};
  if (copy_data(u, &to, e) != OK)
    return FAIL;
  *bytes = to.bytes;
  return OK;
}

enum status unpack_copy(struct unpack *u, struct spool *s, uint32_t *stream, struct err *e)
{
  struct target to = {.spool = s};
  if (spool_add(s, &to.stream, e) != OK || copy_data(u, &to, e) != OK)
    return FAIL;
  *stream = to.stream;
  return spool_flush(s, to.stream, e);
}

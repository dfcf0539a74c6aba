#include "setup/packed.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/files/inputs.h"
#include "common/files/outfile.h"
#include "common/files/textfile.h"

enum { BLOCK = 65536 };

/* The text as it is merged. */
struct merge {
  const char *path, *packed;
  int fd;             /* of path */
  struct textfile *z; /* NULL: its frames have ended */
  uint64_t at, size;  /* bytes of the text merged so far, and in all */
  bool changed;       /* the text differs from the frames */
};

/* The next bytes of the frames; *got is 0 after their end and from an incomplete frame on. */
static void read_frames(struct merge *m, char *block, size_t *got)
{
  struct err ignored;
  *got = 0;
  if (m->z != NULL && textfile_read(m->z, block, BLOCK, got, &ignored) != OK) {
    *got = 0;
    m->changed = true;
  }
  if (*got > 0)
    return;
  textfile_close(m->z);
  m->z = NULL;
}

/* Replaces the bytes of the frames by the bytes of the file that are not NUL.  After the end of the
 * frames, all bytes are from the file. */
static enum status overlay(struct merge *m, char *block, size_t framed, size_t n, struct err *e)
{
  char own[BLOCK];
  if (pread(m->fd, own, n, (off_t)m->at) != (ssize_t)n)
    return err_errno(e, m->path, "cannot read");
  m->changed |= framed == 0;
  for (size_t i = 0; i < n; i++) {
    if (i >= framed && own[i] == '\0')
      return err_set(e, "%s: no text at byte %ju, and none in %s", m->path, (uintmax_t)(m->at + i),
                     m->packed);
    m->changed |= own[i] != '\0' && i < framed && own[i] != block[i];
    if (own[i] != '\0')
      block[i] = own[i];
  }
  return OK;
}

/* The next *n bytes of the text, 0 at its end. */
static enum status merge_next(struct merge *m, char *block, size_t *n, struct err *e)
{
  const uint64_t left = m->size - m->at;
  size_t framed;
  read_frames(m, block, &framed);
  m->changed |= framed > left;
  *n = framed > 0 && framed < left ? framed : left < BLOCK ? (size_t)left : BLOCK;
  if (*n == 0 || overlay(m, block, framed < *n ? framed : *n, *n, e) != OK)
    return *n == 0 ? OK : FAIL;
  m->at += *n;
  return OK;
}

static enum status merge_open(struct merge *m, const char *path, const char *packed, uint64_t size,
                              struct err *e)
{
  struct err ignored;
  *m = (struct merge){.path = path, .packed = packed, .size = size};
  m->fd = open(path, O_RDONLY | O_CLOEXEC);
  if (m->fd < 0)
    return err_errno(e, path, "cannot read");
  if (textfile_open(&m->z, packed, packed, &ignored) != OK)
    m->z = NULL; /* its first frame is incomplete */
  return OK;
}

static void merge_close(struct merge *m)
{
  textfile_close(m->z);
  close(m->fd);
}

/* Sets *same to true if the frames have the text, unchanged and complete. */
static enum status compare(const char *path, const char *packed, uint64_t size, bool *same,
                           struct err *e)
{
  char block[BLOCK];
  struct merge m;
  size_t n;
  if (merge_open(&m, path, packed, size, e) != OK)
    return FAIL;
  enum status s;
  do
    s = merge_next(&m, block, &n, e);
  while (s == OK && n > 0);
  *same = !m.changed;
  merge_close(&m);
  return s;
}

static enum status write_failure(struct archive *a, const char *packed, struct err *e)
{
  return err_set(e, "%s: cannot write: %s", packed, archive_error_string(a));
}

static enum status write_frames(struct archive *a, struct merge *m, struct err *e)
{
  char block[BLOCK];
  size_t n;
  enum status s;
  struct archive_entry *entry = archive_entry_new();
  if (entry == NULL)
    return err_set(e, "out of memory");
  archive_entry_set_filetype(entry, AE_IFREG);
  s = archive_write_header(a, entry) == ARCHIVE_OK ? OK : write_failure(a, m->packed, e);
  archive_entry_free(entry);
  for (n = 1; s == OK && n > 0;) {
    s = merge_next(m, block, &n, e);
    if (s == OK && n > 0 && archive_write_data(a, block, n) != (la_ssize_t)n)
      s = write_failure(a, m->packed, e);
  }
  if (s == OK && archive_write_close(a) != ARCHIVE_OK)
    s = write_failure(a, m->packed, e);
  return s;
}

static enum status rewrite(const char *path, const char *packed, uint64_t size, struct err *e)
{
  struct merge m;
  struct outfile o;
  if (merge_open(&m, path, packed, size, e) != OK)
    return FAIL;
  inputs_release(packed);
  enum status s = outfile_open(&o, packed, e);
  if (s == OK) {
    struct archive *a = archive_write_new();
    if (a == NULL || archive_write_set_format_raw(a) != ARCHIVE_OK ||
        archive_write_add_filter_zstd(a) != ARCHIVE_OK ||
        archive_write_set_bytes_in_last_block(a, 1) != ARCHIVE_OK || /* no padding with NULs */
        archive_write_open_FILE(a, o.f) != ARCHIVE_OK)
      s = err_set(e, "%s: libarchive cannot write zstd", packed);
    else
      s = write_frames(a, &m, e);
    archive_write_free(a);
    s = outfile_end(&o, s, e);
  }
  merge_close(&m);
  return s;
}

enum status packed_finish(const char *path, uint64_t size, struct err *e)
{
  char packed[PATH_MAX];
  bool same;
  if (snprintf(packed, sizeof packed, "%s.zst", path) >= (int)sizeof packed)
    return err_set(e, "%.64s...: the name is too long", path);
  if (compare(path, packed, size, &same, e) != OK ||
      (!same && rewrite(path, packed, size, e) != OK))
    return FAIL;
  return unlink(path) == 0 ? OK : err_errno(e, path, "cannot remove");
}

enum status packed_ending(const char *path, char *text, size_t room, uint64_t *size, struct err *e)
{
  char block[BLOCK];
  struct textfile *t;
  size_t got = 1, kept = 0;
  *size = 0;
  if (textfile_open(&t, path, path, e) != OK)
    return FAIL;
  enum status s;
  while ((s = textfile_read(t, block, sizeof block, &got, e)) == OK && got > 0) {
    const size_t n = got < room - 1 ? got : room - 1;
    const size_t before = kept + n < room ? kept : room - 1 - n;
    memmove(text, text + (kept - before), before);
    memcpy(text + before, block + (got - n), n);
    kept = before + n;
    *size += got;
  }
  text[kept] = '\0';
  textfile_close(t);
  return s;
}

uint64_t packed_lines(const char *path)
{
  char block[BLOCK];
  struct textfile *t;
  struct err ignored;
  uint64_t lines = 0;
  size_t got;
  if (textfile_open(&t, path, path, &ignored) != OK)
    return 0;
  while (textfile_read(t, block, sizeof block, &got, &ignored) == OK && got > 0)
    for (size_t i = 0; i < got; i++)
      lines += block[i] == '\n';
  textfile_close(t);
  return lines;
}

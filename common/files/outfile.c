#include "common/files/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/files/inputs.h"
#include "common/files/path.h"
#include "common/files/textfile.h"
#include "common/mem.h"

/* Maximum size in bytes of a file to copy. */
enum { MOST_COPIED = 1 << 24 };

#define REPLACES "%s: the output would replace an input"

static void clear(struct outfile *o)
{
  free(o->path);
  *o = (struct outfile){0};
}

static enum status open_temp(struct outfile *o, struct err *e)
{
  int fd;
  struct stat st;
  if (temp_file(&o->temp, o->path, &fd, e) != OK)
    return FAIL;
  if (stat(o->path, &st) == 0)
    fchmod(fd, st.st_mode & 0777); /* not checked: another owner's file may forbid it */
  if ((o->f = fdopen(fd, "w")) != NULL)
    return OK;
  err_errno(e, o->path, "cannot create");
  close(fd);
  temp_abandon(&o->temp);
  return FAIL;
}

enum status outfile_open(struct outfile *o, const char *path, struct err *e)
{
  *o = (struct outfile){0};
  if (path == NULL || strcmp(path, "-") == 0) {
    o->f = stdout;
    return OK;
  }
  struct stat st;
  const bool exists = stat(path, &st) == 0, file = exists && S_ISREG(st.st_mode);
  const bool link = file && lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
  char *target = link ? realpath(path, NULL) : NULL;
  enum status s = OK;
  if (file && inputs_has(path)) {
    free(target);
    return err_set(e, REPLACES, path);
  }
  if (!exists && lstat(path, &st) == 0)
    return err_errno(e, path, "cannot follow the link");
  o->path = target != NULL ? target : mem_strdup(path, e);
  if (o->path == NULL)
    return FAIL;
  if (file || !exists)
    s = open_temp(o, e);
  else if ((o->f = fopen(path, "w")) == NULL)
    s = err_errno(e, path, "cannot write");
  if (s != OK)
    clear(o);
  return s;
}

enum status outfile_check(const char *path, struct err *e)
{
  struct outfile o;
  struct stat st;
  /* Opening a pipe would wait for a reader; closing it would end the reader's input. */
  if (path != NULL && stat(path, &st) == 0 && S_ISFIFO(st.st_mode))
    return OK;
  if (outfile_open(&o, path, e) != OK)
    return FAIL;
  outfile_abandon(&o);
  return OK;
}

static bool find_folder(const char *path, struct stat *folder)
{
  char name[PATH_MAX];
  return snprintf(name, sizeof name, "%.*s.", path_folder(path), path) < (int)sizeof name &&
         stat(name, folder) == 0;
}

static bool same_file(const char *a, const char *b)
{
  struct stat st, x, y;
  return a != NULL && b != NULL && strcmp(path_name(a), path_name(b)) == 0 && strcmp(a, "-") != 0 &&
         (stat(a, &st) != 0 || S_ISREG(st.st_mode)) && find_folder(a, &x) && find_folder(b, &y) &&
         x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

enum status outfile_check_distinct(const char *const *path, size_t n, struct err *e)
{
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < i; k++)
      if (same_file(path[i], path[k]))
        return err_set(e, "%s: two outputs in one file", path[k]);
  return OK;
}

enum status outfile_check_plain(const char *path, struct err *e)
{
  struct stat st;
  if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
    return err_set(e, "%s: not a file", path);
  return OK;
}

enum status outfile_folder(const char *path, struct err *e)
{
  struct stat st;
  if (temp_check_name(path, e) != OK)
    return FAIL;
  char *part = mem_strdup(path, e);
  if (part == NULL)
    return FAIL;
  for (char *slash = part; (slash = strchr(slash, '/')) != NULL; slash++) {
    *slash = '\0';
    mkdir(part, 0777); /* not checked: a failure that matters makes the last mkdir() fail too */
    *slash = '/';
  }
  free(part);
  if (mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &st) == 0 && S_ISDIR(st.st_mode)))
    return OK;
  return err_errno(e, path, "cannot create the folder");
}

enum status outfile_own_folder(const char *path, const char *own, struct err *e)
{
  char *mark = mem_printf(e, "%s/%s", path, own);
  if (mark == NULL)
    return FAIL;
  const bool earlier = access(mark, F_OK) == 0;
  free(mark);
  if (!earlier && temp_check_folder(path, e) != OK)
    return FAIL;
  return outfile_folder(path, e);
}

enum status outfile_sync(const char *path, struct err *e)
{
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  const bool failed = fd < 0 || fsync(fd) != 0;
  const enum status s = failed ? err_errno(e, path, "cannot sync") : OK;
  if (fd >= 0)
    close(fd);
  return s;
}

/* Syncs the folder of @p path, so that the name of the file is on disk. -1 on failure. */
static int sync_folder(const char *path)
{
  struct err unused;
  OWNED char *folder = mem_printf(&unused, "%.*s.", path_folder(path), path);
  const int fd = folder == NULL ? -1 : open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return -1;
  const bool failed = fsync(fd) != 0 && errno != EINVAL; /* some file systems cannot sync folders */
  close(fd);
  return failed ? -1 : 0;
}

static enum status put_in_place(struct outfile *o, struct err *e)
{
  if (o->temp.path == NULL)
    return OK;
  if (inputs_has(o->path))
    return err_set(e, REPLACES, o->path);
  if (temp_commit(&o->temp, o->path, e) != OK)
    return FAIL;
  return o->durable && sync_folder(o->path) != 0 ? err_errno(e, o->path, "cannot sync") : OK;
}

enum status outfile_open_if(struct outfile *o, const char *path, struct err *e)
{
  *o = (struct outfile){0};
  return path == NULL ? OK : outfile_open(o, path, e);
}

/* The errno of an earlier write is gone.  Another write most likely fails for the same reason; if
 * it succeeds, no reason is known. */
enum status outfile_flush(FILE *f, const char *name, struct err *e)
{
  errno = 0;
  if (fflush(f) == 0 && !ferror(f))
    return OK;
  if (errno == 0 && write(fileno(f), "\n", 1) >= 0)
    errno = 0;
  return err_errno(e, name, "cannot write");
}

enum status outfile_commit(struct outfile *o, struct err *e)
{
  if (o->f == NULL)
    return OK;
  const char *name = o->path == NULL ? "standard output" : o->path;
  enum status s = outfile_flush(o->f, name, e);
  if (s == OK && o->durable && fsync(fileno(o->f)) != 0)
    s = err_errno(e, name, "cannot write");
  if (o->path != NULL && fclose(o->f) != 0 && s == OK)
    s = err_errno(e, name, "cannot write");
  if (s == OK)
    s = put_in_place(o, e);
  temp_abandon(&o->temp);
  clear(o);
  return s;
}

enum status outfile_end(struct outfile *o, enum status s, struct err *e)
{
  if (s == OK)
    return outfile_commit(o, e);
  outfile_abandon(o);
  return FAIL;
}

void outfile_abandon(struct outfile *o)
{
  if (o->path != NULL)
    fclose(o->f);
  temp_abandon(&o->temp);
  clear(o);
}

enum status outfile_copy(const char *from, const char *to, struct err *e)
{
  struct outfile o;
  char *text;
  size_t length;
  if (textfile_load_plain(&text, &length, from, MOST_COPIED, e) != OK)
    return FAIL;
  const enum status s = outfile_open(&o, to, e);
  if (s == OK)
    fwrite(text, 1, length, o.f); /* outfile_commit() reports a failure */
  free(text);
  return s == OK ? outfile_commit(&o, e) : FAIL;
}

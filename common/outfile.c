#define _GNU_SOURCE
#include "common/outfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/mem.h"

static void clear(struct outfile *o)
{
  free(o->path);
  free(o->temp);
  *o = (struct outfile){0};
}

static enum status open_temp(struct outfile *o, struct err *e)
{
  if (*o->path == '\0') {
    errno = ENOENT;
    return err_errno(e, o->path, "cannot create");
  }
  if (asprintf(&o->temp, "%s.XXXXXX", o->path) < 0) {
    o->temp = NULL;
    return err_set(e, "out of memory");
  }
  const int fd = mkstemp(o->temp);
  if (fd < 0)
    return err_errno(e, o->path, "cannot create");
  const mode_t mask = umask(0);
  umask(mask);
  if (fchmod(fd, 0666 & ~mask) != 0 || (o->f = fdopen(fd, "w")) == NULL) {
    err_errno(e, o->path, "cannot create");
    close(fd);
    unlink(o->temp);
    return FAIL;
  }
  return OK;
}

enum status outfile_open(struct outfile *o, const char *path, struct err *e)
{
  *o = (struct outfile){0};
  if (path == NULL || strcmp(path, "-") == 0) {
    o->f = stdout;
    return OK;
  }
  if ((o->path = mem_strdup(path, e)) == NULL)
    return FAIL;
  struct stat st;
  enum status s = OK;
  if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
    if ((o->f = fopen(path, "w")) == NULL)
      s = err_errno(e, path, "cannot write");
  } else {
    s = open_temp(o, e);
  }
  if (s != OK)
    clear(o);
  return s;
}

enum status outfile_check(const char *path, struct err *e)
{
  struct outfile o;
  struct stat st;
  /* Opening a pipe would wait for a reader, and leave it without a writer. */
  if (path != NULL && stat(path, &st) == 0 && S_ISFIFO(st.st_mode))
    return OK;
  if (outfile_open(&o, path, e) != OK)
    return FAIL;
  outfile_abandon(&o);
  return OK;
}

enum status outfile_commit(struct outfile *o, struct err *e)
{
  const char *name = o->path == NULL ? "standard output" : o->path;
  errno = 0; /* an earlier write may have failed, and nothing be left to fail now */
  const int bad = ferror(o->f) | fflush(o->f);
  const int failed = (o->path != NULL && fclose(o->f) != 0) || bad;
  enum status s = failed ? err_errno(e, name, "cannot write") : OK;
  if (s == OK && o->temp != NULL && rename(o->temp, o->path) != 0)
    s = err_errno(e, name, "cannot write");
  if (s != OK && o->temp != NULL)
    unlink(o->temp);
  clear(o);
  return s;
}

void outfile_abandon(struct outfile *o)
{
  if (o->path != NULL)
    fclose(o->f);
  if (o->temp != NULL)
    unlink(o->temp);
  clear(o);
}

#include "common/files/temp.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/mem.h"

/* Number of random names to try; a collision is rare. */
enum { TRIES = 100 };

static enum status random_name(char **name, const char *path, struct err *e)
{
  static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  uint8_t random[6];
  char end[sizeof random + 1] = "";
  if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
    return err_errno(e, path, "no random name");
  for (size_t i = 0; i < sizeof random; i++)
    end[i] = LETTERS[random[i] % (sizeof LETTERS - 1)];
  *name = mem_printf(e, "%s.%s", path, end);
  return *name == NULL ? FAIL : OK;
}

typedef int create_fn(const char *path);

static int create_file(const char *path)
{
  return open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

static int create_folder(const char *path)
{
  return mkdir(path, 0777);
}

/* Registers the name before creating the file: a signal may arrive between any two steps. */
static enum status create(struct temp *t, const char *path, create_fn *fn, int *out, struct err *e)
{
  errno = ENOENT;
  if (*path == '\0')
    return err_errno(e, path, "cannot create");
  for (int i = 0; i < TRIES; i++) {
    struct temp made = {0};
    if (random_name(&made.path, path, e) != OK)
      return FAIL;
    if (cleanup_add(&made.cleanup, made.path, e) != OK) {
      free(made.path);
      return FAIL;
    }
    *out = fn(made.path);
    if (*out >= 0) {
      *t = made;
      return OK;
    }
    const int why = errno;
    cleanup_drop(made.cleanup);
    free(made.path);
    errno = why;
    if (why != EEXIST)
      break;
  }
  return err_errno(e, path, "cannot create");
}

enum status temp_file(struct temp *t, const char *path, int *fd, struct err *e)
{
  return create(t, path, create_file, fd, e);
}

enum status temp_check_name(const char *path, struct err *e)
{
  if (strcmp(path, "-") == 0)
    return err_set(e, "-: standard output is no folder; a folder of this name is './-'");
  return OK;
}

enum status temp_check_folder(const char *path, struct err *e)
{
  if (temp_check_name(path, e) != OK)
    return FAIL;
  if (access(path, F_OK) != 0)
    return OK;
  DIR *d = opendir(path);
  size_t names = 0;
  while (d != NULL && names <= 2 && readdir(d) != NULL) /* "." and ".." */
    names++;
  if (d != NULL) {
    closedir(d);
    errno = ENOTEMPTY;
  }
  return d != NULL && names <= 2 ? OK : err_errno(e, path, "cannot write into it");
}

enum status temp_folder(struct temp *t, const char *path, struct err *e)
{
  int unused;
  return create(t, path, create_folder, &unused, e);
}

static void end(struct temp *t)
{
  cleanup_drop(t->cleanup);
  free(t->path);
  *t = (struct temp){0};
}

enum status temp_commit(struct temp *t, const char *path, struct err *e)
{
  if (rename(t->path, path) != 0)
    return err_errno(e, path, "cannot write");
  end(t);
  return OK;
}

void temp_abandon(struct temp *t)
{
  if (t->path == NULL)
    return;
  cleanup_remove(t->path);
  end(t);
}

const char *temp_dir(void)
{
  const char *dir = getenv("TMPDIR");
  return dir == NULL || *dir == '\0' ? "/tmp" : dir;
}

/* For file systems without unnamed files: creates a file and removes its name. */
static enum status named_then_unnamed(int *fd, const char *dir, struct err *e)
{
  struct temp t = {0};
  OWNED char *path = mem_printf(e, "%s/haichi", dir);
  if (path == NULL)
    return FAIL;
  enum status s = temp_file(&t, path, fd, e);
  if (s == OK)
    temp_abandon(&t);
  return s;
}

enum status temp_unnamed(int *fd, struct err *e)
{
  const char *dir = temp_dir();
  *fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (*fd >= 0)
    return OK;
  if (errno == EOPNOTSUPP || errno == EISDIR)
    return named_then_unnamed(fd, dir, e);
  return err_errno(e, dir, "cannot create a temporary file");
}

static enum status fail(const char *what, const char *how, struct err *e)
{
  char text[80];
  snprintf(text, sizeof text, "cannot %s %s", how, what);
  return err_errno(e, temp_dir(), text);
}

enum status temp_write(int fd, uint64_t at, const void *data, size_t size, const char *what,
                       struct err *e)
{
  for (size_t done = 0; done < size;) {
    const ssize_t n = pwrite(fd, (const char *)data + done, size - done, (off_t)(at + done));
    if (n < 0 && errno != EINTR)
      return fail(what, "write", e);
    done += n > 0 ? (size_t)n : 0;
  }
  return OK;
}

enum status temp_read(int fd, uint64_t at, void *data, size_t size, const char *what, struct err *e)
{
  for (size_t done = 0; done < size;) {
    const ssize_t n = pread(fd, (char *)data + done, size - done, (off_t)(at + done));
    if (n == 0)
      return err_set(e, "%s: %s was cut short", temp_dir(), what);
    if (n < 0 && errno != EINTR)
      return fail(what, "read", e);
    done += n > 0 ? (size_t)n : 0;
  }
  return OK;
}

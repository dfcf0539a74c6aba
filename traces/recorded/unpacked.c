#include "traces/recorded/unpacked.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/files/path.h"
#include "common/mem.h"
#include "traces/files/unpack.h"

/* NAMES: file names of an archive that are read to recognise its format.  DEPTH: levels of folders
 * that are searched in an unpacked archive. */
enum { NAMES = 8, DEPTH = 8 };

/* Size in bytes up to which a text in an archive may describe the trace instead of being one. */
enum { SMALL_TEXT = 1 << 16 };

/* --- search ---------------------------------------------------------------------------------- */

/* Main files below a folder. */
struct found {
  const struct unpacked_form *form;
  char *path; /* the first in the order of names; owned */
  uint32_t count;
  struct err *e;
  bool failed;
};

static void note_main(struct found *f, const char *path)
{
  if (*path_name(path) == '.' || !path_ends_with(path, f->form->ending) || !f->form->is_main(path))
    return;
  f->count++;
  if (f->path != NULL && strcmp(f->path, path) < 0)
    return;
  free(f->path);
  f->path = mem_strdup(path, f->e);
  f->failed |= f->path == NULL;
}

/* Looks at all files below @p folder, @p depth folders deep. */
static void search(struct found *f, const char *folder, int depth);

static void search_entry(struct found *f, const char *folder, const char *name, int depth)
{
  struct stat st;
  char *path = mem_printf(f->e, "%s/%s", folder, name);
  f->failed |= path == NULL;
  if (path != NULL && stat(path, &st) == 0) {
    if (S_ISREG(st.st_mode))
      note_main(f, path);
    else if (S_ISDIR(st.st_mode) && depth > 1)
      search(f, path, depth - 1);
  }
  free(path);
}

static void search(struct found *f, const char *folder, int depth)
{
  DIR *d = opendir(folder);
  for (const struct dirent *x; d != NULL && !f->failed && (x = readdir(d)) != NULL;)
    if (*x->d_name != '.')
      search_entry(f, folder, x->d_name, depth);
  if (d != NULL)
    closedir(d);
}

/* --- recognition ----------------------------------------------------------------------------- */

/* 1: a name of this format; -1: of another; 0: of any.  Large texts are traces of another format;
 * reading past them would take long. */
static int judge_name(const struct unpacked_form *form, const char *name, uint64_t size)
{
  if (*path_name(name) == '.')
    return 0;
  for (const char *const *ending = form->endings; *ending != NULL; ending++)
    if (path_ends_with(name, *ending))
      return 1;
  return path_ends_with(name, ".txt") && size > SMALL_TEXT ? -1 : 0;
}

static bool sniff_archive(const struct unpacked_form *form, const char *path)
{
  struct unpack *u;
  struct err e;
  int verdict = 0;
  if (unpack_file(&u, path, &e) != OK)
    return false;
  for (int i = 0; verdict == 0 && i < NAMES && unpack_form(u) == UNPACK_ARCHIVE;) {
    const char *name;
    if (unpack_next(u, &name, &e) != OK || name == NULL)
      break;
    verdict = judge_name(form, name, unpack_size(u));
    i += *path_name(name) != '.';
  }
  unpack_free(u);
  return verdict > 0;
}

bool unpacked_sniff(const struct unpacked_form *form, const char *path)
{
  struct err e;
  struct found f = {.form = form, .e = &e};
  if (path_is_folder(path)) {
    search(&f, path, 1);
    free(f.path);
    return f.count > 0;
  }
  return path_is_regular(path) && (form->is_main(path) || sniff_archive(form, path));
}

/* --- unpacking ------------------------------------------------------------------------------- */

/* Makes the folders of a path below @p root. */
static enum status make_folders(const char *path, size_t root, struct err *e)
{
  char *copy = mem_strdup(path, e);
  if (copy == NULL)
    return FAIL;
  enum status s = OK;
  for (char *slash = copy + root + 1; s == OK && (slash = strchr(slash, '/')) != NULL; slash++) {
    *slash = '\0';
    if (mkdir(copy, 0777) != 0 && errno != EEXIST)
      s = err_errno(e, copy, "cannot create");
    *slash = '/';
  }
  free(copy);
  return s;
}

static bool leaves_folder(const char *name)
{
  const size_t n = strlen(name);
  return strncmp(name, "../", 3) == 0 || strstr(name, "/../") != NULL || strcmp(name, "..") == 0 ||
         (n >= 3 && strcmp(name + n - 3, "/..") == 0);
}

static enum status unpack_member(struct unpacked *x, struct unpack *u, const char *name,
                                 struct err *e)
{
  char *path = mem_printf(e, "%s/%s", x->temp.path, name);
  enum status s = path == NULL ? FAIL : make_folders(path, strlen(x->temp.path), e);
  FILE *f = s != OK ? NULL : fopen(path, "wx");
  if (s == OK && f == NULL)
    s = err_errno(e, path, "cannot create");
  if (s == OK)
    s = unpack_write(u, f, x->budget.limit, &x->budget.used, e);
  if (f != NULL && fclose(f) != 0 && s == OK)
    s = err_errno(e, path, "cannot write");
  free(path);
  return s;
}

static enum status unpack_all(struct unpacked *x, struct unpack *u, struct err *e)
{
  for (;;) {
    const char *name;
    if (unpack_next(u, &name, e) != OK)
      return FAIL;
    if (name == NULL)
      return OK;
    if (*path_name(name) == '.')
      continue;
    if (leaves_folder(name))
      return err_set(e, "%s: the file '%.256s' in it leads out of the archive", x->main, name);
    if (unpack_member(x, u, name, e) != OK)
      return FAIL;
  }
}

/* Unpacks the archive x->main into a folder in temp_dir(). */
static enum status unpack_archive(struct unpacked *x, struct err *e)
{
  struct unpack *u;
  char *folder = mem_printf(e, "%s/haichi-trace", temp_dir());
  enum status s = folder == NULL ? FAIL : temp_folder(&x->temp, folder, e);
  free(folder);
  if (s != OK || unpack_file(&u, x->main, e) != OK)
    return FAIL;
  s = unpack_all(x, u, e);
  unpack_free(u);
  return s;
}

static enum status find_main(struct unpacked *x, const struct unpacked_form *form,
                             const char *folder, int depth, struct err *e)
{
  struct found f = {.form = form, .e = e};
  search(&f, folder, depth);
  if (!f.failed && f.count != 1)
    (void)(f.count == 0 ? err_set(e, "%s: contains no %s", x->main, form->what)
                        : err_set(e, "%s: %u files '*%s' in it; name one of them", x->main, f.count,
                                  form->ending));
  if (f.failed || f.count != 1) {
    free(f.path);
    return FAIL;
  }
  free(x->main);
  x->main = f.path;
  return OK;
}

enum status unpacked_open(struct unpacked *u, const struct unpacked_form *form, const char *path,
                          uint64_t limit, struct err *e)
{
  enum status s = OK;
  *u = (struct unpacked){.main = mem_strdup(path, e), .budget = {.limit = limit}};
  if (u->main == NULL)
    return FAIL;
  if (path_is_folder(path))
    s = find_main(u, form, path, 1, e);
  else if (!form->is_main(path) && (s = unpack_archive(u, e)) == OK)
    s = find_main(u, form, u->temp.path, DEPTH, e);
  if (s != OK)
    unpacked_clear(u);
  return s;
}

void unpacked_clear(struct unpacked *u)
{
  free(u->main);
  temp_abandon(&u->temp);
  *u = (struct unpacked){0};
}

char *unpacked_name(const struct unpacked *u, const char *name, const char *file, struct err *e)
{
  const size_t n = u->temp.path == NULL ? 0 : strlen(u->temp.path);
  if (n > 0 && strncmp(file, u->temp.path, n) == 0)
    return mem_printf(e, "%s%s", name, file + n);
  return mem_strdup(file, e);
}

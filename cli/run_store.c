#define _GNU_SOURCE
#include "cli/run_store.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/linefile.h"
#include "common/outfile.h"

/* Hexadecimal digits of the checksum that name a file. */
enum { KEY_DIGITS = 32 };

void run_store_key(struct run_store *s)
{
  checksum_text(s->identity, s->key);
  s->key[KEY_DIGITS] = '\0';
}

char *run_store_path(const struct run_store *s, const char *suffix, struct err *e)
{
  char *path;
  if (asprintf(&path, "%s/%s%s", s->folder, s->key, suffix) >= 0)
    return path;
  err_set(e, "out of memory");
  return NULL;
}

/* The first lines of the file against the identity. */
static enum status check_identity(struct linefile *in, const char *identity, struct err *e)
{
  bool more;
  for (const char *p = identity; *p != '\0';) {
    const size_t n = strcspn(p, "\n");
    if (linefile_next(in, &more, e) != OK)
      return FAIL;
    if (!more)
      return err_at(e, in->path, in->line + 1, "the file ends within its first lines");
    if (in->length != n + 2 || memcmp(in->text, "# ", 2) != 0 || memcmp(in->text + 2, p, n) != 0)
      return err_at(e, in->path, in->line, "this is another run's: expected '# %.*s'", (int)n, p);
    p += n + (p[n] == '\n');
  }
  return OK;
}

static enum status read_run(struct linefile *in, const char *identity, struct run_result *r,
                            struct err *e)
{
  struct run_result read = {.status = RUN_STATUSES};
  bool more;
  struct err why;
  if (check_identity(in, identity, e) != OK)
    return FAIL;
  enum status s;
  while ((s = linefile_next(in, &more, e)) == OK && more)
    if (run_result_load(&read, in->text, &why) != OK)
      return err_at(e, in->path, in->line, "%s", why.text);
  if (s != OK)
    return FAIL;
  if (read.status == RUN_STATUSES)
    return err_at(e, in->path, in->line + 1, "the file ends without a status");
  *r = read;
  return OK;
}

enum status run_store_load(const struct run_store *s, struct run_result *r, bool *found,
                           struct err *e)
{
  struct linefile in;
  char *path = run_store_path(s, ".tsv", e);
  if (path == NULL)
    return FAIL;
  enum status status = OK;
  *found = access(path, F_OK) == 0;
  if (*found && (status = linefile_open(&in, path, e)) == OK) {
    status = read_run(&in, s->identity, r, e);
    linefile_close(&in);
  }
  free(path);
  return status;
}

static void print_identity(const char *identity, FILE *f)
{
  for (const char *p = identity; *p != '\0';) {
    const int n = (int)strcspn(p, "\n");
    fprintf(f, "# %.*s\n", n, p);
    p += n + (p[n] == '\n');
  }
}

enum status run_store_save(const struct run_store *s, const struct run_result *r, struct err *e)
{
  struct outfile o;
  char *path = run_store_path(s, ".tsv", e);
  if (path == NULL)
    return FAIL;
  enum status status = outfile_open(&o, path, e);
  if (status == OK) {
    o.durable = true;
    print_identity(s->identity, o.f);
    run_result_save(r, o.f);
    status = outfile_commit(&o, e);
  }
  free(path);
  return status;
}

/* The names of temporary files are those of the files with six letters behind: outfile.c. */
static bool is_leftover(const char *name)
{
  const char *dot = strrchr(name, '.');
  return name[0] != '.' && dot != NULL && strlen(dot) == 7 && strstr(name, ".tsv.") != NULL;
}

enum status run_store_clean(const char *folder, struct err *e)
{
  DIR *d = opendir(folder);
  const struct dirent *entry;
  if (d == NULL)
    return err_errno(e, folder, "cannot open");
  while ((entry = readdir(d)) != NULL)
    if (is_leftover(entry->d_name))
      unlinkat(dirfd(d), entry->d_name, 0);
  closedir(d);
  return OK;
}

#include "campaign/run/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "campaign/results/provenance.h"
#include "common/files/linefile.h"
#include "common/files/outfile.h"
#include "common/files/textout.h"
#include "common/mem.h"

/* Number of leading hexadecimal digits of the identity's checksum in the name of a file. */
enum { KEY_DIGITS = 32 };

void run_store_key(struct run_store *s)
{
  checksum_text(s->identity, s->key);
  s->key[KEY_DIGITS] = '\0';
}

char *run_store_path(const struct run_store *s, const char *suffix, struct err *e)
{
  return mem_printf(e, "%s/%s%s", s->folder, s->key, suffix);
}

/* Compares the first lines of the file with the identity. */
static enum status check_identity(struct linefile *in, const char *identity, struct err *e)
{
  bool more;
  for (const char *p = identity; *p != '\0';) {
    const size_t n = strcspn(p, "\n");
    if (linefile_next(in, &more, e) != OK)
      return FAIL;
    if (!more)
      return err_at(e, in->path, in->line + 1, "the file ends before its identity is complete");
    if (in->length != n + 2 || memcmp(in->text, "# ", 2) != 0 || memcmp(in->text + 2, p, n) != 0)
      return err_at(e, in->path, in->line, "the file belongs to another run: expected '# %.*s'",
                    (int)n, p);
    p += n + (p[n] == '\n');
  }
  return OK;
}

static const char CHECKSUM[] = "checksum\t";

/* Appends the current line to @p all, unless it is the checksum line: then compares it with the
 * checksum of @p all.  Sets *last to true for the checksum line, and to false for others. */
static enum status check_line(const struct linefile *in, const struct textout *all, bool *last,
                              struct err *e)
{
  char hex[CHECKSUM_SIZE];
  *last = strncmp(in->text, CHECKSUM, sizeof CHECKSUM - 1) == 0;
  if (!*last) {
    fprintf(all->f, "%s\n", in->text);
    return OK;
  }
  if (fflush(all->f) != 0)
    return err_set(e, "out of memory");
  checksum_text(all->text, hex);
  if (strcmp(in->text + sizeof CHECKSUM - 1, hex) != 0)
    return err_at(e, in->path, in->line, "the file was changed: its checksum is %s", hex);
  return OK;
}

/* Reads the lines after the identity. */
static enum status read_lines(struct linefile *in, const struct textout *all, struct run_result *r,
                              struct err *e)
{
  bool more, last = false;
  enum status s;
  while ((s = linefile_next(in, &more, e)) == OK && more && !last) {
    if ((s = check_line(in, all, &last, e)) != OK)
      break;
    if (!last && run_result_load(r, in->text, e) != OK)
      return err_place(e, in->path, in->line);
  }
  if (s != OK)
    return FAIL;
  if (more || !last || r->status == RUN_STATUSES)
    return err_at(e, in->path, in->line + 1,
                  more ? "a line after the checksum" : "the file ends without a checksum");
  return OK;
}

static enum status read_run(struct linefile *in, const char *identity, struct run_result *r,
                            struct err *e)
{
  struct run_result read = {.status = RUN_STATUSES};
  struct textout all;
  if (check_identity(in, identity, e) != OK || textout_begin(&all, e) != OK)
    return FAIL;
  provenance_print_lines(identity, all.f);
  char *text = textout_end(&all, read_lines(in, &all, &read, e), e);
  if (text != NULL)
    *r = read;
  free(text);
  return text != NULL ? OK : FAIL;
}

enum status run_store_load(const struct run_store *s, struct run_result *r, bool *found,
                           struct err *e)
{
  struct linefile in;
  struct stat st;
  char *path = run_store_path(s, ".tsv", e);
  if (path == NULL)
    return FAIL;
  *found = lstat(path, &st) == 0;
  enum status status = *found ? outfile_check_plain(path, e) : OK;
  if (*found && status == OK && (status = linefile_open(&in, path, e)) == OK) {
    status = read_run(&in, s->identity, r, e);
    linefile_close(&in);
  }
  free(path);
  return status;
}

/* Renames a folder to "PATH.aside-N".  N is the lowest number, from 1, for which no such file
 * exists. */
static enum status move_aside(const char *path, struct err *e)
{
  for (unsigned n = 1;; n++) {
    char *aside = mem_printf(e, "%s.aside-%u", path, n);
    if (aside == NULL)
      return FAIL;
    const bool moved = renameat2(AT_FDCWD, path, AT_FDCWD, aside, RENAME_NOREPLACE) == 0;
    free(aside);
    if (moved)
      return OK;
    if (errno != EEXIST)
      return err_errno(e, path, "cannot move aside");
  }
}

enum status run_store_make_room(const char *path, struct err *e)
{
  if (unlink(path) == 0 || errno == ENOENT)
    return OK;
  return errno == EISDIR ? move_aside(path, e) : err_errno(e, path, "cannot remove");
}

static enum status write_run(const struct run_store *s, const struct run_result *r, FILE *f,
                             struct err *e)
{
  char hex[CHECKSUM_SIZE];
  struct textout all;
  if (textout_begin(&all, e) != OK)
    return FAIL;
  provenance_print_lines(s->identity, all.f);
  run_result_save(r, all.f);
  char *text = textout_end(&all, OK, e);
  if (text == NULL)
    return FAIL;
  checksum_text(text, hex);
  fprintf(f, "%s%s%s\n", text, CHECKSUM, hex);
  free(text);
  return OK;
}

enum status run_store_save(const struct run_store *s, const struct run_result *r, struct err *e)
{
  struct outfile o;
  char *path = run_store_path(s, ".tsv", e);
  if (path == NULL)
    return FAIL;
  enum status status = outfile_open(&o, path, e);
  free(path);
  if (status != OK)
    return FAIL;
  o.durable = true;
  if (write_run(s, r, o.f, e) == OK)
    return outfile_commit(&o, e);
  outfile_abandon(&o);
  return FAIL;
}

/* True for a temporary file of a stored run: its name is the name of the run's file, a dot and six
 * characters (temp.c). */
static bool is_leftover(const char *name)
{
  const char *dot = strrchr(name, '.');
  return name[0] != '.' && dot != NULL && strlen(dot) == 7 && strstr(name, ".tsv.") != NULL;
}

enum status run_store_remove_partial(const char *folder, struct err *e)
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

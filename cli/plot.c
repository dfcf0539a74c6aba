#define _GNU_SOURCE
#include "cli/plot.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/gnuplot.h"
#include "common/outfile.h"

static const struct plot_kind *const KINDS[] = {&plot_speedup, &plot_metrics, &plot_matrix,
                                                &plot_links, &plot_timeline};

#define KIND_COUNT (sizeof KINDS / sizeof *KINDS)

enum status plot_kind_find(const char *name, const struct plot_kind **out, struct err *e)
{
  char names[64] = "";
  for (size_t i = 0; i < KIND_COUNT; i++) {
    if (strcmp(KINDS[i]->name, name) == 0) {
      *out = KINDS[i];
      return OK;
    }
    err_list(names, sizeof names, KINDS[i]->name);
  }
  return err_set(e, "unknown kind of plot '%.64s'; there are: %s", name, names);
}

enum status plot_nothing(const struct plot *p)
{
  if (p->nothing != NULL)
    *p->nothing = true;
  return FAIL;
}

/* "svg" or "png"; NULL for any other ending. */
static const char *picture_format(const char *path)
{
  const size_t n = strlen(path);
  if (n > 4 && strcmp(path + n - 4, ".svg") == 0)
    return "svg";
  return n > 4 && strcmp(path + n - 4, ".png") == 0 ? "png" : NULL;
}

enum status plot_check_output(const char *path, struct err *e)
{
  if (picture_format(path) == NULL)
    return err_set(e, "the picture '%.200s' ends neither in .svg nor in .png", path);
  for (const char *c = path; *c != '\0'; c++)
    if ((unsigned char)*c < ' ' || *c == 127)
      return err_set(e, "the picture's name has a control character");
  return OK;
}

/* A file for gnuplot to read that has no name any more: nothing is left of it, however this
 * ends. */
static FILE *open_settings(struct err *e)
{
  const char *dir = getenv("TMPDIR");
  char *path;
  if (asprintf(&path, "%s/haichi-XXXXXX", dir == NULL || *dir == '\0' ? "/tmp" : dir) < 0) {
    err_set(e, "out of memory");
    return NULL;
  }
  const int fd = mkostemp(path, O_CLOEXEC);
  FILE *f = fd < 0 ? NULL : fdopen(fd, "w+");
  if (f == NULL)
    err_errno(e, path, "cannot create");
  if (fd >= 0)
    unlink(path);
  if (fd >= 0 && f == NULL)
    close(fd);
  free(path);
  return f;
}

/* A name that begins with '|' would be a command for gnuplot. */
static void write_output(FILE *f, const char *format, const char *path)
{
  fputs("output = ", f);
  fputs(*path == '/' ? "" : "'./'.", f);
  gnuplot_quote(f, path);
  fputc('\n', f);
  gnuplot_text(f, "format", format);
}

/* Has gnuplot draw into @p picture. */
static enum status draw(const struct plot *p, const struct plot_kind *kind, const char *picture,
                        struct err *e)
{
  FILE *f = open_settings(e);
  if (f == NULL)
    return FAIL;
  write_output(f, picture_format(p->output), picture);
  enum status s = kind->write(p, f, e);
  if (s == OK && (fflush(f) != 0 || ferror(f)))
    s = err_errno(e, "temporary file", "cannot write");
  if (s == OK)
    s = gnuplot_run(f, kind->name, e);
  fclose(f);
  struct stat st;
  if (s == OK && (stat(picture, &st) != 0 || (S_ISREG(st.st_mode) && st.st_size == 0)))
    s = err_set(e, "%s: gnuplot has drawn nothing", p->output);
  return s;
}

enum status plot_draw(const struct plot *p, struct err *e)
{
  const struct plot_kind *kind = NULL;
  struct outfile o;
  if (plot_kind_find(p->kind, &kind, e) != OK || plot_check_output(p->output, e) != OK)
    return FAIL;
  if (p->inputs == 0 || p->inputs > kind->most)
    return err_set(e, "%s takes %zu file%s, not %zu", kind->name, kind->most,
                   kind->most == 1 ? "" : "s at most", p->inputs);
  if (outfile_open(&o, p->output, e) != OK)
    return FAIL;
  if (draw(p, kind, o.temp != NULL ? o.temp : o.path, e) == OK)
    return outfile_commit(&o, e);
  outfile_abandon(&o);
  return FAIL;
}

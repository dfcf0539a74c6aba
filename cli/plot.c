#define _GNU_SOURCE
#include "cli/plot.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/gnuplot.h"
#include "common/mem.h"
#include "common/memfile.h"
#include "common/names.h"
#include "common/outfile.h"

static const struct plot_kind *const KINDS[] = {&plot_speedup, &plot_metrics, &plot_matrix,
                                                &plot_links, &plot_timeline};

#define KIND_COUNT (sizeof KINDS / sizeof *KINDS)

static const char *kind_name(size_t i)
{
  return i < KIND_COUNT ? KINDS[i]->name : NULL;
}

enum status plot_kind_find(const char *name, const struct plot_kind **out, struct err *e)
{
  size_t row;
  if (names_get(kind_name, "kind of plot", name, &row, e) != OK)
    return FAIL;
  *out = KINDS[row];
  return OK;
}

enum status plot_nothing(const struct plot *p)
{
  if (p->nothing != NULL)
    *p->nothing = true;
  return FAIL;
}

/* Formats, and what a whole picture ends with. */
static const struct format {
  const char *name, *end;
} FORMATS[] = {{"svg", "</svg>"}, {"png", "IEND"}, {"pdf", "%%EOF"}, {"eps", "%%EOF"}};

#define FORMAT_COUNT (sizeof FORMATS / sizeof *FORMATS)

const char *plot_format(size_t i)
{
  return i < FORMAT_COUNT ? FORMATS[i].name : NULL;
}

/* By the ending of the name; NULL for any other. */
static const struct format *picture_format(const char *path)
{
  const char *dot = strrchr(path, '.');
  size_t row;
  if (dot == NULL || dot == path || !names_find(plot_format, dot + 1, strlen(dot + 1), &row))
    return NULL;
  return &FORMATS[row];
}

enum status plot_check_output(const char *path, struct err *e)
{
  if (picture_format(path) == NULL)
    return err_set(e, "the picture '%.200s' does not end in .svg, .png, .pdf or .eps", path);
  for (const char *c = path; *c != '\0'; c++)
    if ((unsigned char)*c < ' ' || *c == 127)
      return err_set(e, "the picture's name has a control character");
  return OK;
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

/* gnuplot does not say when the disk is full: does the picture end as it should? */
static enum status check_whole(const char *picture, const struct format *format, struct err *e)
{
  char last[16] = "";
  struct stat st;
  FILE *f = fopen(picture, "re");
  if (f == NULL || fstat(fileno(f), &st) != 0 || st.st_size == 0) {
    if (f != NULL)
      fclose(f);
    return err_set(e, "gnuplot has drawn nothing");
  }
  const bool whole = fseek(f, -12, SEEK_END) == 0 && fread(last, 1, 12, f) == 12 &&
                     memmem(last, 12, format->end, strlen(format->end)) != NULL;
  fclose(f);
  return whole ? OK : err_set(e, "gnuplot could not write all of the picture");
}

/* Has gnuplot draw into the file @p picture. */
static enum status draw(const struct plot *p, const struct plot_kind *kind, const char *picture,
                        struct err *e)
{
  struct err why;
  struct memfile settings;
  const struct format *format = picture_format(p->output);
  if (memfile_open(&settings, "settings of gnuplot", e) != OK)
    return FAIL;
  write_output(settings.f, format->name, picture);
  enum status s = kind->write(p, settings.f, e);
  if (s == OK)
    s = memfile_flush(&settings, e);
  if (s == OK)
    s = gnuplot_run(settings.f, kind->name, e);
  memfile_close(&settings);
  if (s == OK && check_whole(picture, format, &why) != OK)
    s = err_set(e, "%s: %s", p->output, why.text);
  return s;
}

/* PDF and EPS say when they were made; the same picture is to be the same bytes. */
static void set_date(char *text, size_t n)
{
  static const struct {
    const char *before, *date;
  } DATES[] = {{"/CreationDate (D:", "20000101000000"},
               {"%%CreationDate: ", "Sat Jan  1 00:00:00 2000"}};
  for (size_t i = 0; i < sizeof DATES / sizeof *DATES; i++) {
    const size_t k = strlen(DATES[i].before), length = strlen(DATES[i].date);
    char *at = memmem(text, n, DATES[i].before, k);
    if (at != NULL && (size_t)(at - text) + k + length <= n)
      memcpy(at + k, DATES[i].date, length);
  }
}

static enum status copy(FILE *from, FILE *to, struct err *e)
{
  struct stat st;
  if (fstat(fileno(from), &st) != 0)
    return err_errno(e, "picture", "cannot read");
  const size_t n = (size_t)st.st_size;
  char *text = mem_array(n, 1, e);
  if (text == NULL)
    return FAIL;
  rewind(from);
  const enum status s = fread(text, 1, n, from) == n ? OK : err_errno(e, "picture", "cannot read");
  set_date(text, n);
  if (s == OK)
    fwrite(text, 1, n, to); /* whether it fails is asked when it is committed */
  free(text);
  return s;
}

/* gnuplot draws into memory: it would not say that a device takes no more, and could make a file
 * again that a signal has had removed. */
static enum status draw_through(const struct plot *p, const struct plot_kind *kind, FILE *to,
                                struct err *e)
{
  struct memfile picture;
  if (memfile_open(&picture, "picture", e) != OK)
    return FAIL;
  enum status s = draw(p, kind, picture.path, e);
  if (s == OK)
    s = copy(picture.f, to, e);
  memfile_close(&picture);
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
  if (draw_through(p, kind, o.f, e) == OK)
    return outfile_commit(&o, e);
  outfile_abandon(&o);
  return FAIL;
}

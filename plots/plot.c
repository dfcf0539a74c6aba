#include "plots/plot.h"

#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

#include "common/files/memfile.h"
#include "common/files/outfile.h"
#include "common/mem.h"
#include "common/registry.h"
#include "plots/gnuplot.h"
#include "plots/pdf.h"

#define LIST(ROW)                                                                                  \
  ROW(plot_speedup)                                                                                \
  ROW(plot_metrics)                                                                                \
  ROW(plot_makespan)                                                                               \
  ROW(plot_use)                                                                                    \
  ROW(plot_matrix)                                                                                 \
  ROW(plot_links)                                                                                  \
  ROW(plot_timeline)                                                                               \
  ROW(plot_fit)                                                                                    \
  ROW(plot_calibration)                                                                            \
  ROW(plot_latency)                                                                                \
  ROW(plot_sweep)                                                                                  \
  ROW(plot_wan)                                                                                    \
  ROW(plot_collective)                                                                             \
  ROW(plot_block_series)                                                                           \
  ROW(plot_block_times)                                                                            \
  ROW(plot_block_error)

#define DECLARE(row) extern const struct plot_kind row;
LIST(DECLARE)

const struct registry plot_kinds = REGISTRY("kind of plot", LIST);

void plot_label(const struct plot *p, size_t i, char label[GNUPLOT_LABEL_SIZE])
{
  if (p->label != NULL)
    gnuplot_label(label, p->label[i]);
  else
    gnuplot_file_label(label, p->input[i]);
}

enum status plot_nothing(const struct plot *p, struct err *e, const char *fmt, ...)
{
  char text[sizeof e->text];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  if (p->nothing != NULL)
    *p->nothing = true;
  return err_set(e, "%s", text);
}

/* Formats, and the bytes at the end of a complete picture. */
struct format {
  const char *name, *end;
};

static const struct format SVG = {"svg", "</svg>"}, PNG = {"png", "IEND"}, PDF = {"pdf", "%%EOF"},
                           EPS = {"eps", "%%EOF"};

#define FORMATS(ROW) ROW(SVG) ROW(PNG) ROW(PDF) ROW(EPS)

const struct registry plot_formats = REGISTRY("format", FORMATS);

/* Finds the format by the extension; NULL if it is unknown. */
static const struct format *picture_format(const char *path)
{
  const char *dot = strrchr(path, '.');
  return dot == NULL || dot == path ? NULL : registry_find(&plot_formats, dot + 1, strlen(dot + 1));
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

/* The prefix './' keeps gnuplot from running a path that begins with '|' as a command. */
static void write_output(FILE *f, const char *format, const char *path)
{
  fputs("output = ", f);
  fputs(*path == '/' ? "" : "'./'.", f);
  gnuplot_quote(f, path);
  fputc('\n', f);
  gnuplot_text(f, "format", format);
}

/* gnuplot does not report a full disk, so this checks the end of the picture. */
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

static enum status append(FILE *to, FILE *from, struct err *e)
{
  char buffer[65536];
  size_t n;
  rewind(from);
  while ((n = fread(buffer, 1, sizeof buffer, from)) > 0)
    fwrite(buffer, 1, n, to);
  return ferror(from) ? err_errno(e, "settings of gnuplot", "cannot read") : OK;
}

/* Lets gnuplot draw @p data into the file @p picture; errors name it @p output. */
static enum status draw(const char *template, FILE *data, const char *output, const char *picture,
                        struct err *e)
{
  struct memfile settings;
  const struct format *format = picture_format(output);
  if (memfile_open(&settings, "settings of gnuplot", e) != OK)
    return FAIL;
  write_output(settings.f, format->name, picture);
  enum status s = append(settings.f, data, e) == OK && memfile_flush(&settings, e) == OK
                      ? gnuplot_run(settings.f, template, e)
                      : FAIL;
  memfile_close(&settings);
  if (s == OK && check_whole(picture, format, e) != OK)
    s = err_prefix(e, "%s: ", output);
  return s;
}

/* EPS contains its date of creation.  A constant makes equal pictures equal files. */
static void set_eps_date(char *text, size_t n)
{
  static const char BEFORE[] = "%%CreationDate: ", DATE[] = "Sat Jan  1 00:00:00 2000";
  const size_t k = sizeof BEFORE - 1, length = sizeof DATE - 1;
  char *at = memmem(text, n, BEFORE, k);
  if (at != NULL && (size_t)(at - text) + k + length <= n)
    memcpy(at + k, DATE, length);
}

static enum status copy(const char *output, FILE *from, FILE *to, struct err *e)
{
  const bool pdf = strcmp(picture_format(output)->name, "pdf") == 0;
  struct stat st;
  if (fstat(fileno(from), &st) != 0)
    return err_errno(e, "picture", "cannot read");
  const size_t n = (size_t)st.st_size;
  OWNED char *text = mem_array(n, 1, e);
  if (text == NULL)
    return FAIL;
  rewind(from);
  enum status s = fread(text, 1, n, from) == n ? OK : err_errno(e, "picture", "cannot read");
  set_eps_date(text, n);
  if (s == OK && pdf)
    s = pdf_write_dateless(text, n, to, e);
  else if (s == OK)
    fwrite(text, 1, n, to); /* outfile_commit() reports a failure */
  return s;
}

/* Lets gnuplot draw into memory.  If gnuplot wrote the file, it would not report a full disk, and
 * could recreate a temporary file that a signal handler has removed. */
static enum status draw_through(const char *template, FILE *data, const char *output, FILE *to,
                                struct err *e)
{
  struct memfile picture;
  if (memfile_open(&picture, "picture", e) != OK)
    return FAIL;
  const enum status s =
      draw(template, data, output, picture.path, e) == OK ? copy(output, picture.f, to, e) : FAIL;
  memfile_close(&picture);
  return s;
}

/* Draws and commits the open outputs; *done is the number of committed outputs. */
static enum status draw_all(const struct plot *p, const struct plot_kind *kind, FILE *data,
                            struct outfile *o, size_t *done, struct err *e)
{
  const char *template = kind->template == NULL ? kind->name : kind->template(p);
  for (; *done < p->outputs; ++*done)
    if (draw_through(template, data, p->output[*done], o[*done].f, e) != OK ||
        outfile_commit(&o[*done], e) != OK)
      return FAIL;
  return OK;
}

static enum status draw_into(const struct plot *p, const struct plot_kind *kind, struct outfile *o,
                             struct err *e)
{
  struct memfile data;
  size_t opened = 0, done = 0;
  enum status s = memfile_open(&data, "settings of gnuplot", e);
  if (s != OK)
    return FAIL;
  for (; s == OK && opened < p->outputs; opened += s == OK)
    s = outfile_open(&o[opened], p->output[opened], e);
  if (s == OK)
    s = kind->write(p, data.f, e);
  if (s == OK)
    s = memfile_flush(&data, e);
  if (s == OK)
    s = draw_all(p, kind, data.f, o, &done, e);
  memfile_close(&data);
  for (; done < opened; done++)
    outfile_abandon(&o[done]);
  return s;
}

/* The kind, if it can be drawn from these inputs; NULL with @p e filled if not. */
static const struct plot_kind *checked_kind(const struct plot *p, struct err *e)
{
  const struct plot_kind *kind = registry_get(&plot_kinds, p->kind, e);
  if (kind == NULL)
    return NULL;
  if (kind->needs_platform && p->platform == NULL)
    err_set(e, "a plot of %s needs the platform", kind->name);
  else if (p->inputs == 0 || p->inputs > kind->most)
    err_set(e, "%s takes %zu file%s, not %zu", kind->name, kind->most,
            kind->most == 1 ? "" : "s at most", p->inputs);
  else
    return kind;
  return NULL;
}

enum status plot_draw_to(const struct plot *p, const char *format, FILE *f, struct err *e)
{
  char name[64];
  struct memfile data;
  const struct plot_kind *kind = checked_kind(p, e);
  if (kind == NULL || memfile_open(&data, "settings of gnuplot", e) != OK)
    return FAIL;
  snprintf(name, sizeof name, "picture.%s", format);
  enum status s = kind->write(p, data.f, e) == OK ? memfile_flush(&data, e) : FAIL;
  if (s == OK)
    s = draw_through(kind->template == NULL ? kind->name : kind->template(p), data.f, name, f, e);
  memfile_close(&data);
  return s;
}

enum status plot_draw(const struct plot *p, struct err *e)
{
  const struct plot_kind *kind = checked_kind(p, e);
  if (kind == NULL)
    return FAIL;
  for (size_t i = 0; i < p->outputs; i++)
    if (plot_check_output(p->output[i], e) != OK)
      return FAIL;
  OWNED struct outfile *o = mem_array(p->outputs, sizeof *o, e);
  return o == NULL ? FAIL : draw_into(p, kind, o, e);
}

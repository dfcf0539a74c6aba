#include "plots/gnuplot.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "campaign/remote/tool.h"
#include "common/files/share.h"
#include "common/process/child.h"
#include "common/process/machine.h"
#include "common/utf8.h"

/* In pixels of the canvas of plot_common.gp: left and right edge of the legend, width of a symbol,
 * gap between entries. */
#define KEY_LEFT   10
#define KEY_RIGHT  635
#define KEY_SAMPLE 20
#define KEY_GAP    18

/* Time limit in s; the largest pictures, with many thousand series, take a minute. */
enum { LONGEST_S = 600 };

/* Exit code of a child that cannot execute gnuplot; a shell has it for unknown commands. */
enum { CANNOT_RUN = 127 };

#define FILE_ROOM (SHARE_ROOM + 64)

/* Runs in the child. gnuplot repeats a wrong line; its last line of output is the error. */
static int become_gnuplot(void *arg)
{
  char *const *argv = arg;
  execvp(argv[0], argv);
  fprintf(stderr, "cannot run: %s\n", strerror(errno));
  return CANNOT_RUN;
}

#define PACKAGE "Debian has it in package gnuplot-nox"

enum status gnuplot_check(struct err *e)
{
  return tool_exists("gnuplot") ? OK : err_set(e, "there is no gnuplot: " PACKAGE);
}

static enum status check_end(const struct child *c, const struct child_end *end, bool timeout,
                             struct err *e)
{
  const char *said = c->last[0] == '\0' ? "no message" : c->last;
  if (timeout)
    return err_set(e, "gnuplot was ended after %d s: %s", LONGEST_S, said);
  if (end->signal != 0)
    return err_set(e, "gnuplot was ended by signal %d: %s", end->signal, said);
  if (end->code == CANNOT_RUN)
    return err_set(e, "gnuplot: %s (" PACKAGE ")", said);
  return end->code == 0 ? OK : err_set(e, "gnuplot failed: %s", said);
}

enum status gnuplot_run(FILE *settings, const char *kind, struct err *e)
{
  char program[] = "gnuplot", defaults[] = "-d", input[] = "/dev/stdin";
  char folder[SHARE_ROOM], common[FILE_ROOM], template[FILE_ROOM];
  if (share_scripts(folder, "plot_common.gp", e) != OK)
    return FAIL;
  snprintf(common, sizeof common, "%s/plot_common.gp", folder);
  snprintf(template, sizeof template, "%s/plot_%s.gp", folder, kind);
  rewind(settings);
  char *argv[] = {program, defaults, input, common, template, NULL};
  const struct child_spec spec = {.run = become_gnuplot,
                                  .arg = argv,
                                  .input = fileno(settings),
                                  .keep = -1,
                                  .parent_signal = SIGKILL,
                                  .memory = machine_memory() / 4 * 3};
  struct child c;
  struct child_end end;
  bool timeout;
  if (child_start(&c, &spec, e) != OK || child_wait(&c, LONGEST_S, &end, &timeout, e) != OK)
    return FAIL;
  return check_end(&c, &end, timeout, e);
}

void gnuplot_quote(FILE *f, const char *text)
{
  fputc('\'', f);
  for (const char *at = text; *at != '\0'; at++) {
    const unsigned char c = (unsigned char)*at;
    const bool ends_section = at - text >= 2 && strncmp(at - 2, "]]>", 3) == 0;
    if (c == '\'')
      fputc(c, f);
    fputc(c < ' ' || c == 127 || ends_section ? '?' : c, f);
  }
  fputc('\'', f);
}

void gnuplot_tick(FILE *f, const char *label)
{
  char doubled[2 * GNUPLOT_LABEL_SIZE];
  size_t n = 0;
  for (; *label != '\0' && n + 2 < sizeof doubled; label++) {
    doubled[n++] = *label;
    if (*label == '%')
      doubled[n++] = '%';
  }
  doubled[n] = '\0';
  gnuplot_quote(f, doubled);
}

void gnuplot_text(FILE *f, const char *name, const char *text)
{
  fprintf(f, "%s = ", name);
  gnuplot_quote(f, text);
  fputc('\n', f);
}

void gnuplot_label_part(char label[GNUPLOT_LABEL_SIZE], const char *text, size_t n)
{
  const size_t half = (GNUPLOT_LABEL_SIZE - 4) / 2;
  if (n < GNUPLOT_LABEL_SIZE)
    snprintf(label, GNUPLOT_LABEL_SIZE, "%.*s", (int)n, text);
  else
    snprintf(label, GNUPLOT_LABEL_SIZE, "%.*s...%.*s", (int)half, text, (int)half, text + n - half);
  for (size_t i = 0, k; label[i] != '\0'; i += k) {
    k = utf8_bytes(label + i);
    if (k == 0) {
      label[i] = '?';
      k = 1;
    }
  }
}

void gnuplot_label(char label[GNUPLOT_LABEL_SIZE], const char *text)
{
  gnuplot_label_part(label, text, strlen(text));
}

/* The length of @p text without the extensions of compressed files, archives and text files. */
static size_t without_endings(const char *text, size_t n)
{
  static const char *const ENDINGS[] = {".zst", ".gz",  ".xz",  ".bz2", ".lz4",  ".tar", ".tgz",
                                        ".zip", ".txt", ".tsv", ".xml", ".json", ".dot", ".dax"};
  for (size_t i = 0; i < sizeof ENDINGS / sizeof *ENDINGS;) {
    const size_t k = strlen(ENDINGS[i]);
    const bool has = n > k && strncmp(text + n - k, ENDINGS[i], k) == 0;
    n -= has ? k : 0;
    i = has ? 0 : i + 1;
  }
  return n;
}

void gnuplot_file_label(char label[GNUPLOT_LABEL_SIZE], const char *path)
{
  static const char NPB[] = "npb:", INDEX[] = "/index.txt";
  size_t n = strlen(path);
  if (strncmp(path, NPB, sizeof NPB - 1) == 0) {
    gnuplot_label(label, path + sizeof NPB - 1);
    return;
  }
  if (n >= sizeof INDEX && strcmp(path + n - (sizeof INDEX - 1), INDEX) == 0)
    n -= sizeof INDEX - 1;
  while (n > 1 && path[n - 1] == '/')
    n--;
  const char *slash = memrchr(path, '/', n - (n > 0));
  const char *base = slash == NULL ? path : slash + 1;
  gnuplot_label_part(label, base, without_endings(base, n - (size_t)(base - path)));
}

/* Approximate upper bound, in pixels, of a byte's width in common sans serif fonts. */
static size_t letter_width(unsigned char c)
{
  if ((c & 0xc0) == 0x80)
    return 0; /* counted with the first byte of its character */
  if (c >= 0xe0)
    return 20;
  if (strchr("iljtfrI.,:;'|!()[] /-", c) != NULL)
    return 7;
  if (strchr("mwMW@%", c) != NULL)
    return 18;
  return c >= 'A' && c <= 'Z' ? 15 : 12;
}

size_t gnuplot_width(const char *text)
{
  size_t width = 0;
  for (; *text != '\0'; text++)
    width += letter_width((unsigned char)*text);
  return width;
}

static bool begins_letter(const char *at)
{
  return ((unsigned char)*at & 0xc0) != 0x80;
}

void gnuplot_fit(char label[GNUPLOT_LABEL_SIZE], size_t pixels)
{
  const char dots[] = "...";
  if (gnuplot_width(label) <= pixels)
    return;
  const size_t n = strlen(label), rest = gnuplot_width(dots);
  const size_t half = pixels > rest ? (pixels - rest) / 2 : 0;
  size_t head = 0, tail = n;
  for (size_t i = 0, width = 0; i < n && width <= half; i++) {
    if (begins_letter(label + i))
      head = i;
    width += letter_width((unsigned char)label[i]);
  }
  for (size_t i = n, width = 0; i-- > head;) {
    width += letter_width((unsigned char)label[i]);
    if (width > half)
      break;
    if (begins_letter(label + i))
      tail = i;
  }
  const size_t room = GNUPLOT_LABEL_SIZE - sizeof dots - head;
  const size_t rest_bytes = n - tail < room ? n - tail : room;
  memmove(label + head + sizeof dots - 1, label + tail, rest_bytes);
  memcpy(label + head, dots, sizeof dots - 1);
  label[head + sizeof dots - 1 + rest_bytes] = '\0';
}

void gnuplot_key_break(struct gnuplot_key *k)
{
  k->x = 0;
}

void gnuplot_key_add(struct gnuplot_key *k, const char *text, size_t series)
{
  char label[GNUPLOT_LABEL_SIZE];
  gnuplot_label(label, text);
  const size_t width = KEY_SAMPLE + gnuplot_width(label);
  if (k->x == 0 || k->x + width > KEY_RIGHT) {
    k->x = KEY_LEFT;
    k->rows++;
  }
  k->count++;
  fprintf(k->f, "key_%zu = ", k->count);
  gnuplot_quote(k->f, label);
  fprintf(k->f, "\nkey_series_%zu = %zu\nkey_x_%zu = %zu.\nkey_row_%zu = %zu\n", k->count, series,
          k->count, k->x, k->count, k->rows);
  k->x += width + KEY_GAP;
}

void gnuplot_key_end(const struct gnuplot_key *k)
{
  fprintf(k->f, "key_count = %zu\nkey_rows = %zu\n", k->count, k->rows);
}

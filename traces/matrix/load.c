#include "traces/matrix/load.h"

#include <string.h>

#include "common/num.h"
#include "traces/matrix/formats/format.h"

#define LIST(ROW)                                                                                  \
  ROW(matrix_tsv)                                                                                  \
  ROW(matrix_csv)                                                                                  \
  ROW(matrix_dense_text)                                                                           \
  ROW(matrix_edges)                                                                                \
  ROW(matrix_market)                                                                               \
  ROW(matrix_metis)                                                                                \
  ROW(matrix_scotch)                                                                               \
  ROW(matrix_ipm)

#define DECLARE(row) extern const struct matrix_format row;
LIST(DECLARE)

const struct registry matrix_formats = REGISTRY("format of matrices", LIST);

const char *matrix_format_help(size_t i)
{
  const struct matrix_format *f = registry_at(&matrix_formats, i);
  return f->help;
}

enum status matrix_reading_unit(struct matrix_reading *r, const char *text, struct err *e)
{
  char number[64];
  struct err unused;
  const bool bare = *text < '0' || *text > '9';
  double unit;
  if (snprintf(number, sizeof number, "%s%s", bare ? "1" : "", text) < (int)sizeof number)
    for (int rate = 0; rate < 2; rate++)
      if (num_quantity(number, rate ? NUM_BANDWIDTH : NUM_SIZE, &unit, &unused) == OK &&
          unit <= 0x1p62) {
        r->unit = unit;
        r->rate = rate;
        return OK;
      }
  return err_set(e,
                 "'%.64s' is not a unit of bytes (as B, kB, 64KiB) or bytes per second (as Bps, "
                 "MBps, Mbps)",
                 text);
}

/* Explains why no format or several formats fit. */
static enum status refuse(struct matrix_file *f, size_t found, const char *names, struct err *e)
{
  char all[128];
  bool more;
  if (found > 1)
    return err_set(e, "%s: may be %s: choose one with --matrix-format", f->in.path, names);
  registry_list(&matrix_formats, all, sizeof all);
  if (linefile_next(&f->in, &more, e) != OK)
    return FAIL;
  return err_at(e, f->in.path, 1,
                more ? "begins like no format of matrices: %s (--matrix-format)"
                     : "the file is empty: no matrix in %s",
                all);
}

static enum status find_format(struct matrix_file *f, const struct matrix_format **out,
                               struct err *e)
{
  struct matrix_head head;
  size_t length, found = 0;
  char names[128] = "";
  const struct matrix_format *row;
  if (linefile_peek(&f->in, &head.text, &length, &head.whole, e) != OK)
    return FAIL;
  head.whole = head.whole && strlen(head.text) == length;
  for (size_t i = 0; (row = registry_at(&matrix_formats, i)) != NULL; i++) {
    const enum matrix_match match = row->sniff(&head);
    if (match != MATRIX_NO) {
      *out = row;
      found++;
      err_list(names, sizeof names, row->name);
    }
    if (match == MATRIX_YES)
      return OK;
  }
  return found == 1 ? OK : refuse(f, found, names, e);
}

static enum status read_file(struct matrix_file *f, const struct matrix_reading *how, struct err *e)
{
  const struct matrix_format *format = how->format;
  f->unit = how->unit > 0 ? how->unit : 1;
  f->rate = how->rate;
  if (format == NULL && find_format(f, &format, e) != OK)
    return FAIL;
  if (format->bytes && how->unit > 0)
    return err_set(e, "%s: format %s is in bytes: --matrix-unit does not apply", f->in.path,
                   format->name);
  return format->read(f, e) == OK ? matrix_file_sort(f, e) : FAIL;
}

enum status matrix_load(struct matrix *m, const char *path, const struct matrix_reading *how,
                        struct err *e)
{
  static const struct matrix_reading DEFAULTS = {.format = NULL};
  struct matrix_file f = {.rest = NULL};
  enum status s = linefile_open(&f.in, path, e);
  if (s == OK)
    s = read_file(&f, how == NULL ? &DEFAULTS : how, e);
  linefile_close(&f.in);
  if (s == OK)
    *m = f.m;
  else
    matrix_clear(&f.m);
  return s;
}

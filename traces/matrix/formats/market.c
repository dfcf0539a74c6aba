/* MatrixMarket exchange format (Boisvert, Pozo, Remington, NISTIR 5935): the header
 *
 *     %%MatrixMarket matrix coordinate|array FIELD SYMMETRY
 *
 * comments with %, the line ROWS COLUMNS [ENTRIES], then the entries: lines ROW COLUMN VALUE, with
 * numbers from 1, or all values column by column.  A symmetric matrix has the entries on and below
 * the diagonal only. */
#include <inttypes.h>
#include <string.h>

#include "traces/matrix/formats/format.h"

extern const struct matrix_format matrix_market;

#define BANNER "%%MatrixMarket"

struct market {
  bool array, pattern, symmetric;
  uint64_t n, entries;
};

static enum matrix_match sniff(const struct matrix_head *h)
{
  return strncasecmp(h->text, BANNER, strlen(BANNER)) == 0 ? MATRIX_YES : MATRIX_NO;
}

/* Index of @p word among @p names, which end with NULL; fails if it is none of them. */
static enum status choose(const struct matrix_file *f, const char *what, const char *word,
                          const char *const *names, size_t *out, struct err *e)
{
  char list[128] = "";
  for (*out = 0; names[*out] != NULL; ++*out) {
    if (word != NULL && strcasecmp(word, names[*out]) == 0)
      return OK;
    err_list(list, sizeof list, names[*out]);
  }
  return err_at(e, f->in.path, f->in.line, "%s '%.64s' is none of %s", what,
                word == NULL ? "" : word, list);
}

static enum status read_banner(struct matrix_file *f, struct market *m, struct err *e)
{
  static const char *const BANNERS[] = {BANNER, NULL}, *const OBJECTS[] = {"matrix", NULL},
                           *const FORMATS[] = {"coordinate", "array", NULL},
                           *const FIELDS[] = {"integer",          "real",    "double",
                                              "unsigned-integer", "pattern", NULL},
                           *const SYMMETRIES[] = {"general", "symmetric", NULL};
  size_t unused, format, field, symmetry;
  bool more;
  if (linefile_next(&f->in, &more, e) != OK)
    return FAIL;
  if (!more)
    return err_at(e, f->in.path, 1, "no header %s", BANNER);
  char *rest = f->in.text;
  if (choose(f, "the header", linefile_word(&rest), BANNERS, &unused, e) != OK ||
      choose(f, "the object", linefile_word(&rest), OBJECTS, &unused, e) != OK ||
      choose(f, "the format", linefile_word(&rest), FORMATS, &format, e) != OK ||
      choose(f, "the field", linefile_word(&rest), FIELDS, &field, e) != OK ||
      choose(f, "the symmetry", linefile_word(&rest), SYMMETRIES, &symmetry, e) != OK)
    return FAIL;
  *m = (struct market){.array = format == 1, .pattern = field == 4, .symmetric = symmetry == 1};
  return m->array && m->pattern
             ? err_at(e, f->in.path, f->in.line, "an array cannot have the field 'pattern'")
             : OK;
}

static enum status read_size(struct matrix_file *f, struct market *m, struct err *e)
{
  const char *word[3];
  uint64_t columns;
  bool more;
  if (matrix_file_line(f, "%", &more, e) != OK)
    return FAIL;
  if (!more)
    return err_at(e, f->in.path, f->in.line, "no line with the size");
  for (int i = 0; i < 3; i++)
    word[i] = linefile_word(&f->rest);
  if (word[1] == NULL || (word[2] == NULL) != m->array || linefile_word(&f->rest) != NULL)
    return err_at(e, f->in.path, f->in.line, "the size is not %s",
                  m->array ? "ROWS COLUMNS" : "ROWS COLUMNS ENTRIES");
  if (matrix_file_number(f, "rows", word[0], 1, MATRIX_RANKS_MAX, &m->n, e) != OK ||
      matrix_file_number(f, "columns", word[1], 1, MATRIX_RANKS_MAX, &columns, e) != OK ||
      (!m->array && matrix_file_number(f, "entries", word[2], 0, UINT64_MAX, &m->entries, e) != OK))
    return FAIL;
  if (columns != m->n)
    return err_at(e, f->in.path, f->in.line, "%" PRIu64 " rows and %" PRIu64 " columns: not square",
                  m->n, columns);
  matrix_file_set_ranks(f, (uint32_t)m->n);
  return OK;
}

/* Adds an entry, and its mirror image if the matrix is symmetric. */
static enum status put(struct matrix_file *f, const struct market *m, const uint64_t at[2],
                       const char *word, struct err *e)
{
  const uint32_t src = (uint32_t)at[0], dst = (uint32_t)at[1];
  uint64_t bytes;
  if (matrix_file_bytes(f, word, &bytes, e) != OK)
    return FAIL;
  const struct matrix_entry x = {src, dst, 1, bytes}, mirrored = {dst, src, 1, bytes};
  if (bytes == 0)
    return OK;
  if (matrix_file_add(f, &x, e) != OK)
    return FAIL;
  return m->symmetric && src != dst ? matrix_file_add(f, &mirrored, e) : OK;
}

static enum status read_coordinate(struct matrix_file *f, const struct market *m, struct err *e)
{
  const char *row = linefile_word(&f->rest), *column = linefile_word(&f->rest),
             *value = m->pattern ? "1" : linefile_word(&f->rest), *more = linefile_word(&f->rest);
  uint64_t at[2];
  if (column == NULL || value == NULL)
    return err_at(e, f->in.path, f->in.line, "fewer words than ROW COLUMN%s",
                  m->pattern ? "" : " VALUE");
  if (more != NULL)
    return err_at(e, f->in.path, f->in.line, "'%.64s' after ROW COLUMN%s", more,
                  m->pattern ? "" : " VALUE");
  if (matrix_file_number(f, "row", row, 1, m->n, &at[0], e) != OK ||
      matrix_file_number(f, "column", column, 1, m->n, &at[1], e) != OK)
    return FAIL;
  if (m->symmetric && at[0] < at[1])
    return err_at(e, f->in.path, f->in.line,
                  "row %" PRIu64 ", column %" PRIu64 ": above the diagonal of a symmetric matrix",
                  at[0], at[1]);
  at[0]--;
  at[1]--;
  return put(f, m, at, value, e);
}

static enum status read_coordinates(struct matrix_file *f, const struct market *m, struct err *e)
{
  uint64_t n = 0;
  bool more = true;
  while (more) {
    if (matrix_file_line(f, "%", &more, e) != OK)
      return FAIL;
    if (more && n++ == m->entries)
      return err_at(e, f->in.path, f->in.line, "a line after %" PRIu64 " %s", m->entries,
                    m->entries == 1 ? "entry" : "entries");
    if (more && read_coordinate(f, m, e) != OK)
      return FAIL;
  }
  return n == m->entries ? OK
                         : err_at(e, f->in.path, f->in.line, "%" PRIu64 " %s instead of %" PRIu64,
                                  n, n == 1 ? "entry" : "entries", m->entries);
}

static enum status read_array(struct matrix_file *f, const struct market *m, struct err *e)
{
  char *word;
  for (uint64_t column = 0; column < m->n; column++)
    for (uint64_t row = m->symmetric ? column : 0; row < m->n; row++) {
      if (matrix_file_word(f, "%", &word, e) != OK)
        return FAIL;
      if (word == NULL)
        return err_at(e, f->in.path, f->in.line,
                      "the file ends before row %" PRIu64 ", column %" PRIu64, row + 1, column + 1);
      if (put(f, m, (const uint64_t[]){row, column}, word, e) != OK)
        return FAIL;
    }
  if (matrix_file_word(f, "%", &word, e) != OK)
    return FAIL;
  return word == NULL ? OK
                      : err_at(e, f->in.path, f->in.line,
                               "'%.64s' after all values of %" PRIu64 " columns", word, m->n);
}

static enum status read(struct matrix_file *f, struct err *e)
{
  struct market m;
  if (read_banner(f, &m, e) != OK || read_size(f, &m, e) != OK)
    return FAIL;
  f->rest = NULL;
  return m.array ? read_array(f, &m, e) : read_coordinates(f, &m, e);
}

const struct matrix_format matrix_market = {
    .name = "matrixmarket",
    .help = "MatrixMarket: coordinate or array, general or symmetric, not complex",
    .sniff = sniff,
    .read = read,
};

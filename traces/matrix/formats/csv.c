/* Tables separated by commas, semicolons or tabs, with or without quotes: a dense matrix, with or
 * without names of columns and rows, or a list of edges whose first line names the columns. */
#include <float.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/num.h"
#include "common/plural.h"
#include "traces/matrix/formats/format.h"
#include "traces/matrix/formats/square.h"

extern const struct matrix_format matrix_csv;

/* Fields of one line. */
struct fields {
  char *text; /* a copy of the line, in which they are cut; owned */
  char **field;
  size_t count, room;
};

struct csv {
  struct matrix_file *f;
  char separator;
  struct fields header, row;
  uint64_t header_line;
};

static void clear_fields(struct fields *x)
{
  free(x->text);
  free(x->field);
}

/* --- fields ----------------------------------------------------------------------------------- */

static bool is_blank(char c, char separator)
{
  return c == ' ' || (c == '\t' && c != separator);
}

/* Cuts a field in quotes, in which "" is one quote; @p at is its first quote.  Returns the end of
 * the field, or NULL if no quote ends it. */
static char *cut_quoted(char *at)
{
  char *to = at, *from = at + 1;
  for (;;) {
    if (*from == '\0')
      return NULL;
    if (*from == '"' && *++from != '"')
      break;
    *to++ = *from++;
  }
  *to = '\0';
  return from;
}

/* Cuts the next field from *rest, which is NULL after the last one.  Returns NULL if its quotes are
 * wrong. */
static char *cut_field(char **rest, char separator)
{
  char *at = *rest, *end;
  while (is_blank(*at, separator))
    at++;
  const bool quoted = *at == '"';
  char *field = at;
  if (quoted) {
    if ((end = cut_quoted(at)) == NULL)
      return NULL;
    while (is_blank(*end, separator))
      end++;
    if (*end != '\0' && *end != separator)
      return NULL;
  } else {
    end = strchrnul(at, separator);
  }
  *rest = *end == '\0' ? NULL : end + 1;
  if (!quoted) {
    while (end > field && is_blank(end[-1], separator))
      end--;
    *end = '\0';
  }
  return field;
}

/* Splits the current line. */
static enum status split(const struct csv *c, struct fields *x, struct err *e)
{
  free(x->text);
  x->count = 0;
  if ((x->text = mem_strdup(c->f->in.text, e)) == NULL)
    return FAIL;
  for (char *rest = x->text; rest != NULL;) {
    if (MEM_GROW(x->field, x->room, x->count + 1, e) != OK)
      return FAIL;
    if ((x->field[x->count++] = cut_field(&rest, c->separator)) == NULL)
      return err_at(e, c->f->in.path, c->f->in.line, "field %zu has no end of its quotes",
                    x->count);
  }
  return OK;
}

static char separator_of(const char *line, size_t length)
{
  static const char SEPARATORS[] = ",;\t";
  for (const char *s = SEPARATORS; *s != '\0'; s++)
    if (memchr(line, *s, length) != NULL)
      return *s;
  return '\0';
}

static bool is_number(const char *field)
{
  double unused_number;
  struct err unused;
  return num_double(field, -DBL_MAX, DBL_MAX, &unused_number, &unused) == OK;
}

static bool all_numbers(char *const *field, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (!is_number(field[i]))
      return false;
  return true;
}

/* --- lists of edges --------------------------------------------------------------------------- */

enum column { SRC, DST, MESSAGES, BYTES, RATE, COLUMNS };

static const char *const NAMES[COLUMNS][5] = {
    [SRC] = {"src", "source", "from", "sender"},
    [DST] = {"dst", "target", "to", "receiver"},
    [MESSAGES] = {"messages", "count"},
    [BYTES] = {"bytes", "weight", "volume", "value"},
    [RATE] = {"bytes_per_s", "Bps"},
};

static enum column find_column(const char *name)
{
  for (int c = 0; c < COLUMNS; c++)
    for (size_t i = 0; NAMES[c][i] != NULL; i++)
      if (strcasecmp(name, NAMES[c][i]) == 0)
        return c;
  return COLUMNS;
}

/* Sets at[column] to 1 + its index in the header, 0 if it is missing. */
static enum status find_columns(struct csv *c, size_t at[COLUMNS], struct err *e)
{
  const struct linefile *in = &c->f->in;
  for (size_t i = 0; i < c->header.count; i++) {
    const enum column k = find_column(c->header.field[i]);
    if (k == COLUMNS)
      return err_at(e, in->path, in->line,
                    "the column '%.64s' is none of src, dst, messages, bytes, bytes_per_s",
                    c->header.field[i]);
    if (at[k] != 0)
      return err_at(e, in->path, in->line, "a second column for %s: '%.64s'", NAMES[k][0],
                    c->header.field[i]);
    at[k] = i + 1;
  }
  if ((at[BYTES] == 0) == (at[RATE] == 0))
    return err_at(e, in->path, in->line, "%s of the columns bytes and bytes_per_s",
                  at[BYTES] == 0 ? "none" : "both");
  c->f->rate = c->f->rate || at[RATE] != 0;
  return OK;
}

static enum status add_edge(struct csv *c, const size_t at[COLUMNS], struct err *e)
{
  struct matrix_file *f = c->f;
  char **field = c->row.field;
  uint64_t src, dst;
  struct matrix_entry x = {.messages = 1};
  if (c->row.count != c->header.count)
    return err_at(e, f->in.path, f->in.line, "%zu field%s instead of %zu", c->row.count,
                  PLURAL(c->row.count), c->header.count);
  if (matrix_file_number(f, "src", field[at[SRC] - 1], 0, MATRIX_RANKS_MAX - 1, &src, e) != OK ||
      matrix_file_number(f, "dst", field[at[DST] - 1], 0, MATRIX_RANKS_MAX - 1, &dst, e) != OK ||
      matrix_file_bytes(f, field[(at[BYTES] != 0 ? at[BYTES] : at[RATE]) - 1], &x.bytes, e) != OK ||
      (at[MESSAGES] != 0 && matrix_file_number(f, "messages", field[at[MESSAGES] - 1], 0, INT64_MAX,
                                               &x.messages, e) != OK))
    return FAIL;
  if (x.messages == 0 && x.bytes > 0)
    return err_at(e, f->in.path, f->in.line, "%" PRIu64 " bytes in 0 messages", x.bytes);
  x.src = (uint32_t)src;
  x.dst = (uint32_t)dst;
  if ((src > dst ? src : dst) >= f->m.ranks)
    matrix_file_set_ranks(f, (uint32_t)(src > dst ? src : dst) + 1);
  return x.messages == 0 || (x.bytes == 0 && at[MESSAGES] == 0) ? OK : matrix_file_add(f, &x, e);
}

static bool is_list(const struct csv *c)
{
  bool found[COLUMNS + 1] = {false};
  for (size_t i = 0; i < c->header.count; i++)
    found[find_column(c->header.field[i])] = true;
  return found[SRC] && found[DST];
}

static enum status read_list(struct csv *c, struct err *e)
{
  size_t at[COLUMNS] = {0};
  bool more = true;
  if (find_columns(c, at, e) != OK)
    return FAIL;
  while (more)
    if (matrix_file_line(c->f, "#", &more, e) != OK ||
        (more && (split(c, &c->row, e) != OK || add_edge(c, at, e) != OK)))
      return FAIL;
  return c->f->m.ranks > 0 ? OK : err_at(e, c->f->in.path, c->f->in.line, "no edges");
}

/* --- dense matrices --------------------------------------------------------------------------- */

/* Number of fields of the header before the names of columns: 1 if the header also names the column
 * of row names. */
static size_t corner_of(const struct csv *c)
{
  const struct fields *h = &c->header, *r = &c->row;
  if (h->count == 0 || r->count != h->count)
    return 0;
  return h->field[0][0] == '\0' || !is_number(r->field[0]) ||
         (h->count > 1 && !is_number(h->field[0]) && all_numbers(h->field + 1, h->count - 1));
}

/* The value of a field that is_number() accepts. */
static double number_of(const char *field)
{
  double value = 0;
  struct err unused;
  num_double(field, -DBL_MAX, DBL_MAX, &value, &unused);
  return value;
}

/* Refuses a header with a name and then numbers that are not in rising order: rather a row of the
 * matrix with a damaged first number. */
static enum status check_numbers(const struct csv *c, struct err *e)
{
  const struct fields *h = &c->header;
  if (h->count < 3 || c->row.count != h->count || h->field[0][0] == '\0' ||
      is_number(h->field[0]) || !all_numbers(h->field + 1, h->count - 1))
    return OK;
  for (size_t i = 2; i < h->count; i++)
    if (number_of(h->field[i - 1]) >= number_of(h->field[i]))
      return err_at(e, c->f->in.path, c->header_line,
                    "the first line has '%.64s' before numbers that are no names of columns: %.32s "
                    "is followed by %.32s",
                    h->field[0], h->field[i - 1], h->field[i]);
  return OK;
}

/* Refuses a row whose name is the name of another column.  Names that are no column names pass: R
 * numbers its rows. */
static enum status check_name(const struct csv *c, size_t corner, size_t row, struct err *e)
{
  const struct fields *h = &c->header;
  const char *name = c->row.field[0];
  if (corner + row < h->count && strcmp(h->field[corner + row], name) == 0)
    return OK;
  for (size_t i = corner; i < h->count; i++)
    if (strcmp(h->field[i], name) == 0)
      return err_at(e, c->f->in.path, c->f->in.line,
                    "row %zu is named '%.64s', as column %zu: rows and columns differ in order",
                    row + 1, name, i + 1 - corner);
  return OK;
}

static enum status add_row(struct csv *c, struct matrix_square *s, size_t corner, struct err *e)
{
  const struct fields *h = &c->header, *r = &c->row;
  const bool named = corner > 0 || (h->count > 0 && r->count == h->count + 1);
  if (s->rows == 0 && h->count > 0 && r->count != h->count + named - corner)
    return err_at(e, c->f->in.path, c->f->in.line, "%zu field%s under a header of %zu", r->count,
                  PLURAL(r->count), h->count);
  if (named && check_name(c, corner, s->rows, e) != OK)
    return FAIL;
  for (size_t i = named; i < r->count; i++)
    if (matrix_square_cell(s, c->f, r->field[i], e) != OK)
      return FAIL;
  return matrix_square_end_row(s, c->f, e);
}

/* Only the first name may be empty.  Refuses the names of columns of a list, because the list lacks
 * src or dst. */
static enum status check_header(const struct csv *c, struct err *e)
{
  const struct linefile *in = &c->f->in;
  for (size_t i = 0; i < c->header.count; i++) {
    const char *name = c->header.field[i];
    if (i > 0 && name[0] == '\0')
      return err_at(e, in->path, in->line, "field %zu is empty", i + 1);
    if (find_column(name) != COLUMNS)
      return err_at(e, in->path, in->line,
                    "the header has '%.64s', but not the columns src and dst of a list", name);
  }
  return OK;
}

/* Reads a dense matrix.  The current line is the header, or the first row if there is no header. */
static enum status read_dense(struct csv *c, struct err *e)
{
  struct matrix_square s = {.rows = 0};
  size_t corner = 0;
  bool more = true;
  if (check_header(c, e) != OK)
    return FAIL;
  if (all_numbers(c->header.field, c->header.count)) {
    c->row = c->header;
    c->header = (struct fields){.text = NULL};
    if (add_row(c, &s, 0, e) != OK)
      return FAIL;
  }
  while (more) {
    if (matrix_file_line(c->f, "#", &more, e) != OK || (more && split(c, &c->row, e) != OK))
      return FAIL;
    if (more && s.rows == 0 && check_numbers(c, e) != OK)
      return FAIL;
    if (more && s.rows == 0)
      corner = corner_of(c);
    if (more && add_row(c, &s, corner, e) != OK)
      return FAIL;
  }
  return matrix_square_end(&s, c->f, e);
}

/* --- the format ------------------------------------------------------------------------------- */

/* Numbers between tabs are format dense, unless the line begins with an empty field: then they are
 * names of columns. */
static enum matrix_match sniff(const struct matrix_head *h)
{
  const struct matrix_span first = matrix_head_first(h, "#");
  const char separator = separator_of(first.at, first.length);
  if (separator == '\0' || first.at[0] == '%')
    return MATRIX_NO;
  return separator == '\t' && first.at[0] != '\t' && matrix_head_rows(h).numbers ? MATRIX_NO
                                                                                 : MATRIX_YES;
}

static enum status read_table(struct csv *c, struct err *e)
{
  const struct linefile *in = &c->f->in;
  bool more;
  if (matrix_file_line(c->f, "#", &more, e) != OK)
    return FAIL;
  if (!more)
    return err_at(e, in->path, in->line + (in->line == 0), "the table has no lines");
  c->separator = separator_of(in->text, in->length);
  c->header_line = in->line;
  if (split(c, &c->header, e) != OK)
    return FAIL;
  return is_list(c) ? read_list(c, e) : read_dense(c, e);
}

static enum status read(struct matrix_file *f, struct err *e)
{
  struct csv c = {.f = f};
  const enum status s = read_table(&c, e);
  clear_fields(&c.header);
  clear_fields(&c.row);
  return s;
}

const struct matrix_format matrix_csv = {
    .name = "csv",
    .help = "dense, or columns src, dst, messages, bytes; separated by commas, semicolons or tabs",
    .sniff = sniff,
    .read = read,
};

/* Dense matrices as text: a line of numbers per source, as numpy.savetxt() writes them. */
#include "traces/matrix/formats/format.h"
#include "traces/matrix/formats/square.h"

extern const struct matrix_format matrix_dense_text;

/* Rows of 2 or 3 numbers may also be edges, unless they form a square. */
static enum matrix_match sniff(const struct matrix_head *h)
{
  const struct matrix_rows r = matrix_head_rows(h);
  return r.numbers && (r.width > 3 || r.square) ? MATRIX_MAYBE : MATRIX_NO;
}

static enum status add_row(struct matrix_file *f, struct matrix_square *s, struct err *e)
{
  for (const char *word; (word = linefile_word(&f->rest)) != NULL;)
    if (matrix_square_cell(s, f, word, e) != OK)
      return FAIL;
  return matrix_square_end_row(s, f, e);
}

static enum status read(struct matrix_file *f, struct err *e)
{
  struct matrix_square s = {.rows = 0};
  bool more = true;
  while (more)
    if (matrix_file_line(f, "#%", &more, e) != OK || (more && add_row(f, &s, e) != OK))
      return FAIL;
  return matrix_square_end(&s, f, e);
}

const struct matrix_format matrix_dense_text = {
    .name = "dense",
    .help = "a line of numbers for each source, separated by blanks or tabs",
    .sniff = sniff,
    .read = read,
};

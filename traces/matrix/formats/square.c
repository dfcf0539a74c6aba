#include "traces/matrix/formats/square.h"

#include <inttypes.h>

#include "common/plural.h"

enum status matrix_square_cell(struct matrix_square *s, struct matrix_file *f, const char *word,
                               struct err *e)
{
  const uint32_t most = s->rows == 0 ? MATRIX_RANKS_MAX : s->n;
  if (s->rows > 0 && s->rows == s->n)
    return err_at(e, f->in.path, f->in.line,
                  "a row after %" PRIu32 " row%s of %" PRIu32 " number%s", s->n, PLURAL(s->n), s->n,
                  PLURAL(s->n));
  if (s->column == most)
    return err_at(e, f->in.path, f->in.line, "'%.64s' after %" PRIu32 " number%s", word, most,
                  PLURAL(most));
  return matrix_file_put(f, s->rows, s->column++, word, e);
}

enum status matrix_square_end_row(struct matrix_square *s, struct matrix_file *f, struct err *e)
{
  if (s->rows == 0) {
    s->n = s->column;
    matrix_file_set_ranks(f, s->n);
  }
  if (s->column != s->n)
    return err_at(e, f->in.path, f->in.line, "%" PRIu32 " number%s instead of %" PRIu32, s->column,
                  PLURAL(s->column), s->n);
  s->rows++;
  s->column = 0;
  return OK;
}

enum status matrix_square_end(const struct matrix_square *s, const struct matrix_file *f,
                              struct err *e)
{
  const uint64_t line = f->in.line == 0 ? 1 : f->in.line;
  if (s->rows == 0)
    return err_at(e, f->in.path, line, "no numbers");
  return s->rows == s->n ? OK
                         : err_at(e, f->in.path, line,
                                  "%" PRIu32 " row%s of %" PRIu32 " number%s: not a square",
                                  s->rows, PLURAL(s->rows), s->n, PLURAL(s->n));
}

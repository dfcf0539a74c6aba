#include "traces/matrix/formats/file.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "common/num.h"

/* Maximum share of all bytes per second by which rounding may change the rates. */
#define MOST_MOVED 0.01

/* Largest relative error at which a product of a decimal fraction and a unit counts as whole. */
#define PRODUCT_ERROR 1e-12

enum status matrix_file_line(struct matrix_file *f, const char *comments, bool *more, struct err *e)
{
  for (;;) {
    if (linefile_next(&f->in, more, e) != OK)
      return FAIL;
    f->rest = *more ? f->in.text : NULL;
    if (!*more)
      return OK;
    const char *first = f->rest + strspn(f->rest, " \t");
    if (*first != '\0' && strchr(comments, *first) == NULL)
      return OK;
  }
}

enum status matrix_file_word(struct matrix_file *f, const char *comments, char **word,
                             struct err *e)
{
  bool more = true;
  *word = NULL;
  while (f->rest == NULL || (*word = linefile_word(&f->rest)) == NULL) {
    if (matrix_file_line(f, comments, &more, e) != OK)
      return FAIL;
    if (!more)
      return OK;
  }
  return OK;
}

enum status matrix_file_number(const struct matrix_file *f, const char *what, const char *word,
                               uint64_t least, uint64_t most, uint64_t *out, struct err *e)
{
  struct err why;
  enum status s = num_u64(word, most, out, &why);
  if (s == OK && *out < least)
    s = err_set(&why, "%" PRIu64 " is below the minimum of %" PRIu64, *out, least);
  return s == OK ? OK : err_at(e, f->in.path, f->in.line, "%s: %s", what, why.text);
}

/* The number of bytes if @p word needs no arithmetic. */
static bool is_plain(const struct matrix_file *f, const char *word, uint64_t *bytes)
{
  uint32_t digits;
  struct err unused;
  if (f->unit != 1)
    return false;
  if (num_short(word, &digits)) {
    *bytes = digits;
    return true;
  }
  return num_u64(word, INT64_MAX, bytes, &unused) == OK;
}

static enum status round_bytes(struct matrix_file *f, const char *word, uint64_t *bytes,
                               struct err *why)
{
  double value;
  if (num_double(word, 0, 0x1p62, &value, why) != OK)
    return FAIL;
  value *= f->unit;
  if (value > 0x1p62)
    return err_set(why, "'%.64s' is %g bytes, above the maximum of %g", word, value, 0x1p62);
  const double whole = round(value);
  if (!f->rate && fabs(whole - value) > PRODUCT_ERROR * value)
    return err_set(
        why, "'%.64s' is a fraction of a byte; rates may be fractions: --matrix-unit Bps", word);
  f->moved += fabs(whole - value);
  f->exact += value;
  *bytes = (uint64_t)whole;
  return OK;
}

enum status matrix_file_bytes(struct matrix_file *f, const char *word, uint64_t *bytes,
                              struct err *e)
{
  if (is_plain(f, word, bytes)) {
    f->exact += (double)*bytes;
    return OK;
  }
  return round_bytes(f, word, bytes, e) == OK ? OK : err_place(e, f->in.path, f->in.line);
}

enum status matrix_file_add(struct matrix_file *f, const struct matrix_entry *x, struct err *e)
{
  struct matrix *m = &f->m;
  if (x->messages > (uint64_t)INT64_MAX - f->messages)
    return err_at(e, f->in.path, f->in.line, "the messages exceed %" PRId64 " in all", INT64_MAX);
  if (x->bytes > (uint64_t)INT64_MAX - f->bytes)
    return err_at(e, f->in.path, f->in.line, "the bytes exceed %" PRId64 " in all", INT64_MAX);
  if (MEM_GROW(m->entry, f->room, m->count + 1, e) != OK)
    return FAIL;
  f->unsorted = f->unsorted || (m->count > 0 && matrix_compare(&m->entry[m->count - 1], x) >= 0);
  m->entry[m->count++] = *x;
  f->messages += x->messages;
  f->bytes += x->bytes;
  const uint32_t top = x->src > x->dst ? x->src : x->dst;
  if (m->ranks < top + 1)
    m->ranks = top + 1;
  return OK;
}

enum status matrix_file_put(struct matrix_file *f, uint32_t src, uint32_t dst, const char *word,
                            struct err *e)
{
  uint64_t bytes;
  if (matrix_file_bytes(f, word, &bytes, e) != OK)
    return FAIL;
  const struct matrix_entry x = {src, dst, 1, bytes};
  return bytes == 0 ? OK : matrix_file_add(f, &x, e);
}

void matrix_file_set_ranks(struct matrix_file *f, uint32_t ranks)
{
  f->m.ranks = ranks;
}

enum status matrix_file_sort(struct matrix_file *f, struct err *e)
{
  if (f->unsorted) {
    matrix_sort(&f->m);
    f->unsorted = false;
  }
  if (f->moved <= MOST_MOVED * f->exact)
    return OK;
  return err_set(e,
                 "%s: whole bytes per second would change the rates by %.3g %%: with a larger "
                 "--matrix-unit they keep more digits",
                 f->in.path, 100 * f->moved / f->exact);
}

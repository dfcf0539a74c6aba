/* haichi's own format (matrix.h): the header "src dst messages bytes", then one line per entry, in
 * strictly ascending order. */
#include <inttypes.h>

#include "common/num.h"
#include "common/plural.h"
#include "traces/matrix/formats/format.h"

extern const struct matrix_format matrix_tsv;

static enum matrix_match sniff(const struct matrix_head *h)
{
  return matrix_head_is(h, MATRIX_HEADER) ? MATRIX_YES : MATRIX_NO;
}

static enum status parse_fields(struct matrix_file *f, uint64_t v[4], struct err *e)
{
  static const char *const NAME[4] = {"src", "dst", "messages", "bytes"};
  static const uint64_t MAX[4] = {MATRIX_RANKS_MAX - 1, MATRIX_RANKS_MAX - 1, INT64_MAX, INT64_MAX};
  char *rest = f->in.text;
  struct err why;
  for (int i = 0; i < 4; i++) {
    const char *field = linefile_word(&rest);
    if (field == NULL)
      return err_at(e, f->in.path, f->in.line, "%d field%s instead of 4", i, PLURAL(i));
    if (num_u64(field, MAX[i], &v[i], &why) != OK)
      return err_at(e, f->in.path, f->in.line, "%s: %s", NAME[i], why.text);
  }
  const char *more = linefile_word(&rest);
  return more == NULL ? OK : err_at(e, f->in.path, f->in.line, "more than 4 fields: '%.64s'", more);
}

static enum status add_line(struct matrix_file *f, struct err *e)
{
  uint64_t v[4];
  if (parse_fields(f, v, e) != OK)
    return FAIL;
  const struct matrix_entry x = {(uint32_t)v[0], (uint32_t)v[1], v[2], v[3]};
  if (x.messages == 0)
    return err_at(e, f->in.path, f->in.line, "0 messages: such a pair has no line");
  if (matrix_file_add(f, &x, e) != OK)
    return FAIL;
  return !f->unsorted
             ? OK
             : err_at(e, f->in.path, f->in.line,
                      "the pair %" PRIu32 " %" PRIu32 " is not above the pair of the line before",
                      x.src, x.dst);
}

static enum status read(struct matrix_file *f, struct err *e)
{
  bool more;
  if (linefile_next(&f->in, &more, e) != OK)
    return FAIL;
  if (!more || !linefile_is_header(f->in.text, MATRIX_HEADER))
    return err_at(e, f->in.path, 1, "the header is '%.64s' instead of 'src dst messages bytes'",
                  more ? f->in.text : "");
  while (more)
    if (linefile_next(&f->in, &more, e) != OK || (more && add_line(f, e) != OK))
      return FAIL;
  return OK;
}

const struct matrix_format matrix_tsv = {
    .name = "tsv",
    .help = "src dst messages bytes, as haichi trace matrix writes it",
    .bytes = true,
    .sniff = sniff,
    .read = read,
};

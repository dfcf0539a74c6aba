/* Lists of directed edges: lines SRC DST or SRC DST BYTES, with ranks from 0. */
#include "common/plural.h"
#include "traces/matrix/formats/format.h"

extern const struct matrix_format matrix_edges;

static enum matrix_match sniff(const struct matrix_head *h)
{
  const struct matrix_rows r = matrix_head_rows(h);
  return r.numbers && (r.width == 2 || r.width == 3) ? MATRIX_MAYBE : MATRIX_NO;
}

/* Adds the edge of the current line; @p words is the number of words of the first line, 0 on it. */
static enum status add_edge(struct matrix_file *f, size_t *words, struct err *e)
{
  char *word[3] = {NULL};
  uint64_t rank[2];
  size_t n = 0;
  while (n < 3 && (word[n] = linefile_word(&f->rest)) != NULL)
    n++;
  const char *more = linefile_word(&f->rest);
  if (more != NULL)
    return err_at(e, f->in.path, f->in.line, "'%.64s' after SRC DST BYTES", more);
  if (n < 2 || (*words > 0 && n != *words))
    return err_at(e, f->in.path, f->in.line, "%zu word%s, not %s", n, PLURAL(n),
                  *words == 0   ? "2 or 3: SRC DST [BYTES]"
                  : *words == 2 ? "2 as in the first line"
                                : "3 as in the first line");
  *words = n;
  if (matrix_file_number(f, "src", word[0], 0, MATRIX_RANKS_MAX - 1, &rank[0], e) != OK ||
      matrix_file_number(f, "dst", word[1], 0, MATRIX_RANKS_MAX - 1, &rank[1], e) != OK ||
      matrix_file_put(f, (uint32_t)rank[0], (uint32_t)rank[1], n == 2 ? "1" : word[2], e) != OK)
    return FAIL;
  const uint32_t top = (uint32_t)(rank[0] > rank[1] ? rank[0] : rank[1]);
  if (f->m.ranks < top + 1)
    matrix_file_set_ranks(f, top + 1);
  return OK;
}

static enum status read(struct matrix_file *f, struct err *e)
{
  size_t words = 0;
  bool more = true;
  while (more)
    if (matrix_file_line(f, "#%", &more, e) != OK || (more && add_edge(f, &words, e) != OK))
      return FAIL;
  return words > 0 ? OK : err_at(e, f->in.path, f->in.line + (f->in.line == 0), "no edges");
}

const struct matrix_format matrix_edges = {
    .name = "edges",
    .help = "lines SRC DST [BYTES], ranks from 0; without bytes an edge is 1 byte",
    .sniff = sniff,
    .read = read,
};

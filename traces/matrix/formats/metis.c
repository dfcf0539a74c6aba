/* Graphs of METIS (manual of version 5, section 4.1.1), Chaco, KaHIP: the header
 *
 *     VERTICES EDGES [FORMAT [WEIGHTS]]
 *
 * and one line per vertex: its size if FORMAT has hundreds, WEIGHTS weights if it has tens, and its
 * neighbours from 1, each followed by the weight of the edge if FORMAT has ones.  Lines that begin
 * with % are comments; the line of a vertex without neighbours may be empty. */
#include <inttypes.h>
#include <string.h>

#include "common/num.h"
#include "common/plural.h"
#include "traces/matrix/formats/format.h"
#include "traces/matrix/formats/graph.h"

extern const struct matrix_format matrix_metis;

#define MOST_WEIGHTS 1024

struct header {
  uint64_t vertices, edges;
  uint64_t before; /* numbers of a vertex before its neighbours */
  bool weighted;   /* neighbours are followed by weights */
};

/* --- the header ------------------------------------------------------------------------------- */

static enum status parse_format(struct header *h, const char *format, const char *weights,
                                struct err *e)
{
  const size_t n = strlen(format);
  uint64_t each = 1;
  if (n == 0 || n > 3 || strspn(format, "01") != n)
    return err_set(e, "the format '%.64s' is not up to three digits 0 and 1", format);
  const bool tens = n > 1 && format[n - 2] == '1';
  struct err why;
  if (weights != NULL && num_u64(weights, MOST_WEIGHTS, &each, &why) != OK)
    return err_set(e, "weights of a vertex: %s", why.text);
  h->before = (n > 2 && format[0] == '1') + (!tens ? 0 : each == 0 ? 1 : each);
  h->weighted = format[n - 1] == '1';
  return OK;
}

/* Parses up to 4 words; the others are NULL. */
static enum status parse_header(struct header *h, char *const word[4], struct err *e)
{
  struct err why;
  *h = (struct header){.vertices = 0};
  if (word[1] == NULL)
    return err_set(e, "1 number instead of VERTICES EDGES");
  if (num_u64(word[0], MATRIX_RANKS_MAX, &h->vertices, &why) != OK)
    return err_set(e, "vertices: %s", why.text);
  if (h->vertices == 0)
    return err_set(e, "0 vertices");
  if (num_u64(word[1], UINT32_MAX, &h->edges, &why) != OK)
    return err_set(e, "edges: %s", why.text);
  return word[2] == NULL ? OK : parse_format(h, word[2], word[3], e);
}

/* --- recognition ------------------------------------------------------------------------------ */

static bool is_header(struct matrix_span line, struct header *h)
{
  char text[4][64], *word[4] = {NULL};
  struct matrix_span one;
  struct err unused;
  for (size_t n = 0; matrix_span_word(&line, &one); n++) {
    if (n == 4 || !matrix_span_text(one, text[n]))
      return false;
    word[n] = text[n];
  }
  return parse_header(h, word, &unused) == OK;
}

/* True if the line may be the list of a vertex; adds its neighbours to *arcs. */
static bool is_list(struct matrix_span line, const struct header *h, uint64_t *arcs)
{
  const size_t words = matrix_span_words(line), step = h->weighted ? 2 : 1;
  struct matrix_span word;
  char text[64];
  uint64_t v;
  struct err unused;
  if (words < h->before || (words - h->before) % step != 0)
    return false;
  for (size_t i = 0; matrix_span_word(&line, &word); i++)
    if (i >= h->before && (i - h->before) % step == 0 &&
        (!matrix_span_text(word, text) || num_u64(text, h->vertices, &v, &unused) != OK || v == 0))
      return false;
  *arcs += (words - h->before) / step;
  return true;
}

/* A file is a graph if its lines have different numbers of words.  If all lines have the same
 * number, it is a graph only if its lists of neighbours agree with the header. */
static enum matrix_match sniff(const struct matrix_head *head)
{
  const struct matrix_span first = matrix_head_first(head, "%");
  const size_t width = matrix_span_words(first);
  const char *text = first.at + first.length;
  uint64_t lists = 0, arcs = 0;
  bool fits = true;
  struct header h;
  if (!is_header(first, &h))
    return MATRIX_NO;
  text += strspn(text, "\r");
  text += *text == '\n';
  for (struct matrix_span line; matrix_head_line(head, &text, &line);) {
    const size_t words = matrix_span_words(line);
    if (words > 0 && line.at[strspn(line.at, " \t")] == '%')
      continue;
    if (words > 0 && words != width)
      return MATRIX_YES;
    if (words > 0 || lists < h.vertices) {
      fits = fits && is_list(line, &h, &arcs);
      lists++;
    }
  }
  if (head->whole)
    fits = fits && lists == h.vertices && arcs == 2 * h.edges && arcs > 0;
  else
    fits = fits && lists > 0 && arcs / lists * h.vertices == 2 * h.edges;
  return fits ? MATRIX_YES : MATRIX_NO;
}

/* --- reading ---------------------------------------------------------------------------------- */

/* The next line that is not a comment; it may be empty. */
static enum status next_list(struct matrix_file *f, bool *more, struct err *e)
{
  do {
    if (linefile_next(&f->in, more, e) != OK)
      return FAIL;
    f->rest = *more ? f->in.text : NULL;
  } while (*more && f->rest[strspn(f->rest, " \t")] == '%');
  return OK;
}

static enum status read_header(struct matrix_file *f, struct header *h, struct err *e)
{
  char *word[4] = {NULL};
  bool more;
  if (matrix_file_line(f, "%", &more, e) != OK)
    return FAIL;
  if (!more)
    return err_at(e, f->in.path, f->in.line + (f->in.line == 0), "no header VERTICES EDGES");
  for (int i = 0; i < 4 && (word[i] = linefile_word(&f->rest)) != NULL; i++)
    ;
  const char *rest = linefile_word(&f->rest);
  if (rest != NULL)
    return err_at(e, f->in.path, f->in.line, "'%.64s' after VERTICES EDGES FORMAT WEIGHTS", rest);
  return parse_header(h, word, e) == OK ? OK : err_place(e, f->in.path, f->in.line);
}

static enum status read_list(struct matrix_graph *g, const struct header *h, struct err *e)
{
  struct matrix_file *f = g->f;
  uint64_t unused;
  for (uint64_t i = 0; i < h->before; i++) {
    const char *word = linefile_word(&f->rest);
    if (word == NULL)
      return err_at(e, f->in.path, f->in.line,
                    "%" PRIu64 " number%s instead of at least %" PRIu64 " weights", i, PLURAL(i),
                    h->before);
    if (matrix_file_number(f, "weight of the vertex", word, 0, INT64_MAX, &unused, e) != OK)
      return FAIL;
  }
  for (const char *v; (v = linefile_word(&f->rest)) != NULL;) {
    const char *weight = h->weighted ? linefile_word(&f->rest) : "1";
    if (weight == NULL)
      return err_at(e, f->in.path, f->in.line, "no weight after the neighbour %.64s", v);
    if (matrix_graph_arc(g, v, weight, e) != OK)
      return FAIL;
  }
  return OK;
}

static enum status read_lists(struct matrix_graph *g, const struct header *h, struct err *e)
{
  struct matrix_file *f = g->f;
  bool more;
  for (uint32_t v = 0; v < g->n; v++) {
    if (next_list(f, &more, e) != OK)
      return FAIL;
    if (!more)
      return err_at(e, f->in.path, f->in.line, "%" PRIu32 " lists instead of %" PRIu32, v, g->n);
    if (matrix_graph_vertex(g, v, e) != OK || read_list(g, h, e) != OK)
      return FAIL;
  }
  if (matrix_file_line(f, "%", &more, e) != OK)
    return FAIL;
  return more ? err_at(e, f->in.path, f->in.line, "a line after %" PRIu32 " lists", g->n)
              : matrix_graph_end(g, 2 * h->edges, e);
}

static enum status read(struct matrix_file *f, struct err *e)
{
  struct header h;
  struct matrix_graph g = {.f = NULL};
  if (read_header(f, &h, e) != OK)
    return FAIL;
  enum status s = matrix_graph_begin(&g, f, h.vertices, 1, e);
  if (s == OK)
    s = read_lists(&g, &h, e);
  matrix_graph_clear(&g);
  return s;
}

const struct matrix_format matrix_metis = {
    .name = "metis",
    .help = "graph of METIS, Chaco or KaHIP: an edge is its weight in bytes, or 1, each way",
    .sniff = sniff,
    .read = read,
};

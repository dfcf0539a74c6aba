/* Graphs of Scotch (user's guide of version 7, section 5.1): numbers separated by white space,
 *
 *     0 VERTICES ARCS BASE FLAGS
 *
 * and for each vertex its label if FLAGS has hundreds, its load if it has ones, the number of its
 * neighbours, and the neighbours, each preceded by the load of the edge if FLAGS has tens. */
#include <inttypes.h>
#include <string.h>

#include "traces/matrix/formats/format.h"
#include "traces/matrix/formats/graph.h"

extern const struct matrix_format matrix_scotch;

struct header {
  uint64_t vertices, arcs, base;
  bool labels, loads, weighted;
};

/* Scotch and its tools write the header on three lines: the version; vertices and arcs; base and
 * flags. */
static enum matrix_match sniff(const struct matrix_head *h)
{
  const char *text = h->text;
  struct matrix_span line, word;
  for (size_t i = 0; i < 3; i++)
    if (!matrix_head_line(h, &text, &line) || matrix_span_words(line) != (i == 0 ? 1 : 2))
      return MATRIX_NO;
  char flags[64];
  matrix_span_word(&line, &word);
  matrix_span_word(&line, &word);
  text = h->text + strspn(h->text, " \t");
  return text[0] == '0' && strchr(" \t\r\n", text[1]) != NULL && matrix_span_text(word, flags) &&
                 word.length == 3 && strspn(flags, "01") == 3
             ? MATRIX_YES
             : MATRIX_NO;
}

/* The next number, in [least, most]. */
static enum status take(struct matrix_file *f, const char *what, uint64_t least, uint64_t most,
                        uint64_t *out, struct err *e)
{
  char *word;
  if (matrix_file_word(f, "", &word, e) != OK)
    return FAIL;
  if (word == NULL)
    return err_at(e, f->in.path, f->in.line + (f->in.line == 0), "the file ends before the %s",
                  what);
  return matrix_file_number(f, what, word, least, most, out, e);
}

static enum status read_flags(struct matrix_file *f, struct header *h, struct err *e)
{
  uint64_t flags;
  if (take(f, "flags", 0, 999, &flags, e) != OK)
    return FAIL;
  h->labels = flags / 100 != 0;
  h->weighted = flags / 10 % 10 != 0;
  h->loads = flags % 10 != 0;
  return OK;
}

static enum status read_header(struct matrix_file *f, struct header *h, struct err *e)
{
  uint64_t version;
  return take(f, "version", 0, 0, &version, e) == OK &&
                 take(f, "vertices", 1, MATRIX_RANKS_MAX, &h->vertices, e) == OK &&
                 take(f, "arcs", 0, UINT32_MAX, &h->arcs, e) == OK &&
                 take(f, "base", 0, UINT32_MAX, &h->base, e) == OK && read_flags(f, h, e) == OK
             ? OK
             : FAIL;
}

static enum status read_arc(struct matrix_graph *g, const struct header *h, struct err *e)
{
  struct matrix_file *f = g->f;
  char weight[64] = "1", *word;
  uint64_t load;
  if (h->weighted) {
    if (take(f, "load of an edge", 1, INT64_MAX, &load, e) != OK)
      return FAIL;
    snprintf(weight, sizeof weight, "%" PRIu64, load);
  }
  if (matrix_file_word(f, "", &word, e) != OK)
    return FAIL;
  if (word == NULL)
    return err_at(e, f->in.path, f->in.line, "the file ends before a neighbour of vertex %" PRIu64,
                  g->base + g->vertex);
  return matrix_graph_arc(g, word, weight, e);
}

static enum status read_vertex(struct matrix_graph *g, const struct header *h, uint32_t i,
                               struct err *e)
{
  struct matrix_file *f = g->f;
  uint64_t label = h->base + i, load, degree;
  if (h->labels &&
      take(f, "label of a vertex", h->base, h->base + h->vertices - 1, &label, e) != OK)
    return FAIL;
  if ((h->loads && take(f, "load of a vertex", 0, INT64_MAX, &load, e) != OK) ||
      take(f, "number of neighbours", 0, h->vertices - 1, &degree, e) != OK ||
      matrix_graph_vertex(g, (uint32_t)(label - h->base), e) != OK)
    return FAIL;
  for (uint64_t k = 0; k < degree; k++)
    if (read_arc(g, h, e) != OK)
      return FAIL;
  return OK;
}

static enum status read_vertices(struct matrix_graph *g, const struct header *h, struct err *e)
{
  struct matrix_file *f = g->f;
  char *word;
  for (uint32_t i = 0; i < g->n; i++)
    if (read_vertex(g, h, i, e) != OK)
      return FAIL;
  if (matrix_file_word(f, "", &word, e) != OK)
    return FAIL;
  return word != NULL
             ? err_at(e, f->in.path, f->in.line, "'%.64s' after %" PRIu32 " vertices", word, g->n)
             : matrix_graph_end(g, h->arcs, e);
}

static enum status read(struct matrix_file *f, struct err *e)
{
  struct header h = {.vertices = 0};
  struct matrix_graph g = {.f = NULL};
  if (read_header(f, &h, e) != OK)
    return FAIL;
  enum status s = matrix_graph_begin(&g, f, h.vertices, h.base, e);
  if (s == OK)
    s = read_vertices(&g, &h, e);
  matrix_graph_clear(&g);
  return s;
}

const struct matrix_format matrix_scotch = {
    .name = "scotch",
    .help = "graph of Scotch: an edge is its load in bytes, or 1, each way",
    .sniff = sniff,
    .read = read,
};

#include "traces/matrix/formats/graph.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/mem.h"

enum status matrix_graph_begin(struct matrix_graph *g, struct matrix_file *f, uint64_t n,
                               uint64_t base, struct err *e)
{
  *g = (struct matrix_graph){.f = f, .n = (uint32_t)n, .base = base};
  matrix_file_set_ranks(f, g->n);
  return (g->seen = mem_array(g->n, sizeof *g->seen, e)) != NULL &&
                 (g->line = mem_array(g->n, sizeof *g->line, e)) != NULL
             ? OK
             : FAIL;
}

void matrix_graph_clear(struct matrix_graph *g)
{
  free(g->seen);
  free(g->line);
  *g = (struct matrix_graph){.f = NULL};
}

enum status matrix_graph_vertex(struct matrix_graph *g, uint32_t v, struct err *e)
{
  const struct linefile *in = &g->f->in;
  if (g->line[v] != 0)
    return err_at(e, in->path, in->line, "a second list of vertex %" PRIu64, g->base + v);
  g->line[v] = in->line;
  g->vertex = v;
  return OK;
}

enum status matrix_graph_arc(struct matrix_graph *g, const char *neighbour, const char *weight,
                             struct err *e)
{
  const struct linefile *in = &g->f->in;
  uint64_t v, bytes;
  if (matrix_file_number(g->f, "neighbour", neighbour, g->base, g->base + g->n - 1, &v, e) != OK ||
      matrix_file_bytes(g->f, weight, &bytes, e) != OK)
    return FAIL;
  const struct matrix_entry x = {g->vertex, (uint32_t)(v - g->base), 1, bytes};
  if (x.dst == x.src)
    return err_at(e, in->path, in->line, "vertex %" PRIu64 " is its own neighbour", v);
  if (g->seen[x.dst] == x.src + 1)
    return err_at(e, in->path, in->line, "vertex %" PRIu64 " has the neighbour %" PRIu64 " twice",
                  g->base + x.src, v);
  if (bytes == 0)
    return err_at(e, in->path, in->line, "the weight of an edge is %.64s, not above 0", weight);
  g->seen[x.dst] = x.src + 1;
  g->arcs++;
  return matrix_file_add(g->f, &x, e);
}

/* The entry from @p dst to @p src must be equal. */
static enum status check_back(const struct matrix_graph *g, const struct matrix_entry *x,
                              struct err *e)
{
  const struct matrix *m = &g->f->m;
  const size_t i = matrix_search(m->entry, 0, m->count, x->dst, x->src);
  const bool found = i < m->count && m->entry[i].src == x->dst && m->entry[i].dst == x->src;
  if (found && m->entry[i].bytes == x->bytes)
    return OK;
  const uint64_t u = g->base + x->src, v = g->base + x->dst;
  return found ? err_at(e, g->f->in.path, g->line[x->src],
                        "the edge %" PRIu64 " %" PRIu64 " has %" PRIu64 " bytes, and %" PRIu64
                        " in the list of %" PRIu64,
                        u, v, x->bytes, m->entry[i].bytes, v)
               : err_at(e, g->f->in.path, g->line[x->src],
                        "vertex %" PRIu64 " has the neighbour %" PRIu64 ", but %" PRIu64
                        " does not have %" PRIu64,
                        u, v, v, u);
}

enum status matrix_graph_end(struct matrix_graph *g, uint64_t arcs, struct err *e)
{
  const struct matrix *m = &g->f->m;
  if (g->arcs != arcs)
    return err_at(e, g->f->in.path, g->f->in.line,
                  "the lists have %" PRIu64 " neighbours instead of %" PRIu64, g->arcs, arcs);
  if (matrix_file_sort(g->f, e) != OK)
    return FAIL;
  for (size_t i = 0; i < m->count; i++)
    if (check_back(g, &m->entry[i], e) != OK)
      return FAIL;
  return OK;
}

#include "mappers/graph.h"

#include <inttypes.h>
#include <string.h>

static enum status alloc_rows(struct graph *g, uint32_t n, uint64_t arcs, struct arena *mem)
{
  *g = (struct graph){.n = n};
  if (arcs >= UINT32_MAX)
    return err_set(mem->e, "more than %u pairs of ranks", UINT32_MAX / 2);
  g->first = arena_array(mem, (size_t)n + 1, sizeof *g->first);
  g->to = arena_array(mem, arcs, sizeof *g->to);
  return arena_status(mem);
}

static enum status alloc_bytes(struct graph *g, uint32_t n, uint64_t arcs, struct arena *mem)
{
  if (alloc_rows(g, n, arcs, mem) != OK)
    return FAIL;
  g->bytes = arena_array(mem, arcs, sizeof *g->bytes);
  return arena_status(mem);
}

enum status graph_alloc(struct graph *g, uint32_t n, uint64_t arcs, struct arena *mem)
{
  if (alloc_rows(g, n, arcs, mem) != OK)
    return FAIL;
  g->weight = arena_array(mem, arcs, sizeof *g->weight);
  return arena_status(mem);
}

/* --- graphs with bytes ------------------------------------------------------------------------ */

enum status graph_check(const struct matrix *traffic, uint32_t ranks, struct err *e)
{
  for (size_t i = 0; i < traffic->count; i++) {
    const struct matrix_entry x = matrix_at(traffic, i);
    if (x.src >= ranks || x.dst >= ranks)
      return err_set(
          e, "traffic between ranks %" PRIu32 " and %" PRIu32 ", but there are %" PRIu32 " ranks",
          x.src, x.dst, ranks);
  }
  return OK;
}

/* Before: first[v + 1] is the length of row v.  After: first[v + 1] is the start of row v, which
 * append() advances to its end. */
static void begin_rows(struct graph *g)
{
  uint32_t sum = 0;
  for (uint32_t v = 0; v < g->n; v++) {
    const uint32_t length = g->first[v + 1];
    g->first[v + 1] = sum;
    sum += length;
  }
}

static void append(struct graph *g, uint32_t v, uint32_t to, uint64_t bytes)
{
  const uint32_t a = g->first[v + 1]++;
  g->to[a] = to;
  g->bytes[a] = bytes;
}

/* Sorts the rows of @p in by transposing it: the graph is undirected, so the transpose has the same
 * arcs, with rising ends in each row.  Then unites the arcs of a row that lead to the same task. */
static void sort_rows(struct graph *out, const struct graph *in)
{
  uint32_t end = 0;
  for (uint32_t v = 0; v < in->n; v++)
    out->first[v + 1] = graph_degree(in, v);
  begin_rows(out);
  for (uint32_t v = 0; v < in->n; v++)
    for (uint32_t a = in->first[v]; a < in->first[v + 1]; a++)
      append(out, in->to[a], v, in->bytes[a]);
  for (uint32_t v = 0, a = 0; v < out->n; v++) {
    const uint32_t start = end;
    for (; a < out->first[v + 1]; a++) {
      if (end > start && out->to[end - 1] == out->to[a]) {
        out->bytes[end - 1] += out->bytes[a];
        continue;
      }
      out->to[end] = out->to[a];
      out->bytes[end++] = out->bytes[a];
    }
    out->first[v + 1] = end;
  }
}

enum status graph_new(struct graph *g, const struct matrix *traffic, uint32_t ranks, uint32_t n,
                      struct arena *mem)
{
  ARENA(room, mem->e);
  struct graph both;
  if (graph_check(traffic, ranks, mem->e) != OK ||
      alloc_bytes(&both, n, 2 * traffic->count, &room) != OK ||
      alloc_bytes(g, n, 2 * traffic->count, mem) != OK)
    return FAIL;
  for (size_t i = 0; i < traffic->count; i++) {
    const struct matrix_entry x = matrix_at(traffic, i);
    both.first[x.src + 1] += graph_counts(&x);
    both.first[x.dst + 1] += graph_counts(&x);
  }
  begin_rows(&both);
  for (size_t i = 0; i < traffic->count; i++) {
    const struct matrix_entry x = matrix_at(traffic, i);
    if (!graph_counts(&x))
      continue;
    append(&both, x.src, x.dst, x.bytes);
    append(&both, x.dst, x.src, x.bytes);
  }
  sort_rows(g, &both);
  return OK;
}

enum status graph_contract(struct graph *out, const struct graph *g, const uint32_t *part,
                           uint32_t parts, struct arena *mem)
{
  ARENA(room, mem->e);
  struct graph rows;
  if (alloc_bytes(&rows, parts, g->first[g->n], &room) != OK ||
      alloc_bytes(out, parts, g->first[g->n], mem) != OK)
    return FAIL;
  for (uint32_t v = 0; v < g->n; v++)
    for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
      rows.first[part[v] + 1] += part[v] != part[g->to[a]];
  begin_rows(&rows);
  for (uint32_t v = 0; v < g->n; v++)
    for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
      if (part[v] != part[g->to[a]])
        append(&rows, part[v], part[g->to[a]], g->bytes[a]);
  sort_rows(out, &rows);
  return OK;
}

/* --- graphs with weights ---------------------------------------------------------------------- */

/* The largest sum of the bytes of a task's arcs. */
static double most_bytes(const struct graph *g)
{
  double most = 0;
  for (uint32_t v = 0; v < g->n; v++) {
    double sum = 0;
    for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
      sum += (double)g->bytes[a];
    most = sum > most ? sum : most;
  }
  return most;
}

enum status graph_scale(struct graph *out, const struct graph *g, struct arena *mem)
{
  const uint32_t arcs = g->first[g->n];
  const double most = most_bytes(g);
  const double scale = most > GRAPH_MOST_WEIGHT ? GRAPH_MOST_WEIGHT / most : 1;
  if (graph_alloc(out, g->n, arcs, mem) != OK)
    return FAIL;
  memcpy(out->first, g->first, ((size_t)g->n + 1) * sizeof *g->first);
  memcpy(out->to, g->to, arcs * sizeof *g->to);
  for (uint32_t a = 0; a < arcs; a++) {
    const double w = (double)g->bytes[a] * scale;
    out->weight[a] = w < 1 ? 1 : (uint32_t)w;
  }
  return OK;
}

enum status graph_part(struct graph *out, const struct graph *g, const struct graph_list *l,
                       uint32_t *index, struct arena *mem)
{
  const uint32_t *list = l->task, n = l->n;
  uint64_t arcs = 0;
  for (uint32_t i = 0; i < n; i++) {
    index[list[i]] = i;
    arcs += graph_degree(g, list[i]);
  }
  const enum status s = graph_alloc(out, n, arcs, mem);
  uint32_t at = 0;
  for (uint32_t i = 0; i < n && s == OK; i++) {
    for (uint32_t a = g->first[list[i]]; a < g->first[list[i] + 1]; a++) {
      if (index[g->to[a]] == UINT32_MAX)
        continue;
      out->to[at] = index[g->to[a]];
      out->weight[at++] = g->weight[a];
    }
    out->first[i + 1] = at;
  }
  for (uint32_t i = 0; i < n; i++)
    index[list[i]] = UINT32_MAX;
  return s;
}

uint32_t graph_components(const struct graph *g, uint32_t *part, uint32_t *queue)
{
  uint32_t parts = 0;
  memset(part, 0xff, (size_t)g->n * sizeof *part);
  for (uint32_t v = 0; v < g->n; v++) {
    uint32_t count = 1;
    if (part[v] != UINT32_MAX)
      continue;
    part[v] = parts;
    queue[0] = v;
    for (uint32_t i = 0; i < count; i++)
      for (uint32_t a = g->first[queue[i]]; a < g->first[queue[i] + 1]; a++)
        if (part[g->to[a]] == UINT32_MAX) {
          part[g->to[a]] = parts;
          queue[count++] = g->to[a];
        }
    parts++;
  }
  return parts;
}

uint64_t graph_weight(const struct graph *g)
{
  uint64_t sum = 0;
  for (uint32_t a = 0; a < g->first[g->n]; a++)
    sum += g->weight[a];
  return sum / 2;
}

double graph_threshold(const struct graph *g)
{
  uint32_t most = 0;
  for (uint32_t a = 0; a < g->first[g->n]; a++)
    most = g->weight[a] > most ? g->weight[a] : most;
  return 0.03 * most;
}

/** @file graph.h
 *  Private to traces/matrix/: undirected graphs as lists of the neighbours of each vertex, in which
 *  each edge occurs twice, once in each direction.  Refuses lists that contradict each other.
 */
#pragma once

#include <stdint.h>

#include "traces/matrix/formats/file.h"

struct matrix_graph {
  struct matrix_file *f;
  uint32_t n;      /**< number of vertices */
  uint64_t base;   /**< number of the first vertex in the file */
  uint64_t arcs;   /**< entries of the lists so far */
  uint32_t vertex; /**< the current one, from 0 */
  uint32_t *seen;  /**< by vertex: the last vertex whose list has it, plus 1; owned */
  uint64_t *line;  /**< by vertex: line of its list; 0: none; owned */
};

/** Begins a graph of @p n vertices; sets the number of ranks.  Free with matrix_graph_clear(). */
enum status matrix_graph_begin(struct matrix_graph *g, struct matrix_file *f, uint64_t n,
                               uint64_t base, struct err *e);

/** Frees the arrays.  Accepts a zeroed graph. */
void matrix_graph_clear(struct matrix_graph *g);

/** Begins the list of vertex @p v, on the current line.  Refuses a second list. */
enum status matrix_graph_vertex(struct matrix_graph *g, uint32_t v, struct err *e);

/** Adds a neighbour of the current vertex and the weight of the edge, which must be above 0. */
enum status matrix_graph_arc(struct matrix_graph *g, const char *neighbour, const char *weight,
                             struct err *e);

/** Checks that there are @p arcs entries, and that each edge has the same weight in both lists. */
enum status matrix_graph_end(struct matrix_graph *g, uint64_t arcs, struct err *e);

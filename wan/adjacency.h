/** @file adjacency.h
 *  An undirected graph of connections between processes: the bounding graph, or a spanning tree of
 *  it.  Each connection records the sides that can open it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

/** A connection, as one of its two processes sees it. */
struct adjacency_edge {
  uint32_t to;
  bool opened; /**< this side can open the connection; true on at least one of the two sides */
};

/** Empty if zeroed. */
struct adjacency {
  uint32_t n;
  size_t *first;               /**< process p has edge[first[p]] to edge[first[p + 1] - 1]; owned */
  struct adjacency_edge *edge; /**< of each process sorted by `to`, without duplicates; owned */
};

/** A connection that process @p from opens to process @p to. */
struct adjacency_open {
  uint32_t from, to;
};

/** Builds the graph of @p count connections among @p n processes.  Each connects two different
 *  processes.  A pair may occur repeatedly and in both directions; the order does not matter.  Free
 *  with adjacency_clear().  O(count log count). */
enum status adjacency_new(struct adjacency *out, uint32_t n, const struct adjacency_open *open,
                          size_t count, struct err *e);

/** Accepts a zeroed struct. */
void adjacency_clear(struct adjacency *a);

/** The edge from @p p to @p q, or NULL.  O(log degree). */
const struct adjacency_edge *adjacency_find(const struct adjacency *a, uint32_t p, uint32_t q);

/** Number of connections: pairs of processes, not directions. */
static inline size_t adjacency_count(const struct adjacency *a)
{
  return a->n == 0 ? 0 : a->first[a->n] / 2;
}

/** Numbers the components from 0 by their lowest process.  Writes the component of each process to
 *  @p component (n entries), and the number of components to *count. */
enum status adjacency_components(const struct adjacency *a, uint32_t *component, uint32_t *count,
                                 struct err *e);

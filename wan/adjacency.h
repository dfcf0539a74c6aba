/** @file adjacency.h
 *  An undirected graph of connections between processes that knows which side opened each one: the
 *  bounding graph, or a spanning tree of it.
 */
#ifndef WAN_ADJACENCY_H
#define WAN_ADJACENCY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

/** A connection, as one of its two processes sees it. */
struct adjacency_edge {
  uint32_t to;
  bool opened; /**< this side can open it; at least one of the two sides can */
};

/** Zeroed: empty. */
struct adjacency {
  uint32_t n;
  size_t *first;               /**< process p has edge[first[p]] to edge[first[p + 1] - 1]; owned */
  struct adjacency_edge *edge; /**< those of a process sorted by `to`, each once; owned */
};

/** One process opens a connection to another. */
struct adjacency_open {
  uint32_t from, to;
};

/** The graph of @p count connections between different ones of @p n processes, in any order; a pair
 *  may be opened from both sides or twice.  The caller's: adjacency_clear().  O(count log count).
 */
enum status adjacency_new(struct adjacency *out, uint32_t n, const struct adjacency_open *open,
                          size_t count, struct err *e);

/** Accepts a zeroed one. */
void adjacency_clear(struct adjacency *a);

/** The edge from @p p to @p q; NULL if there is none.  O(log degree). */
const struct adjacency_edge *adjacency_find(const struct adjacency *a, uint32_t p, uint32_t q);

/** Number of connections: pairs of processes, not directions. */
static inline size_t adjacency_count(const struct adjacency *a)
{
  return a->n == 0 ? 0 : a->first[a->n] / 2;
}

/** Writes a number of its component, from 0 in the order of the lowest processes, for each process
 *  to @p component (n entries), and their count to *count. */
enum status adjacency_components(const struct adjacency *a, uint32_t *component, uint32_t *count,
                                 struct err *e);

#endif

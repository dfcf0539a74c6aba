/** @file union_find.h
 *  Union-find on the numbers 0..n-1.  The root of a set is its lowest element.
 */
#pragma once

#include <stdint.h>

/** Makes @p n sets of one element.  @p parent has an entry for each element; a root is its own
 *  parent. */
static inline void union_find_reset(uint32_t *parent, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    parent[i] = i;
}

/** The root of the set of @p v.  Halves the path to it. */
static inline uint32_t union_find_root(uint32_t *parent, uint32_t v)
{
  while (parent[v] != v) {
    parent[v] = parent[parent[v]];
    v = parent[v];
  }
  return v;
}

/** Unites the sets of @p a and @p b. */
static inline void union_find_unite(uint32_t *parent, uint32_t a, uint32_t b)
{
  a = union_find_root(parent, a);
  b = union_find_root(parent, b);
  if (a < b)
    parent[b] = a;
  else
    parent[a] = b;
}

/** @file product.h
 *  Products of graphs: tasks have coordinates, and partners differ in one of them.  All-to-all
 *  exchanges in rows and columns, as in a transposed FFT, are a product of two complete graphs;
 *  with Bruck's algorithm, they are a product of two circulants.  Products of paths and cycles only
 *  are left to structure.h.
 */
#pragma once

#include "mappers/general/placement.h"

/** Limit of the number of factors. */
enum { PRODUCT_MOST = 6 };

struct product {
  uint32_t count;                    /**< number of factors; 0: the graph is no product */
  struct graph factor[PRODUCT_MOST]; /**< its tasks are the values of a coordinate; weights are
                                          means */
  uint32_t *at;                      /**< coordinates: PRODUCT_MOST per task */
};

/** Finds the factors of a connected graph, for any numbering of the tasks, if all its edges but the
 *  lightest form a product.  O(sum of squared degrees). */
enum status product_find(struct product *p, const struct graph *g, struct arena *mem);

/** Improves a placement of a graph with these factors, or leaves it unchanged.  Each factor is
 *  placed on digits of the slot numbers, so that on a grid its hops do not depend on the other
 *  coordinates.  Of all ways to divide the digits among the factors, tries those with the lowest
 *  bounds of hops. */
enum status product_map(const struct product *f, struct placement *p, uint64_t seed, struct err *e);

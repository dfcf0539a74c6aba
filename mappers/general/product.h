/** @file product.h
 *  Products of graphs: tasks have coordinates, and partners differ in one of them.  All-to-all
 *  exchanges in rows and columns, as of a transposed FFT, are a product of two complete graphs; by
 *  Bruck's algorithm, of two circulants.  Products of paths and cycles alone are none: see
 *  structure.h.
 */
#ifndef MAPPERS_GENERAL_PRODUCT_H
#define MAPPERS_GENERAL_PRODUCT_H

#include "mappers/general/placement.h"

/** Most factors. */
enum { PRODUCT_MOST = 6 };

struct product {
  uint32_t count;                    /**< factors; 0: the graph is no product */
  struct graph factor[PRODUCT_MOST]; /**< its tasks are values of a coordinate, weights are means;
                                          owned, as at[] */
  uint32_t *at;                      /**< coordinates: PRODUCT_MOST of each task */
};

/** Finds the factors of a connected graph without its lightest edges, exactly, whatever its
 *  numbering; those that are products by squares around one task alone are refused.  O(sum of
 *  squared degrees).  The caller's: product_clear(). */
enum status product_find(struct product *p, const struct graph *g, struct err *e);

/** Accepts a zeroed one. */
void product_clear(struct product *p);

/** Improves a placement of a graph with these factors: each is placed on digits of the slots'
 *  numbers, so that its hops do not depend on the other coordinates of a grid.  Of all ways to
 *  share the digits those are tried whose hops may be least. */
enum status product_map(const struct product *f, struct placement *p, uint64_t seed, struct err *e);

#endif

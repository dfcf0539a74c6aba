/** @file routed.h
 *  A bounding graph with the routes on it and, if it is connected, its spanning tree and the routes
 *  on the tree.
 */
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "wan/bounding.h"
#include "wan/routing.h"

struct routed {
  struct bounding bounding;
  struct routing routing;
  uint32_t components;
  struct adjacency tree;  /**< empty if components > 1 */
  struct routing on_tree; /**< routes on `tree`; empty if components > 1 */
};

/** Draws the graph with the options @p in and computes the routes.  @p root is the root of the
 *  tree. Free *g with routed_clear(), also after a failure. */
enum status routed_new(struct routed *g, const struct bounding_input *in, uint32_t root,
                       struct err *e);

void routed_clear(struct routed *g);

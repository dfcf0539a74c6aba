/** @file halve.h
 *  Cuts a graph in two, with bounds on the sizes.  Multilevel: heavy-edge matching makes smaller
 *  graphs; the smallest is cut, and each larger one inherits the cut and refines it by the method
 *  of Fiduccia and Mattheyses.
 */
#pragma once

#include "mappers/graph.h"

struct halving {
  const struct graph *g;
  const int64_t *bias;  /**< by task: cost on side 1 minus cost on side 0, besides its edges */
  uint32_t hops;        /**< cost of a cut edge per weight */
  uint32_t least, most; /**< bounds of the number of tasks of side 0 */
  uint32_t tries;       /**< cuts of the smallest graph, of which the best is refined */
  uint64_t seed;
};

/** Writes the side of each task, 0 or 1, so that the cost of cut edges and sides is low.  O(arcs
 *  log tasks). */
enum status halve(const struct halving *h, uint8_t *side, struct err *e);

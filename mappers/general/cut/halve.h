/** @file halve.h
 *  Cuts a graph in two, with bounds on the sizes: multilevel, by heavy-edge matching and the method
 *  of Fiduccia and Mattheyses.
 */
#ifndef MAPPERS_GENERAL_CUT_HALVE_H
#define MAPPERS_GENERAL_CUT_HALVE_H

#include "mappers/graph.h"

struct halving {
  const struct graph *g;
  const int64_t *bias;  /**< by task: extra cost of side 1 over side 0, besides its edges */
  uint32_t hops;        /**< cost of a cut edge per weight */
  uint32_t least, most; /**< bounds of the number of tasks of side 0 */
  uint32_t tries;       /**< first cuts of the smallest graph */
  uint64_t seed;
};

/** Writes the side of each task, 0 or 1.  O(arcs log tasks). */
enum status halve(const struct halving *h, uint8_t *side, struct err *e);

#endif

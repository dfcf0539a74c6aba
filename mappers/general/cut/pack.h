/** @file pack.h
 *  Packs connected parts of a graph into disjoint boxes of a grid.  The grid is cut in two
 *  recursively, and the parts are divided between its halves, each as a whole.
 */
#pragma once

#include <stdbool.h>

#include "mappers/general/general.h"

/** The connected parts of a graph. */
struct parts {
  uint32_t count;
  uint32_t *of; /**< by task */
};

/** Makes a placement on a grid; general_part() maps each part onto its box.  *packed is false, and
 *  the placement invalid, if no cuts pack the parts. */
enum status pack_map(struct placement *p, const struct parts *parts,
                     const struct general_plan *plan, bool *packed, struct err *e);

/** @file pack.h
 *  Packs connected parts of a graph into disjoint boxes of a grid.  The grid is cut in two
 *  recursively so that no part is cut.
 */
#ifndef MAPPERS_GENERAL_CUT_PACK_H
#define MAPPERS_GENERAL_CUT_PACK_H

#include <stdbool.h>

#include "mappers/general/general.h"

/** The connected parts of a graph. */
struct parts {
  uint32_t count;
  uint32_t *of; /**< by task */
};

/** Makes a placement on a grid.  *packed is false, and the placement invalid, if the parts cannot
 *  be packed by cuts. */
enum status pack_map(struct placement *p, const struct parts *parts,
                     const struct general_plan *plan, bool *packed, struct err *e);

#endif

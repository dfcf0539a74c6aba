/** @file pack.h
 *  Connected parts of a graph onto boxes of a grid, which share no host: the box is cut in two
 *  again and again so that no part is cut.
 */
#ifndef MAPPERS_GENERAL_PACK_H
#define MAPPERS_GENERAL_PACK_H

#include <stdbool.h>

#include "mappers/general/general.h"

/** The connected parts of a graph. */
struct parts {
  uint32_t count;
  uint32_t *of; /**< by task */
};

/** Makes a placement on a grid; *packed is false, and it is of no use, if no way was found to pack
 *  the parts. */
enum status pack_map(struct placement *p, const struct parts *parts,
                     const struct general_plan *plan, bool *packed, struct err *e);

#endif

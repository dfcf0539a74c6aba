/** @file rivals.h
 *  The simple mappers against which a general mapping must not lose: xyz and greedy.
 */
#ifndef MAPPERS_GENERAL_RIVALS_H
#define MAPPERS_GENERAL_RIVALS_H

#include "mappers/general/problem.h"

/** Sets p->slot to the mapping of xyz or of greedy if it has fewer hop-bytes, counted as metrics do
 *  (mappers/metrics.h); *taken says whether. */
enum status rivals_take(struct problem *p, bool *taken, struct err *e);

#endif

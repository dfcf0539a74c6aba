/** @file packing.h
 *  Tests whether hosts can be filled with whole elements so that all elements end by a given date.
 *  A lower bound for networks with few kinds of elements, for example large arrays: "no" is
 *  certain, "yes" is not.
 *
 *  A host is assumed to be able to run a set of elements if, for every interval, the total time of
 *  the elements of the set that must start and end in the interval is at most its length.  reach.h
 *  bounds the earliest start and the latest end of an element on a class.  Waiting for elements on
 *  other hosts is ignored.  The test is a dynamic program over the numbers of elements of each
 *  kind.
 */
#pragma once

#include "mappers/schedule/optimal/reach.h"

enum { PACKING_KINDS = 8 };

struct packing_fill {
  uint32_t count[PACKING_KINDS]; /**< number of elements of each kind on a host */
};

struct packing {
  const struct reach *reach;
  uint32_t kinds;                  /**< 0: too many; always yes */
  uint32_t element[PACKING_KINDS]; /**< by kind: one of its elements */
  uint32_t count[PACKING_KINDS];   /**< by kind: number of elements */
  size_t states;             /**< combinations of numbers of elements of all kinds but the first */
  int32_t *most, *next;      /**< by state: maximum number of elements of the first kind that also
                                  fit; -1: not reachable */
  struct packing_fill *fill; /**< maximal fills of a host: no further element fits */
  size_t fills, room, looked;
};

/** @p r must have no placed element, must have been bounded by reach_look(), and must outlive @p p.
 *  The caller frees p->fill with free(). */
enum status packing_new(struct packing *p, const struct reach *r, struct arena *mem);

/** Sets *may to false if some element must end after @p date, and to true if all elements may end
 *  by then, or if the test would take too long.  O(hosts * states * fills). */
enum status packing_by(struct packing *p, double date, bool *may, struct err *e);

/** @file packing.h
 *  Can hosts be filled with whole elements so that all end by a given time?  A lower bound for
 *  networks of few kinds of elements, as arrays make them: "no" is certain, "yes" is not.
 *
 *  A host runs a set of elements if those that start no sooner than some time and end no later than
 *  another fit in between, for all such times; the bounds of reach.h say when an element of a class
 *  may start and must end.  What elements of different hosts wait for is left out.  Found by
 * dynamic programming over the numbers of elements of each kind.
 */
#ifndef MAPPERS_SCHEDULE_PACKING_H
#define MAPPERS_SCHEDULE_PACKING_H

#include "mappers/schedule/reach.h"

enum { PACKING_KINDS = 8 };

struct packing_fill {
  uint32_t count[PACKING_KINDS]; /**< elements of each kind on a host */
};

struct packing {
  const struct reach *reach;
  uint32_t kinds;                                        /**< 0: too many, and all may be packed */
  uint32_t element[PACKING_KINDS], count[PACKING_KINDS]; /**< the first of a kind; all of it */
  size_t states;             /**< numbers of elements of all kinds but the first */
  int32_t *most, *next;      /**< by state: the most elements of the first kind with it */
  struct packing_fill *fill; /**< of a host, none of which leaves room for another element */
  size_t fills, room, looked;
};

/** Of a reach that nothing is placed in, after reach_look(); it outlives the packing.  The
 * caller's: packing_clear(). */
enum status packing_new(struct packing *p, const struct reach *r, struct err *e);

void packing_clear(struct packing *p);

/** May all end by @p date?  *may is true too where that would take long to find out.
 *  O(hosts * states * fills). */
enum status packing_by(struct packing *p, double date, bool *may, struct err *e);

#endif

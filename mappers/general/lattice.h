/** @file lattice.h
 *  Coordinates of tasks whose graph is a grid with faults: some edges are missing, and some lead
 *  anywhere.  They are grown from a task whose surroundings have none, so that a fault does no harm
 *  but where it is.
 */
#ifndef MAPPERS_GENERAL_LATTICE_H
#define MAPPERS_GENERAL_LATTICE_H

#include <stdbool.h>

#include "mappers/general/fold.h"
#include "mappers/general/parallel.h"

struct lattice {
  const struct parallel *p;
  uint32_t naxes;
  int32_t (*at)[FOLD_MOST_AXES]; /**< by task that is placed; owned, as all arrays */
  uint8_t *is_placed;
  uint32_t *table; /**< tasks + 1 by hash of their coordinates; 0: none */
  uint32_t mask;   /**< size of the table - 1 */
  uint32_t *queue; /**< tasks that may have got a place, some several times */
  uint32_t *rim;   /**< placed tasks with neighbours that may have no place, in order */
  uint32_t rim_count, placed;
  uint32_t straight, skew; /**< edges between placed tasks: steps, and those of two or three */
  uint32_t *steps;         /**< by length: edges along one axis */
};

/** For graphs with the edges of @p p; on success the caller's: lattice_clear(). */
enum status lattice_new(struct lattice *l, const struct parallel *p, struct err *e);

/** Accepts a zeroed one. */
void lattice_clear(struct lattice *l);

/** Looks for coordinates of all tasks, by the edges that count, which are listed: a shape of at
 *  most @p most cells, and FOLD_MOST_AXES numbers in @p at for each task, no two alike; no axes if
 *  there are none by which most edges are steps.  @p cells has room for @p most.  O(n d^5) for
 *  n tasks and d axes. */
void lattice_find(struct lattice *l, uint64_t most, uint32_t *cells, struct fold_shape *shape,
                  uint32_t *at);

#endif

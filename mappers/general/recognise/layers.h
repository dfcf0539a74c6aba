/** @file layers.h
 *  Sorts tasks by their coordinates in a product of paths and cycles, along the axis of their
 *  largest extent first.  A prefix of the result consists of whole layers and at most one part of a
 *  layer.
 */
#ifndef MAPPERS_GENERAL_RECOGNISE_LAYERS_H
#define MAPPERS_GENERAL_RECOGNISE_LAYERS_H

#include "mappers/general/recognise/structure.h"

struct layers_item {
  uint64_t key;
  uint32_t index; /**< in the list */
};

/** Sorts the @p n tasks of list[] layer by layer: fills item[], which has room for them, with their
 *  places in the list.  O(n log n). */
void layers_sort(const struct structure *s, const uint32_t *list, uint32_t n,
                 struct layers_item *item);

#endif

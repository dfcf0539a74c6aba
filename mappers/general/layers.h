/** @file layers.h
 *  Halves tasks by their coordinates in a product of paths and cycles: across the side along which
 *  they reach farthest.
 */
#ifndef MAPPERS_GENERAL_LAYERS_H
#define MAPPERS_GENERAL_LAYERS_H

#include "mappers/general/structure.h"

struct layers_item {
  uint64_t key;
  uint32_t index; /**< in the list */
};

/** Orders the @p n tasks of list[] layer by layer: item[], which has room for them, gets their
 *  places in the list.  O(n log n). */
void layers_sort(const struct structure *s, const uint32_t *list, uint32_t n,
                 struct layers_item *item);

#endif

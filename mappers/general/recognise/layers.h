/** @file layers.h
 *  Sorts tasks by their coordinates in a product of paths and cycles (structure.h), along the axis
 *  of their largest extent first.  So each prefix of the result consists of whole layers and at
 *  most one part of a layer.
 */
#pragma once

#include "mappers/general/recognise/structure.h"

struct layers_item {
  uint64_t key;
  uint32_t index; /**< in the list */
};

/** Fills item[], of length @p n, with the places of the @p n tasks in list[], sorted layer by
 *  layer.  O(n log n). */
void layers_sort(const struct structure *s, const uint32_t *list, uint32_t n,
                 struct layers_item *item);

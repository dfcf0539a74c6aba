/** @file rankheap.h
 *  A heap of ranks by a key that only grows: which rank is next.  Ties go to the lower rank, so
 *  that the order does not depend on that of the calls.
 */
#ifndef MAPPERS_GREEDY_RANKHEAP_H
#define MAPPERS_GREEDY_RANKHEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

struct rankheap {
  uint64_t *key;  /**< of each rank; owned */
  size_t *place;  /**< of each rank in the heap, from 1; 0: not in it; owned */
  uint32_t *rank; /**< the heap, [0] the greatest; owned */
  size_t count;
};

/** Empty, for ranks 0..@p ranks-1, all keys 0.  The caller's: rankheap_clear(). */
enum status rankheap_new(struct rankheap *h, uint32_t ranks, struct err *e);

/** Accepts a zeroed heap. */
void rankheap_clear(struct rankheap *h);

/** Adds @p amount to the key of @p rank, which enters the heap if it is not in it.
 *  O(log ranks). */
void rankheap_add(struct rankheap *h, uint32_t rank, uint64_t amount);

/** Takes the rank with the greatest key out; its key stays.  False if the heap is empty.
 *  O(log ranks). */
bool rankheap_pop(struct rankheap *h, uint32_t *rank);

#endif

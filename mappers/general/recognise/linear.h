/** @file linear.h
 *  Linear maps over GF(2) from binary addresses of tasks to slots of a grid whose sides are powers
 *  of two: each bit of a slot's number is the sum, modulo 2, of some bits of the address.
 */
#pragma once

#include <stdbool.h>

#include "mappers/general/target.h"

/** Limit of the bits of an address. */
#define LINEAR_MOST_BITS 20

/** Traffic between addresses, the same for all tasks, in shares of the total. */
struct linear_traffic {
  uint32_t bits;                         /**< of an address */
  uint32_t count;                        /**< number of differences */
  uint32_t difference[LINEAR_MOST_BITS]; /**< address a has the partners a ^ difference[i] */
  double weight[LINEAR_MOST_BITS];       /**< by difference: share of the traffic */
  uint32_t width;    /**< each address also has its transpose as partner: its lowest `width` bits
                          exchanged with the next `width` bits; no partner if these are equal */
  double transposed; /**< share of the traffic between transposes, as if every address had this
                          partner; 0: there is none */
};

/** True if linear_find() accepts this machine. */
bool linear_fits(const struct target *m);

/** Finds a map with few hops: bit i of the slot is the sum of the address bits in row[i].  Finds
 *  the best map for hypercubes; anneals on other grids. */
enum status linear_find(const struct linear_traffic *t, const struct target *m, uint64_t seed,
                        uint32_t *row, struct err *e);

/** The slot of an address. */
uint32_t linear_slot(const uint32_t *row, uint32_t bits, uint32_t address);

/** The transpose of an address; see struct linear_traffic. */
uint32_t linear_transpose(uint32_t address, uint32_t width);

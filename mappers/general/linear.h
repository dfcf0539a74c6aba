/** @file linear.h
 *  Linear maps over GF(2) of binary addresses of tasks to slots of a grid whose sides are powers of
 *  two: each bit of a slot's number is the sum of some bits of the address.
 */
#ifndef MAPPERS_GENERAL_LINEAR_H
#define MAPPERS_GENERAL_LINEAR_H

#include <stdbool.h>

#include "mappers/general/target.h"

/** Most bits of addresses. */
#define LINEAR_MOST_BITS 20

/** Traffic between addresses, exactly: all tasks alike, and as shares of the whole. */
struct linear_traffic {
  uint32_t bits;                         /**< of an address */
  uint32_t count;                        /**< differences */
  uint32_t difference[LINEAR_MOST_BITS]; /**< each address has a partner at each */
  double weight[LINEAR_MOST_BITS];       /**< share of the traffic */
  uint32_t width; /**< each address has its transpose as partner: the lowest bits, so many, and the
                       next so many exchanged; where these are equal, none */
  double transposed; /**< share of the traffic, were there none of the latter */
};

/** Does linear_find() take this machine? */
bool linear_fits(const struct target *m);

/** Finds a map of few hops: row[i] is the set of the address' bits whose sum is bit i of the slot.
 *  Exact on hypercubes, else by annealing. */
enum status linear_find(const struct linear_traffic *t, const struct target *m, uint64_t seed,
                        uint32_t *row, struct err *e);

/** The slot of an address. */
uint32_t linear_slot(const uint32_t *row, uint32_t bits, uint32_t address);

/** The transpose of an address, see above. */
uint32_t linear_transpose(uint32_t address, uint32_t width);

#endif

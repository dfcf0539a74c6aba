/** @file pattern.h
 *  Placement patterns of a box of hosts: the rotations and reflections that keep its shape.
 *
 *  Source: Asano and Kise, "SFMOPT", section 3.2.1: a pattern is a permutation of axes of equal
 *  length times a reflection of each axis.  Axes of length 1 are neither permuted nor reflected,
 *  because that changes nothing.
 *
 *  The paper does not define an order of the patterns.  Here they are sorted by permutation,
 *  lexicographically, then by the set of reflected axes as a falling binary number: from all
 *  reflected to none.  docs/mopt.md has the results of other orders.
 */
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "mappers/merge/plan.h"

struct merge_pattern {
  uint8_t from[MERGE_PLAN_MAX_DIMS]; /**< by axis: the axis of the box that is moved to it */
  uint32_t flip;                     /**< set of bits: the axes reflected after the permutation */
};

/** The patterns of one shape. */
struct merge_patterns {
  uint32_t ndims;
  uint8_t kind[MERGE_PLAN_MAX_DIMS]; /**< axes with equal values may be exchanged */
  uint32_t flips;                    /**< set of bits: the axes that may be reflected */
  uint32_t reflections;              /**< 2^(number of flips) */
  uint64_t permutations;             /**< capped at UINT32_MAX */
  uint8_t *table;                    /**< permutations x ndims: `from` of each permutation; NULL
                                          before merge_pattern_list(); owned */
  uint32_t *order; /**< by index of the pattern: its place in the order of the file
                        comment; NULL: equal to the index; owned */
};

/** Sets all fields except `table` and `order`.  An axis has a length in units and a length in hosts
 *  (@p length, @p other_length), which differ with subgroups.  Axes may be exchanged if both
 *  lengths are equal, and reflected if @p length is above 1. */
void merge_pattern_init(struct merge_patterns *p, uint32_t ndims, const uint32_t *length,
                        const uint32_t *other_length);

/** Makes the table.  Time and memory: permutations x ndims. */
enum status merge_pattern_list(struct merge_patterns *p, struct err *e);

/** Sets a random `order`, which depends only on @p seed and the number of patterns.  Needs the
 *  table.  Time and memory: linear in the number of patterns. */
enum status merge_pattern_shuffle(struct merge_patterns *p, uint64_t seed, struct err *e);

/** Frees the table and the order. */
void merge_pattern_clear(struct merge_patterns *p);

/** The number of patterns, capped at UINT32_MAX. */
uint64_t merge_pattern_count(const struct merge_patterns *p);

/** Pattern @p i; needs the table. */
struct merge_pattern merge_pattern_at(const struct merge_patterns *p, uint64_t i);

/** The pattern that does not change a box; needs no table. */
struct merge_pattern merge_pattern_identity(uint32_t ndims);

/** Applies the pattern to a box with lengths @p length: writes the new coordinates of the cell at
 *  @p at to @p to. */
void merge_pattern_apply(const struct merge_pattern *p, uint32_t ndims, const uint32_t *length,
                         const uint32_t *at, uint32_t *to);

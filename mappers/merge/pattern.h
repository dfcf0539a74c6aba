/** @file pattern.h
 *  Placement patterns of a box of hosts: the rotations and reflections that keep its shape.
 *
 *  Source: Asano and Kise, "SFMOPT", section 3.2.1: a pattern is a permutation of axes of equal
 *  length times a reflection of each axis.  Axes of length 1 are neither permuted nor reflected, as
 *  that changes nothing.
 *
 *  Patterns have an order, which the paper leaves open: by permutation, lexicographically, then by
 *  the set of reflected axes as a binary number, falling: from all reflected to none.  docs/mopt.md
 *  says what other orders give.
 */
#ifndef MAPPERS_MERGE_PATTERN_H
#define MAPPERS_MERGE_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "mappers/merge/plan.h"

struct merge_pattern {
  uint8_t from[MERGE_PLAN_MAX_DIMS]; /**< by axis: the axis of the box that is put along it */
  uint32_t flip;                     /**< bits: the axes that are reflected after that */
};

/** The patterns of one shape. */
struct merge_patterns {
  uint32_t ndims;
  uint8_t kind[MERGE_PLAN_MAX_DIMS]; /**< axes of the same kind may change places */
  uint32_t flips;                    /**< the axes that may be reflected */
  uint32_t reflections;              /**< 2^(number of flips) */
  uint64_t permutations;             /**< capped at UINT32_MAX */
  uint8_t *table;                    /**< permutations x ndims, `from`; NULL until listed; owned */
};

/** Each axis has two lengths, which differ with subgroups: in units and in hosts.  Axes may be
 *  swapped if both lengths are equal, and reflected if @p length is above 1.  Makes no table. */
void merge_pattern_init(struct merge_patterns *p, uint32_t ndims, const uint32_t *length,
                        const uint32_t *other_length);

/** Makes the table.  Time and memory: permutations x ndims. */
enum status merge_pattern_list(struct merge_patterns *p, struct err *e);

/** Frees the table. */
void merge_pattern_clear(struct merge_patterns *p);

/** How many patterns there are, capped at UINT32_MAX. */
uint64_t merge_pattern_count(const struct merge_patterns *p);

/** Pattern @p i of a table. */
struct merge_pattern merge_pattern_at(const struct merge_patterns *p, uint64_t i);

/** The pattern that leaves a box as it is; needs no table. */
struct merge_pattern merge_pattern_identity(uint32_t ndims);

/** Writes to @p to the coordinates that the pattern gives the cell at @p at of a box of these
 *  lengths. */
void merge_pattern_apply(const struct merge_pattern *p, uint32_t ndims, const uint32_t *length,
                         const uint32_t *at, uint32_t *to);

#endif

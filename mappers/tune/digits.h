/** @file digits.h
 *  The digits of the numbers of hosts or ranks.  Machines and programs are built of equal parts, so
 *  that a digit often is a level of a tree, or a part of an axis.
 */
#pragma once

#include <stdint.h>

#include "platforms/platform.h"

/** Numbers below the product of the sides, as digits; the first digit changes fastest. */
struct digits {
  uint32_t n; /**< at most DIGITS_MOST */
  uint32_t side[32], stride[32];
};

#define DIGITS_MOST 32

/** Adds a digit with @p side values as the slowest one.  Adds none for fewer than 2 values. */
void digits_add(struct digits *d, uint32_t side);

/** Adds the prime factors of @p value as digits, the smallest first. */
void digits_factor(struct digits *d, uint32_t value);

/** The prime factors of the hosts of @p p: of each side of a grid, of the number of hosts
 *  elsewhere. */
struct digits digits_of_hosts(const struct platform *p);

static inline uint32_t digits_at(const struct digits *d, uint32_t number, uint32_t i)
{
  return number / d->stride[i] % d->side[i];
}

/** Exchanges the digits @p a and @p b of @p number, which keep their sides.  The images of all
 *  numbers are a permutation of them.  O(digits). */
uint32_t digits_swapped(const struct digits *d, uint32_t a, uint32_t b, uint32_t number);

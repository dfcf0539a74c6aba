/** @file digits.h
 *  The digits of the numbers of hosts or ranks, in a mixed radix.  Machines and programs are built
 *  of equal parts, so a digit often stands for a level of a tree, or for a part of an axis.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "platforms/platform.h"

#define DIGITS_MOST 32

/** The digits of the numbers below the product of the sides; the first digit changes fastest. */
struct digits {
  uint32_t n;                                      /**< number of digits */
  uint32_t side[DIGITS_MOST], stride[DIGITS_MOST]; /**< number of values; amount that the digit
                                                        1 adds to the number */
};

/** Adds the prime factors of @p value as digits, the smallest first. */
void digits_factor(struct digits *d, uint32_t value);

/** The digits of the hosts of @p p.  On a grid they are the sides or, if @p factor, the prime
 *  factors of each side; on other platforms the prime factors of the number of hosts. */
struct digits digits_of_hosts(const struct platform *p, bool factor);

static inline uint32_t digits_at(const struct digits *d, uint32_t number, uint32_t i)
{
  return number / d->stride[i] % d->side[i];
}

/** Returns @p number with digits @p a and @p b exchanged, and their sides too.  The images of all
 *  numbers are a permutation of them.  O(digits). */
uint32_t digits_swapped(const struct digits *d, uint32_t a, uint32_t b, uint32_t number);

/** @file gcd.h
 *  The greatest common divisor.
 */
#pragma once

#include <stdint.h>

/** The greatest common divisor of @p a and @p b; the other number if one of them is 0. */
static inline uint64_t gcd(uint64_t a, uint64_t b)
{
  while (b != 0) {
    const uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/** @file kernels.h
 *  The time-consuming loops of tables.h, for entries of 32 and of 64 bits.  Integers only: vector
 *  instructions change the speed, not the results.
 */
#pragma once

#include <stdint.h>

#include "mappers/qap/tables.h"

/** Implementations of tables_start() and so on; swaps have u < v. */
struct kernels {
  void (*start)(struct tables *t);
  void (*swap)(struct tables *t, const struct swap *s);
  int64_t (*change)(const struct tables *t, uint32_t u, uint32_t v);
  int64_t (*price)(const struct form *f, const uint32_t *at, uint32_t u, uint32_t v);
  struct swap (*best)(const struct tables *t, const struct scan *s, uint32_t first);
};

extern const struct kernels kernels_32, kernels_64;

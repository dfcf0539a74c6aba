/** @file merge.h
 *  Shared by the tests of the mappers by merging: random traffic, mappers by spec.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "common/numeric/rng.h"
#include "mappers/mapper.h"
#include "tests/unit/mappers/mapped.h"

/** Traffic in which each ordered pair, including a rank with itself, has an entry with
 *  probability chance / 1000: often few bytes, sometimes 0, sometimes many. */
static inline struct matrix merge_random_traffic(struct rng *r, uint32_t ranks, uint32_t chance)
{
  struct matrix m = {.ranks = ranks};
  m.entry = calloc((size_t)ranks * ranks, sizeof *m.entry);
  assert_non_null(m.entry);
  for (uint32_t src = 0; src < ranks; src++)
    for (uint32_t dst = 0; dst < ranks; dst++) {
      if (rng_below(r, 1000) >= chance)
        continue;
      const uint64_t bytes = rng_below(r, 8) == 0 ? rng_below(r, 100000) : rng_below(r, 5);
      m.entry[m.count++] = (struct matrix_entry){src, dst, 1, bytes};
    }
  return m;
}

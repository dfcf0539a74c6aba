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

#define COUNT(a) (sizeof(a) / sizeof *(a))

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

/** Opens the platform of a spec or of a file. */
static inline struct platform *merge_platform(const char *spec)
{
  struct platform *p = NULL;
  struct err e;
  const enum status s =
      platform_is_spec(spec) ? platform_from_spec(&p, spec, NULL, &e) : platform_load(&p, spec, &e);
  if (s != OK)
    fail_msg("%s: %s", spec, e.text);
  return p;
}

/** The mapping made by a spec; checks that each host is used at most once. */
static inline struct mapping merge_map(const char *spec, const struct platform *p,
                                       const struct matrix *m, uint32_t threads)
{
  const struct mapper_input in = {
      .platform = p, .traffic = m, .ranks = m->ranks, .ranks_per_host = 1, .threads = threads};
  struct mapping out;
  struct err e;
  if (mapper_run(spec, &in, &out, &e) != OK)
    fail_msg("%s: %s", spec, e.text);
  assert_int_equal(out.ranks, m->ranks);
  assert_int_equal(mapping_check(&out, p, 1, &e), OK);
  return out;
}

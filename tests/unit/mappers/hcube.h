/** @file hcube.h
 *  Shared by the tests of mappers/hcube: shuffled graphs and the cardinality of mappings.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "common/numeric/rng.h"
#include "mappers/mapper.h"
#include "mappers/metrics.h"
#include "tests/unit/mappers/mapped.h"

static inline int hcube_by_ends(const void *a, const void *b)
{
  const struct matrix_entry *x = a, *y = b;
  if (x->src != y->src)
    return x->src < y->src ? -1 : 1;
  return (x->dst > y->dst) - (x->dst < y->dst);
}

/** Renumbers the tasks at random and sends one message of one byte along each of @p arcs pairs,
 *  from the lower to the higher number. */
static inline struct matrix hcube_shuffled(uint32_t tasks, uint32_t (*pair)[2], size_t arcs,
                                           uint64_t seed)
{
  struct matrix m = {.ranks = tasks, .count = arcs};
  uint32_t *number = calloc(tasks, sizeof *number);
  struct rng r = rng_new(seed, 99);
  m.entry = calloc(arcs + 1, sizeof *m.entry);
  assert_non_null(number);
  assert_non_null(m.entry);
  for (uint32_t t = 0; t < tasks; t++)
    number[t] = t;
  rng_shuffle(&r, number, tasks);
  for (size_t i = 0; i < arcs; i++) {
    const uint32_t a = number[pair[i][0]], b = number[pair[i][1]];
    m.entry[i] = (struct matrix_entry){a < b ? a : b, a < b ? b : a, 1, 1};
  }
  qsort(m.entry, arcs, sizeof *m.entry, hcube_by_ends);
  free(number);
  return m;
}

/** A mesh of x * y * z tasks, or a ring of x tasks if @p ring, with y = z = 1. */
static inline struct matrix hcube_grid(uint32_t x, uint32_t y, uint32_t z, bool ring, uint64_t seed)
{
  const uint32_t n = x * y * z;
  uint32_t(*pair)[2] = calloc(3 * (size_t)n, sizeof *pair);
  size_t arcs = 0;
  assert_non_null(pair);
  for (uint32_t t = 0; t < n; t++) {
    const uint32_t end[3][2] = {
        {t % x + 1 < x, 1}, {t / x % y + 1 < y, x}, {t / x / y + 1 < z, x * y}};
    for (int d = 0; d < 3; d++)
      if (end[d][0] != 0) {
        pair[arcs][0] = t;
        pair[arcs++][1] = t + end[d][1];
      }
  }
  if (ring) {
    pair[arcs][0] = 0;
    pair[arcs++][1] = n - 1;
  }
  struct matrix m = hcube_shuffled(n, pair, arcs, seed);
  free(pair);
  return m;
}

static inline struct matrix hcube_tree(uint32_t n, uint64_t seed)
{
  uint32_t(*pair)[2] = calloc(n, sizeof *pair);
  assert_non_null(pair);
  for (uint32_t t = 1; t < n; t++) {
    pair[t - 1][0] = t;
    pair[t - 1][1] = (t - 1) / 2;
  }
  struct matrix m = hcube_shuffled(n, pair, n - 1, seed);
  free(pair);
  return m;
}

static inline struct metrics hcube_metrics(const struct platform *p, const struct mapping *map,
                                           const struct matrix *m)
{
  struct metrics out;
  struct err e;
  if (metrics_compute(&out, p, map, m, &e) != OK)
    fail_msg("%s", e.text);
  return out;
}

/** Metrics of the mapping made by a spec with one rank per host. */
static inline struct metrics hcube_score(const char *spec, const struct platform *p,
                                         const struct matrix *m)
{
  struct mapping map = mapped_traffic(spec, p, m, 1, 1);
  const struct metrics out = hcube_metrics(p, &map, m);
  mapping_clear(&map);
  return out;
}

/** The mapper must refuse traffic that consists of @p entry only, and leave its output
 *  untouched. */
static inline void hcube_refuse(const char *spec, const char *platform, uint32_t ranks,
                                struct matrix_entry entry, const char *why)
{
  struct platform *p = opened_platform(platform);
  const struct matrix m = {.ranks = ranks, .count = 1, .entry = &entry};
  const struct mapper_input in = {
      .platform = p, .traffic = &m, .ranks = ranks, .ranks_per_host = 1};
  struct mapping out = {.ranks = 99};
  struct err e;
  assert_int_equal(mapper_run(spec, &in, &out, &e), FAIL);
  assert_string_equal(e.text, why);
  assert_int_equal(out.ranks, 99);
  platform_free(p);
}

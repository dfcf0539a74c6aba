#include "mappers/merge/pattern.h"

#include <string.h>

#include "tests/unit/mappers/merge.h"

static void patterns_are_counted(void **state)
{
  (void)state;
  static const struct {
    uint32_t ndims, length[8], other[8];
    uint64_t count;
  } rows[] = {
      {2, {4, 4}, {4, 4}, 8},
      {3, {2, 2, 2}, {2, 2, 2}, 48},
      {3, {4, 2, 2}, {4, 2, 2}, 16},
      {3, {1, 1, 1}, {1, 1, 1}, 1},
      {3, {2, 1, 1}, {2, 1, 1}, 2},
      {3, {2, 2, 2}, {3, 2, 3}, 16},
      {1, {9}, {9}, 2},
      {4, {3, 5, 3, 5}, {3, 5, 3, 5}, 64},
      {8, {2, 2, 2, 2, 2, 2, 2, 2}, {2, 2, 2, 2, 2, 2, 2, 2}, 10321920},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct merge_patterns p;
    merge_pattern_init(&p, rows[i].ndims, rows[i].length, rows[i].other);
    assert_int_equal(merge_pattern_count(&p), rows[i].count);
  }
  uint32_t two[20];
  for (int d = 0; d < 20; d++)
    two[d] = 2;
  struct merge_patterns p;
  merge_pattern_init(&p, 20, two, two);
  assert_int_equal(merge_pattern_count(&p), UINT32_MAX);
}

/* Where a pattern puts the cells of a box; cells are numbered. */
static void place_all(const struct merge_pattern *p, uint32_t ndims, const uint32_t *length,
                      uint32_t *to)
{
  uint32_t cells = 1;
  for (uint32_t d = 0; d < ndims; d++)
    cells *= length[d];
  for (uint32_t cell = 0; cell < cells; cell++) {
    uint32_t at[MERGE_PLAN_MAX_DIMS], put[MERGE_PLAN_MAX_DIMS], left = cell;
    for (uint32_t d = 0; d < ndims; left /= length[d++])
      at[d] = left % length[d];
    merge_pattern_apply(p, ndims, length, at, put);
    to[cell] = 0;
    for (uint32_t d = ndims; d-- > 0;) {
      assert_true(put[d] < length[d]);
      to[cell] = to[cell] * length[d] + put[d];
    }
  }
}

/* Patterns are ordered from all axes reflected to none, and each one places the cells
 * differently. */
static void patterns_differ(void **state)
{
  (void)state;
  static const uint32_t length[][4] = {{2, 2, 2, 1}, {3, 2, 3, 2}, {4, 1, 4, 1}, {2, 3, 3, 3}};
  enum { MOST = 400, CELLS = 64 };
  static uint32_t to[MOST][CELLS];
  for (size_t i = 0; i < COUNT(length); i++) {
    struct merge_patterns p;
    struct err e;
    merge_pattern_init(&p, 4, length[i], length[i]);
    assert_int_equal(merge_pattern_list(&p, &e), OK);
    const uint64_t n = merge_pattern_count(&p);
    assert_true(n <= MOST);
    memset(to, 0, sizeof to);
    for (uint64_t k = 0; k < n; k++) {
      const struct merge_pattern x = merge_pattern_at(&p, k);
      place_all(&x, 4, length[i], to[k]);
      for (uint64_t j = 0; j < k; j++)
        assert_memory_not_equal(to[j], to[k], sizeof to[k]);
      if (k == 0)
        continue;
      const struct merge_pattern before = merge_pattern_at(&p, k - 1);
      const int order = memcmp(before.from, x.from, 4);
      assert_true(order < 0 || (order == 0 && before.flip > x.flip));
    }
    const struct merge_pattern same = merge_pattern_identity(4);
    const struct merge_pattern first = merge_pattern_at(&p, 0);
    const struct merge_pattern last = merge_pattern_at(&p, p.reflections - 1);
    assert_memory_equal(first.from, same.from, sizeof first.from[0] * 4);
    assert_memory_equal(last.from, same.from, sizeof last.from[0] * 4);
    assert_int_equal(first.flip, p.flips);
    assert_int_equal(last.flip, 0);
    merge_pattern_clear(&p);
  }
}

/* A random order has every pattern once and depends on the seed. */
static void shuffled_patterns_are_a_permutation(void **state)
{
  (void)state;
  static const uint32_t length[] = {2, 2, 2};
  struct merge_patterns p, plain;
  struct err e;
  merge_pattern_init(&p, 3, length, length);
  merge_pattern_init(&plain, 3, length, length);
  assert_int_equal(merge_pattern_list(&plain, &e), OK);
  assert_int_equal(merge_pattern_list(&p, &e), OK);
  uint32_t moved = 0;
  for (uint64_t seed = 1; seed <= 2; seed++) {
    bool seen[48] = {false};
    assert_int_equal(merge_pattern_shuffle(&p, seed, &e), OK);
    for (uint64_t k = 0; k < 48; k++) {
      const struct merge_pattern x = merge_pattern_at(&p, k);
      for (uint64_t j = 0; j < 48; j++) {
        const struct merge_pattern y = merge_pattern_at(&plain, j);
        if (x.flip != y.flip || memcmp(x.from, y.from, 3) != 0)
          continue;
        assert_false(seen[j]);
        seen[j] = true;
        moved += j != k;
      }
    }
    for (uint64_t j = 0; j < 48; j++)
      assert_true(seen[j]);
  }
  assert_true(moved > 48);
  merge_pattern_clear(&p);
  merge_pattern_clear(&plain);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(patterns_are_counted),
      cmocka_unit_test(patterns_differ),
      cmocka_unit_test(shuffled_patterns_are_a_permutation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

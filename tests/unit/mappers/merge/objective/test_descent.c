#include "mappers/merge/objective/descent.h"

#include <string.h>

#include "tests/unit/mappers/merge.h"

/* An objective that counts the differences from a wanted join, so that descent can reach it. */
struct target {
  uint32_t ndims;
  struct merge_join want;
  uint64_t calls, above; /* number of evaluations, and of evaluations above the limit */
};

static uint64_t distance(void *context, const struct merge_join *j, uint64_t limit)
{
  struct target *t = context;
  uint64_t n = 0;
  for (int h = 0; h < 2; h++) {
    for (uint32_t d = 0; d < t->ndims; d++)
      n += 2 * (j->pattern[h].from[d] != t->want.pattern[h].from[d]);
    n += (uint64_t)__builtin_popcount(j->pattern[h].flip ^ t->want.pattern[h].flip);
  }
  t->calls++;
  t->above += n > limit;
  return n;
}

static struct merge_case case_of(uint32_t ndims, uint32_t axis, enum merge_objective objective)
{
  struct merge_boxes b = {.ndims = ndims, .axis = axis};
  for (uint32_t d = 0; d < ndims; d++)
    b.length[0][d] = b.length[1][d] = b.hosts[0][d] = b.hosts[1][d] = 2;
  struct merge_case c;
  struct err e;
  assert_int_equal(merge_case_new(&c, &b, objective, &e), OK);
  return c;
}

static void descent_reaches_the_wanted_join(void **state)
{
  (void)state;
  struct merge_case c = case_of(7, 3, MERGE_MINLINK);
  assert_false(c.exact);
  struct target t = {.ndims = 7};
  for (int h = 0; h < 2; h++) {
    static const uint8_t from[2][7] = {{6, 0, 1, 2, 3, 4, 5}, {1, 0, 3, 2, 4, 6, 5}};
    memcpy(t.want.pattern[h].from, from[h], sizeof from[h]);
    t.want.pattern[h].flip = h == 0 ? 8 : 85;
  }
  struct merge_join got;
  merge_descent(&c, distance, &t, &got);
  for (int h = 0; h < 2; h++) {
    assert_memory_equal(got.pattern[h].from, t.want.pattern[h].from, 7);
    assert_int_equal(got.pattern[h].flip, t.want.pattern[h].flip);
  }
  assert_true(t.calls < 2000 && t.above > 0);
  merge_case_clear(&c);
}

/* The first group is reflected along the merge axis only: other reflections of it are redundant. */
static void redundant_reflections_are_left_out(void **state)
{
  (void)state;
  struct merge_case c = case_of(3, 1, MERGE_MINLINK);
  struct target t = {.ndims = 3};
  t.want.pattern[0] = t.want.pattern[1] = merge_pattern_identity(3);
  t.want.pattern[0].flip = 7;
  struct merge_join got;
  merge_descent(&c, distance, &t, &got);
  assert_int_equal(got.pattern[0].flip, 2);
  assert_int_equal(got.pattern[1].flip, 0);
  merge_case_clear(&c);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(descent_reaches_the_wanted_join),
      cmocka_unit_test(redundant_reflections_are_left_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "mappers/merge/case.h"

#include <string.h>

#include "mappers/merge/mopt_eval.h"
#include "tests/unit/mappers/merge.h"

static struct merge_case must_make(const struct merge_boxes *b, enum merge_objective objective)
{
  struct merge_case c;
  struct err e;
  if (merge_case_new(&c, b, objective, &e) != OK)
    fail_msg("%s", e.text);
  return c;
}

static struct merge_boxes boxes_of(uint32_t ndims, uint32_t axis, const uint32_t *length)
{
  struct merge_boxes b = {.ndims = ndims, .axis = axis};
  for (int h = 0; h < 2; h++) {
    memcpy(b.length[h], length, ndims * sizeof *length);
    memcpy(b.hosts[h], length, ndims * sizeof *length);
  }
  return b;
}

/* The numbers of combinations in tables 1, 2 and 3 of the paper, and for 2 dimensions and sides
 * that span a whole ring. */
static void numbers_of_combinations_agree_with_the_paper(void **state)
{
  (void)state;
  static const struct {
    uint32_t ndims, axis, length[3], ring; /* ring: a bit per axis */
    uint64_t all, mincost, minlink;
  } rows[] = {
      {3, 0, {4, 4, 4}, 0, 2304, 288, 576},    {3, 1, {8, 4, 4}, 0, 256, 64, 64},
      {3, 2, {8, 8, 4}, 0, 256, 32, 64},       {3, 0, {2, 2, 2}, 0, 2304, 288, 576},
      {2, 0, {4, 4, 0}, 0, 64, 32, 32},        {2, 1, {8, 4, 0}, 0, 16, 8, 8},
      {3, 2, {16, 16, 16}, 3, 2304, 288, 576}, {3, 2, {16, 16, 16}, 1, 2304, 576, 576},
      {3, 0, {1, 1, 1}, 0, 1, 1, 1},           {3, 1, {2, 1, 1}, 0, 4, 2, 2},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct merge_boxes b = boxes_of(rows[i].ndims, rows[i].axis, rows[i].length);
    for (uint32_t d = 0; d < rows[i].ndims; d++)
      b.ring[d] = (rows[i].ring >> d & 1) != 0;
    for (int o = 0; o < 2; o++) {
      struct merge_case c = must_make(&b, o == 0 ? MERGE_MINLINK : MERGE_MINCOST);
      const uint64_t second = merge_pattern_count(&c.patterns[1]);
      assert_true(c.exact);
      assert_int_equal(merge_pattern_count(&c.patterns[0]) * second, rows[i].all);
      assert_int_equal(c.leads * second, o == 0 ? rows[i].minlink : rows[i].mincost);
      merge_case_clear(&c);
    }
  }
}

/* Both groups of a case, filled with tasks, and their traffic. */
struct instance {
  struct merge_case c;
  struct mopt_box box;
  struct mopt_place place[64];
  uint64_t traffic[64 * 64];
  uint64_t load[64 * 6];
};

static void instance_init(struct instance *x, const struct merge_boxes *b,
                          enum merge_objective objective, struct rng *r)
{
  x->c = must_make(b, objective);
  x->box = (struct mopt_box){.ndims = b->ndims,
                             .size = x->c.cells[0] + x->c.cells[1],
                             .place = x->place,
                             .traffic = x->traffic,
                             .tasks = x->c.cells[0] + x->c.cells[1],
                             .load = x->load};
  memcpy(x->box.length, b->length[0], sizeof x->box.length);
  x->box.length[b->axis] += b->length[1][b->axis];
  memcpy(x->box.ring, b->ring, sizeof x->box.ring);
  for (uint32_t i = 0; i < x->box.tasks * x->box.tasks; i++)
    x->traffic[i] = rng_below(r, 3) == 0 ? rng_below(r, 100) : 0;
}

static uint64_t value_of(struct instance *x, uint64_t combination)
{
  const struct merge_case *c = &x->c;
  const uint64_t second = merge_pattern_count(&c->patterns[1]);
  const struct merge_pattern p[2] = {merge_pattern_at(&c->patterns[0], combination / second),
                                     merge_pattern_at(&c->patterns[1], combination % second)};
  for (uint32_t i = 0; i < x->box.size; i++) {
    const int h = i >= c->cells[0];
    uint32_t left = i - (h == 0 ? 0 : c->cells[0]), at[MERGE_PLAN_MAX_DIMS] = {0};
    for (uint32_t d = 0; d < c->ndims; left /= c->length[h][d++])
      at[d] = left % c->length[h][d];
    x->place[i].task = i;
    merge_pattern_apply(&p[h], c->ndims, c->length[h], at, x->place[i].at);
    x->place[i].at[c->axis] += h == 0 ? 0 : c->length[0][c->axis];
  }
  return c->exchangeable ? mopt_eval_cost(&x->box) : mopt_eval_link(&x->box);
}

static bool is_lead(const struct merge_case *c, uint64_t first)
{
  for (uint32_t i = 0; i < c->leads; i++)
    if (c->lead[i] == first)
      return true;
  return false;
}

/* Of each class of equivalent combinations only the lead is tried.  So for each value, the tried
 * combinations times the class size give all combinations, and the first one with the value is
 * tried. */
static void check_skipping(struct instance *x)
{
  const uint64_t second = merge_pattern_count(&x->c.patterns[1]);
  const uint64_t all = merge_pattern_count(&x->c.patterns[0]) * second;
  const uint64_t class_size = all / (x->c.leads * second);
  uint64_t *value = calloc(all, sizeof *value);
  assert_non_null(value);
  for (uint64_t i = 0; i < all; i++)
    value[i] = value_of(x, i);
  for (uint64_t i = 0; i < all; i++) {
    uint64_t tried = 0, total = 0, first = all;
    for (uint64_t k = 0; k < all; k++) {
      if (value[k] != value[i])
        continue;
      first = first == all ? k : first;
      total++;
      tried += is_lead(&x->c, k / second);
    }
    if (tried * class_size != total || !is_lead(&x->c, first / second))
      fail_msg("value %zu: %zu combinations tried of %zu, the first is %zu", (size_t)value[i],
               (size_t)tried, (size_t)total, (size_t)first);
  }
  free(value);
}

static void skipped_combinations_have_the_value_of_a_tried_one(void **state)
{
  (void)state;
  static const struct {
    uint32_t ndims, axis, length[3], ring;
  } rows[] = {
      {3, 0, {2, 2, 2}, 0}, {3, 1, {2, 2, 2}, 0}, {3, 2, {2, 2, 2}, 0}, {2, 0, {3, 3, 0}, 2},
      {2, 1, {4, 4, 0}, 1}, {2, 1, {3, 3, 0}, 3}, {3, 0, {1, 3, 3}, 2}, {3, 0, {1, 3, 3}, 6},
      {3, 2, {2, 2, 3}, 4}, {3, 1, {3, 2, 3}, 0},
  };
  struct rng r = rng_new(12, 0);
  struct instance *x = malloc(sizeof *x);
  assert_non_null(x);
  for (size_t i = 0; i < COUNT(rows) * 2; i++) {
    struct merge_boxes b = boxes_of(rows[i / 2].ndims, rows[i / 2].axis, rows[i / 2].length);
    for (uint32_t d = 0; d < b.ndims; d++)
      b.ring[d] = (rows[i / 2].ring >> d & 1) != 0;
    instance_init(x, &b, i % 2 == 0 ? MERGE_MINLINK : MERGE_MINCOST, &r);
    check_skipping(x);
    merge_case_clear(&x->c);
  }
  free(x);
}

/* Axes of equal length in hosts but not in subgroups are not exchanged. */
static void axes_are_exchanged_only_if_equal_in_both(void **state)
{
  (void)state;
  struct merge_boxes b = boxes_of(2, 0, (uint32_t[]){2, 2});
  struct merge_case c = must_make(&b, MERGE_MINLINK);
  assert_int_equal(c.patterns[0].permutations, 2);
  merge_case_clear(&c);
  b.hosts[0][1] = 3;
  c = must_make(&b, MERGE_MINLINK);
  assert_int_equal(c.patterns[0].permutations, 1);
  assert_int_equal(c.patterns[1].permutations, 2);
  merge_case_clear(&c);
}

/* In 5 dimensions all combinations of cubes are tried, in 6 they are not. */
static void too_many_combinations_are_not_listed(void **state)
{
  (void)state;
  static const uint32_t two[] = {2, 2, 2, 2, 2, 2, 2, 2};
  for (uint32_t n = 5; n <= 8; n++) {
    const struct merge_boxes b = boxes_of(n, 0, two);
    struct merge_case c = must_make(&b, MERGE_MINLINK);
    assert_int_equal(c.exact, n == 5);
    merge_case_clear(&c);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_of_combinations_agree_with_the_paper),
      cmocka_unit_test(skipped_combinations_have_the_value_of_a_tried_one),
      cmocka_unit_test(axes_are_exchanged_only_if_equal_in_both),
      cmocka_unit_test(too_many_combinations_are_not_listed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "mappers/merge/plan.h"

#include <string.h>

#include "tests/unit/mappers/merge.h"

static struct merge_plan plan_of(const char *spec)
{
  struct topology *t = NULL;
  struct merge_plan p;
  struct err e;
  assert_int_equal(topology_new(&t, spec, &e), OK);
  merge_plan_init(&p, t);
  topology_free(t);
  return p;
}

static void axes_take_turns(void **state)
{
  (void)state;
  static const struct {
    const char *spec, *axes;
  } rows[] = {
      {"torus:8x8x8", "012012012"},
      {"mesh:16x16x32", "0120120120122"},
      {"mesh:4x4", "0101"},
      {"mesh:3x5", "01011"},
      {"torus:1x6x1", "111"},
      {"hypercube:5", "01234"},
      {"mesh:1", ""},
      {"torus:2x2x2x4", "01233"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    const struct merge_plan p = plan_of(rows[i].spec);
    assert_int_equal(p.iterations, strlen(rows[i].axes));
    for (uint32_t k = 0; k < p.iterations; k++)
      assert_int_equal(p.axis[k], rows[i].axes[k] - '0');
    assert_int_equal(p.torus, rows[i].spec[0] == 't');
  }
}

static void rounds(void **state)
{
  (void)state;
  const struct merge_plan p = plan_of("mesh:16x4x32");
  static const uint32_t round[] = {0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 4}, start[] = {0, 3, 6, 8, 10, 11};
  assert_int_equal(p.iterations, COUNT(round));
  for (uint32_t i = 0; i < p.iterations; i++)
    assert_int_equal(p.round[i], round[i]);
  for (uint32_t i = 0; i < COUNT(start); i++)
    assert_int_equal(merge_plan_round_start(&p, i), start[i]);
  const struct merge_plan cube = plan_of("hypercube:8");
  static const uint32_t pairs[] = {0, 0, 1, 1, 2, 2, 3, 3};
  for (uint32_t i = 0; i < cube.iterations; i++)
    assert_int_equal(cube.round[i], pairs[i]);
}

/* Number of hosts in all groups after an iteration. */
static uint64_t hosts_in(const struct merge_plan *p, const struct merge_step *step)
{
  uint64_t hosts = 0;
  for (uint32_t shape = 0; shape < MERGE_PLAN_MAX_SHAPES; shape++) {
    uint64_t size = step->quota[shape];
    for (uint32_t d = 0; d < p->ndims; d++)
      size *=
          d == step->axis ? step->low_after + (shape >> d & 1) : merge_plan_length(step, shape, d);
    hosts += size;
  }
  return hosts;
}

static const char *const SPEC[] = {
    "torus:8x8x8",          "mesh:16x16x32", "mesh:7",       "torus:5x4", "mesh:3x5x7",
    "mesh:3x3x3x3x3x3x3x3", "hypercube:20",  "torus:13x1x2", "mesh:6x10", "mesh:1000x999",
};

/* Each host is in a group.  Each group results from merging two groups or keeping one. */
static void groups_cover_the_hosts(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(SPEC); i++) {
    const struct merge_plan p = plan_of(SPEC[i]);
    uint64_t groups = p.hosts;
    for (uint32_t k = 0; k < p.iterations; k++) {
      struct merge_step step;
      merge_plan_step(&p, k, &step);
      assert_int_equal(hosts_in(&p, &step), p.hosts);
      uint64_t after = 0;
      for (uint32_t shape = 0; shape < MERGE_PLAN_MAX_SHAPES; shape++)
        after += step.quota[shape];
      assert_true(after < groups && 2 * after >= groups);
      assert_true(2 * after == groups || merge_plan_carries(&step));
      groups = after;
    }
    assert_int_equal(groups, 1);
  }
}

static void shapes_that_fit_together(void **state)
{
  (void)state;
  /* Sides of 7 and 3: along X, groups of 1 and 2 (bit 0 set) become groups of 3 and 4. */
  const struct merge_plan p = plan_of("mesh:7x3");
  struct merge_step step;
  merge_plan_step(&p, 2, &step);
  assert_int_equal(step.axis, 0);
  static const struct {
    uint32_t a, b;
    bool fits;
    uint32_t merged;
  } rows[] = {{1, 1, true, 1}, {1, 0, true, 0}, {0, 1, true, 0},  {0, 0, false, 0},
              {3, 3, true, 3}, {3, 2, true, 2}, {3, 1, false, 0}, {2, 0, false, 0}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    uint32_t merged = 99;
    assert_int_equal(merge_plan_fits(&step, rows[i].a, rows[i].b, &merged), rows[i].fits);
    assert_int_equal(merged, rows[i].fits ? rows[i].merged : 99);
  }
  assert_false(merge_plan_carries(&step));
  assert_int_equal(merge_plan_single(&p), 3);
  merge_plan_step(&p, 0, &step);
  assert_true(merge_plan_carries(&step));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(axes_take_turns),
      cmocka_unit_test(rounds),
      cmocka_unit_test(groups_cover_the_hosts),
      cmocka_unit_test(shapes_that_fit_together),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "tasks/generate.h"

#include "tests/unit/tasks/build.h"

static struct tasknet must_generate(const char *spec)
{
  struct tasknet n;
  struct err e = {""};
  if (tasknet_generate(&n, spec, &e) != OK)
    fail_msg("%s", e.text);
  return n;
}

/* Section 5.2: about 1000 tasks, arrays of a tenth to a fifth of them, costs of 1 to 100. */
static void networks_of_the_paper(void **state)
{
  (void)state;
  uint32_t arrays = 0, streams = 0;
  for (int seed = 1; seed <= 40; seed++) {
    char spec[64];
    snprintf(spec, sizeof spec, "random:tasks=1000,seed=%d", seed);
    struct tasknet n = must_generate(spec);
    assert_in_range(n.elements, 1000, 1199);
    for (uint32_t a = 0; a < n.arrays; a++) {
      const struct tasknet_cost *c = tasknet_cost_of(&n, a, 0);
      assert_true(n.array[a].count == 1 || (n.array[a].count >= 100 && n.array[a].count <= 200));
      assert_true(c->compute >= 1 && c->compute <= 100 && c->out >= 1 && c->out <= 100);
      assert_true(tasknet_inputs(&n, a) <= 1 && tasknet_outputs(&n, a) <= 1);
      arrays += n.array[a].count > 1;
    }
    streams += n.streams;
    tasknet_clear(&n);
  }
  assert_in_range(arrays, 40 * 5, 40 * 10);
  assert_true(streams > 40 * 4);
}

static void a_spec_gives_the_same_network_each_time(void **state)
{
  (void)state;
  struct tasknet a = must_generate("random:seed=7"), b = must_generate("random:tasks=1000,seed=7"),
                 c = must_generate("random:seed=8");
  assert_int_equal(a.elements, b.elements);
  assert_int_equal(a.lanes, b.lanes);
  assert_memory_equal(a.volume, b.volume, a.lanes * sizeof *a.volume);
  assert_true(a.lanes != c.lanes || memcmp(a.volume, c.volume, a.lanes * sizeof *a.volume) != 0);
  tasknet_clear(&a);
  tasknet_clear(&b);
  tasknet_clear(&c);
}

/* Table 10: the same network with larger arrays. */
static void large_multiplies_arrays_only(void **state)
{
  (void)state;
  struct tasknet a = must_generate("random:seed=5"), b = must_generate("random:seed=5,large=10");
  assert_int_equal(a.arrays, b.arrays);
  for (uint32_t i = 0; i < a.arrays; i++) {
    assert_int_equal(b.array[i].count, a.array[i].count * (a.array[i].count > 1 ? 10 : 1));
    assert_true(a.array[i].cost.compute == b.array[i].cost.compute);
  }
  tasknet_clear(&a);
  tasknet_clear(&b);
}

static void options(void **state)
{
  (void)state;
  struct tasknet n =
      must_generate("random:tasks=500,arrays=no,costs=3,inputs=drawn,patterns=B,loops=4");
  assert_int_equal(n.elements, 500);
  assert_int_equal(n.arrays, 500);
  for (uint32_t a = 0; a < n.arrays; a++) {
    assert_int_equal(n.array[a].pattern, TASKNET_B);
    assert_false(n.array[a].arriving);
    assert_true(n.array[a].cost.in <= 3 && n.array[a].cost.loops == 4);
  }
  tasknet_clear(&n);
  uint32_t wide = 0;
  n = must_generate("random:seed=3,tasks=2000,behind=array");
  for (uint32_t s = 0; s < n.streams; s++)
    wide += n.stream[s].width > 1;
  assert_true(wide > 0);
  tasknet_clear(&n);
}

/* With draw=tasks, nearly all changes are to arrays, which adds many single tasks around them. */
static void drawn_from_all_tasks(void **state)
{
  (void)state;
  for (int seed = 1; seed <= 10; seed++) {
    char spec[64];
    snprintf(spec, sizeof spec, "random:seed=%d", seed);
    struct tasknet a = must_generate(spec);
    snprintf(spec, sizeof spec, "random:seed=%d,draw=tasks", seed);
    struct tasknet b = must_generate(spec);
    assert_in_range(b.elements, 1000, 1199);
    assert_true(b.arrays > 2 * a.arrays);
    tasknet_clear(&a);
    tasknet_clear(&b);
  }
  struct tasknet a = must_generate("random:tasks=300,arrays=no"),
                 b = must_generate("random:tasks=300,arrays=no,draw=tasks");
  assert_memory_equal(a.volume, b.volume, a.lanes * sizeof *a.volume);
  tasknet_clear(&a);
  tasknet_clear(&b);
}

static void a_spec_with_a_later_seed(void **state)
{
  (void)state;
  static const struct {
    const char *spec;
    uint64_t more;
    const char *after;
  } cases[] = {
      {"random:tasks=30", 0, "random:tasks=30,seed=1"},
      {"random:seed=7", 2, "random:seed=9"},
      {"random:tasks=30,seed=7,loops=3", 1, "random:tasks=30,loops=3,seed=8"},
  };
  struct err e;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *after = tasknet_spec_after(cases[i].spec, cases[i].more, &e);
    assert_non_null(after);
    assert_string_equal(after, cases[i].after);
    free(after);
  }
  assert_null(tasknet_spec_after("random:size=3", 1, &e));
}

static void refusals(void **state)
{
  (void)state;
  static const struct {
    const char *spec, *error;
  } cases[] = {
      {"randoms:seed=1", "is not a spec such as random:tasks=1000,seed=1"},
      {"random:size=3", "size"},
      {"random:tasks=0", "tasks"},
      {"random:tasks=999999999999", "tasks"},
      {"random:arrays=maybe", "arrays: 'maybe' is none of yes, no"},
      {"random:draw=task", "draw: 'task' is none of arrays, tasks"},
      {"random:patterns=E", "patterns: 'E' is none of A, B, C, D, drawn"},
      {"random:seed=-1", "seed: '-1'"},
      {"random:tasks=1000,large=100000000", "above 268435456"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct tasknet n;
    struct err e = {""};
    assert_int_equal(tasknet_generate(&n, cases[i].spec, &e), FAIL);
    if (strstr(e.text, cases[i].error) == NULL)
      fail_msg("'%s' lacks '%s'", e.text, cases[i].error);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(networks_of_the_paper),
      cmocka_unit_test(a_spec_gives_the_same_network_each_time),
      cmocka_unit_test(large_multiplies_arrays_only),
      cmocka_unit_test(options),
      cmocka_unit_test(drawn_from_all_tasks),
      cmocka_unit_test(a_spec_with_a_later_seed),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

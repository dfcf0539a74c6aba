#include "sim/tasknet/steal.h"

#include "tests/unit/tasks/build.h"

static const struct steal_policy *policy(const char *name)
{
  struct err e = {""};
  const struct steal_policy *p = registry_get(&steal_policies, name, &e);
  if (p == NULL)
    fail_msg("%s", e.text);
  return p;
}

/* Hosts 1 and 3 have tasks to steal.  The clusters are {0, 1} and {2, 3}. */
static void near_victims_first(void **state)
{
  (void)state;
  static const uint32_t cluster[] = {0, 0, 1, 1};
  struct steal_victims r;
  struct err e;
  struct rng rng = rng_new(1, 0);
  uint32_t victim, far = 0;
  assert_int_equal(steal_victims_new(&r, cluster, 4, &e), OK);
  assert_false(steal_victims_draw(&r, policy("random"), 0, &rng, &victim));
  steal_victims_set(&r, 1, true);
  steal_victims_set(&r, 3, true);
  for (int i = 0; i < 40; i++) {
    assert_true(steal_victims_draw(&r, policy("cluster"), 0, &rng, &victim) && victim == 1);
    assert_true(steal_victims_draw(&r, policy("group"), 2, &rng, &victim) && victim == 3);
    assert_true(steal_victims_draw(&r, policy("random"), 0, &rng, &victim));
    far += victim == 3;
  }
  assert_in_range(far, 10, 30);
  steal_victims_set(&r, 1, false);
  steal_victims_set(&r, 1, false);
  assert_true(steal_victims_draw(&r, policy("cluster"), 0, &rng, &victim) && victim == 3);
  steal_victims_clear(&r);
}

/* Elements: x 0, y 1 (connected), z 2..5 (independent). */
static const struct build_array ARRAYS[] = {{"x", 1, TASKNET_A, {1, 0, 1, 1}},
                                            {"y", 1, TASKNET_A, {1, 1, 0, 1}},
                                            {"z", 4, TASKNET_A, {1, 0, 0, 1}},
                                            {.name = NULL}};
static const struct build_stream STREAMS[] = {{"s", 1, "x", "y", 1}, {.name = NULL}};

static const struct {
  bool groups;
  uint32_t count, element[5], taken; /* taken: bits by place */
} CHOICES[] = {
    {false, 5, {0, 1, 2, 3, 4}, 0x18}, /* the last 2 of 5 */
    {false, 2, {3, 0}, 0x2},
    {true, 4, {2, 3, 0, 1}, 0xc},     /* the group of x and y */
    {true, 5, {0, 2, 3, 4, 1}, 0x11}, /* also if they are not adjacent */
    {true, 4, {0, 2, 3, 4}, 0xc},     /* z has more than half: its last 2 */
    {true, 2, {0, 1}, 0x2},           /* y only: both would be more than half */
    {true, 5, {2, 0, 3, 1, 4}, 0x14}, /* only the last 2 of z */
};

static void tasks_taken_by_a_thief(void **state)
{
  (void)state;
  struct tasknet n = build(ARRAYS, STREAMS);
  struct steal_groups g;
  struct err e;
  assert_int_equal(steal_groups_new(&g, &n, &e), OK);
  for (size_t i = 0; i < sizeof CHOICES / sizeof *CHOICES; i++) {
    bool taken[5];
    uint32_t bits = 0;
    const uint32_t number = steal_choose(CHOICES[i].groups ? &g : NULL, &n, CHOICES[i].element,
                                         CHOICES[i].count, taken);
    for (uint32_t k = 0; k < CHOICES[i].count; k++)
      bits |= (uint32_t)taken[k] << k;
    if (bits != CHOICES[i].taken || number != (uint32_t)__builtin_popcount(bits))
      fail_msg("choice %zu: %#x taken, expected %#x", i, bits, CHOICES[i].taken);
  }
  steal_groups_clear(&g);
  tasknet_clear(&n);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(near_victims_first),
      cmocka_unit_test(tasks_taken_by_a_thief),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

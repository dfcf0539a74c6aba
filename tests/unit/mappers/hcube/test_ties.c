#include "mappers/hcube/ties.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/arena.h"

static struct stage random_stage(struct rng *r, uint32_t cubes, uint32_t chance, uint64_t most,
                                 struct arena *mem)
{
  struct stage s = {.cubes = cubes};
  s.joint = arena_array(mem, (size_t)cubes * cubes, sizeof *s.joint);
  assert_non_null(s.joint);
  for (uint32_t a = 0; a < cubes; a++)
    for (uint32_t b = a + 1; b < cubes; b++)
      if (rng_below(r, 1000) < chance)
        s.joint[s.joints++] = (struct joint){.a = a, .b = b, .value = 1 + rng_below(r, most)};
  assert_int_equal(stage_index(&s, mem), OK);
  return s;
}

/* The value of a matching, which must be perfect. */
static uint64_t value_of(const struct stage *s, const uint32_t *mate)
{
  uint64_t sum = 0;
  for (uint32_t a = 0; a < s->cubes; a++) {
    const struct joint *j = a < mate[a] ? stage_find(s, a, mate[a]) : NULL;
    assert_true(mate[a] < s->cubes && mate[a] != a);
    assert_int_equal(mate[mate[a]], a);
    sum += j == NULL ? 0 : j->value;
  }
  return sum;
}

static void grown_matchings_weigh_the_most(void **state)
{
  (void)state;
  static const uint64_t most[] = {1, 2, 5, 1000, (uint64_t)1 << 54};
  struct rng r = rng_new(1, 0);
  for (uint32_t i = 0; i < 300; i++) {
    const uint32_t cubes = 2u << i % 6;
    struct err e;
    ARENA(mem, &e);
    struct stage s =
        random_stage(&r, cubes, (uint32_t[]){0, 60, 200, 600, 1000}[i % 5], most[i / 5 % 5], &mem);
    uint32_t first[64], grown[64];
    assert_int_equal(ties_first(&s, first, &e), OK);
    assert_int_equal(ties_grown(&s, &r, grown, &e), OK);
    assert_int_equal(value_of(&s, first), value_of(&s, grown));
  }
}

/* In a mesh of k x k cubes all matchings have equal value.  The grown one consists of parallel
 * joints: all along the same axis, in every second line. */
static void grown_matchings_of_a_mesh_are_parallel(void **state)
{
  (void)state;
  enum { K = 16, N = K * K };
  struct rng r = rng_new(2, 0);
  for (int i = 0; i < 20; i++) {
    struct stage s = {.cubes = N};
    struct err e;
    ARENA(mem, &e);
    uint32_t mate[N];
    s.joint = arena_array(&mem, 2 * N, sizeof *s.joint);
    assert_non_null(s.joint);
    for (uint32_t v = 0; v < N; v++) {
      if (v % K + 1 < K)
        s.joint[s.joints++] = (struct joint){.a = v, .b = v + 1, .value = 3};
      if (v / K + 1 < K)
        s.joint[s.joints++] = (struct joint){.a = v, .b = v + K, .value = 3};
    }
    assert_int_equal(stage_index(&s, &mem), OK);
    assert_int_equal(ties_grown(&s, &r, mate, &e), OK);
    const uint32_t step = mate[0];
    assert_true(step == 1 || step == K);
    for (uint32_t v = 0; v < N; v++)
      assert_int_equal(mate[v], v / step % 2 == 0 ? v + step : v - step);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(grown_matchings_weigh_the_most),
      cmocka_unit_test(grown_matchings_of_a_mesh_are_parallel),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "common/numeric/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* The first values of the reference implementation for the state 1, 2, 3, 4. */
static void the_generator_is_xoshiro256starstar(void **state)
{
  (void)state;
  static const uint64_t want[] = {11520, 0, 1509978240, 1215971899390074240, 1216172134540287360};
  struct rng r = {{1, 2, 3, 4}};
  for (size_t i = 0; i < sizeof want / sizeof *want; i++)
    assert_int_equal(rng_next(&r), want[i]);
}

/* Results depend on these values: they must never change. */
static void seeds_give_the_same_numbers_for_ever(void **state)
{
  (void)state;
  static const struct {
    uint64_t seed, stream, first;
  } rows[] = {
      {0, 0, 18110106563157542208u},
      {1, 0, 17154914556750032435u},
      {1, 1, 3501290240102054732u},
      {UINT64_MAX, UINT64_MAX, 6495424693907944954u},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct rng r = rng_new(rows[i].seed, rows[i].stream);
    assert_int_equal(rng_next(&r), rows[i].first);
  }
}

static void numbers_below_n_are_uniform(void **state)
{
  (void)state;
  struct rng r = rng_new(5, 0);
  uint32_t seen[7] = {0};
  for (int i = 0; i < 70000; i++) {
    const uint64_t x = rng_below(&r, 7);
    assert_true(x < 7);
    seen[x]++;
  }
  /* the expectation is 10000 each, the standard deviation 93 */
  for (int i = 0; i < 7; i++)
    assert_in_range(seen[i], 9600, 10400);
  assert_int_equal(rng_below(&r, 1), 0);
  /* The remainder alone, without rejection, would put 2/3 of the numbers below n / 2. */
  const uint64_t n = UINT64_MAX / 3 * 2;
  uint32_t low = 0;
  for (int i = 0; i < 10000; i++)
    low += rng_below(&r, n) < n / 2;
  assert_in_range(low, 4800, 5200);
}

static void doubles_lie_in_the_unit_interval(void **state)
{
  (void)state;
  struct rng r = rng_new(6, 0);
  double sum = 0;
  for (int i = 0; i < 10000; i++) {
    const double x = rng_double(&r);
    assert_true(x >= 0 && x < 1);
    sum += x;
  }
  assert_true(sum > 4800 && sum < 5200);
}

/* Each of the 6 orders of 3 elements has probability 1/6. */
static void shuffles_are_uniform(void **state)
{
  (void)state;
  struct rng r = rng_new(7, 0);
  uint32_t seen[27] = {0};
  for (int i = 0; i < 6000; i++) {
    uint32_t v[3] = {0, 1, 2};
    rng_shuffle(&r, v, 3);
    seen[v[0] * 9 + v[1] * 3 + v[2]]++;
  }
  static const int orders[] = {5, 7, 11, 15, 19, 21};
  uint32_t sum = 0;
  for (int i = 0; i < 6; i++) {
    assert_in_range(seen[orders[i]], 880, 1120);
    sum += seen[orders[i]];
  }
  assert_int_equal(sum, 6000);
  rng_shuffle(&r, NULL, 0);
}

static void half_normal_numbers_have_mean_0_and_deviation_1(void **state)
{
  (void)state;
  enum { N = 200000 };
  struct rng r = rng_new(1, 2);
  double sum = 0, squares = 0, least = 0;
  for (int i = 0; i < N; i++) {
    const double z = rng_half_normal(&r);
    sum += z;
    squares += z * z;
    least = fmin(least, z);
  }
  assert_true(fabs(sum / N) < 0.01 && fabs(squares / N - 1) < 0.02);
  assert_true(least > -1.324 && least < -1.32); /* -sqrt(2 / (pi - 2)) */
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_generator_is_xoshiro256starstar),
      cmocka_unit_test(seeds_give_the_same_numbers_for_ever),
      cmocka_unit_test(numbers_below_n_are_uniform),
      cmocka_unit_test(doubles_lie_in_the_unit_interval),
      cmocka_unit_test(shuffles_are_uniform),
      cmocka_unit_test(half_normal_numbers_have_mean_0_and_deviation_1),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Mappers over blocks: geometric means, ranks with ties, paired tests. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "campaign/analysis/ranking.h"
#include "common/numeric/rng.h"

static void assert_near(double a, double b)
{
  if (!(fabs(a - b) <= 1e-12))
    fail_msg("%.17g is not %.17g", a, b);
}

static void times_count_relative_to_the_best(void **state)
{
  (void)state;
  /* Mapper 1, the best of the first block, has no time in one block, so it is excluded. */
  static const double TIME[] = {2, 1, 4, 4, 8, NAN, 2, 2};
  struct ranking r;
  struct err e;
  assert_int_equal(ranking_make(&r, TIME, 2, 4, &e), OK);
  assert_int_equal(r.rows, 3);
  static const struct ranking_row ROWS[] = {
      {2, 1.4142135623730951, 2}, {3, 1.4142135623730951, 2}, {0, 2, 2}};
  for (size_t i = 0; i < 3; i++) {
    assert_int_equal(r.row[i].mapper, ROWS[i].mapper);
    assert_near(r.row[i].relative, ROWS[i].relative);
    assert_near(r.row[i].mean_rank, ROWS[i].mean_rank);
  }
  assert_true(isnan(r.p[0]));
  assert_near(r.p[1], 1); /* equal in both blocks */
  assert_near(r.p[3], r.p[1]);
  assert_true(ranking_is_insignificant(&r, 0, 1) && !ranking_is_insignificant(&r, 0, 0));
  ranking_clear(&r);
}

static void differences_are_found(void **state)
{
  (void)state;
  enum { BLOCKS = 12, MAPPERS = 3 };
  double time[BLOCKS * MAPPERS];
  struct rng random = rng_new(1, 0);
  struct ranking r;
  struct err e;
  for (size_t b = 0; b < BLOCKS; b++) {
    const double block = exp(5 * rng_double(&random)); /* blocks differ far more than mappers */
    for (size_t m = 0; m < MAPPERS; m++)
      time[b * MAPPERS + m] = block * (m == 1 ? 0.8 : 1) * (1 + 0.05 * rng_double(&random));
  }
  assert_int_equal(ranking_make(&r, time, BLOCKS, MAPPERS, &e), OK);
  assert_int_equal(r.row[0].mapper, 1);
  assert_near(r.row[0].mean_rank, 1);
  assert_false(ranking_is_insignificant(&r, 0, 1) || ranking_is_insignificant(&r, 2, 0));
  assert_true(ranking_is_insignificant(&r, 1, 2) && ranking_is_insignificant(&r, 2, 1));
  ranking_clear(&r);
}

static void few_blocks_give_no_p_values(void **state)
{
  (void)state;
  struct ranking r;
  struct err e;
  assert_int_equal(ranking_make(&r, NULL, 0, 0, &e), OK);
  assert_int_equal(r.rows, 0);
  ranking_clear(&r);
  static const double ONE[] = {1, 2};
  assert_int_equal(ranking_make(&r, ONE, 1, 2, &e), OK);
  assert_true(r.rows == 2 && isnan(r.p[1]) && !ranking_is_insignificant(&r, 0, 1));
  ranking_clear(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(times_count_relative_to_the_best),
      cmocka_unit_test(differences_are_found),
      cmocka_unit_test(few_blocks_give_no_p_values),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The mapping of several bisections is the best of their mappings, by estimated time. */
#include "mappers/general/bisections.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mappers/estimate.h"
#include "tests/unit/mappers/mapped.h"
#include "tests/unit/mappers/merge.h"

enum { RANKS = 60, EACH = 4, SEEDS = 8 };

static enum status get(void *data, const struct phases **out, struct err *e)
{
  (void)e;
  *out = data;
  return OK;
}

static double time_of(const struct mapper_input *in, const uint32_t *host)
{
  struct estimate *estimate;
  struct err e;
  double time_s;
  assert_int_equal(estimate_new(&estimate, in, &e), OK);
  assert_int_equal(estimate_time(estimate, host, &time_s, &e), OK);
  estimate_free(estimate);
  return time_s;
}

static void check(const struct mapper_input *in, uint64_t seed)
{
  struct mapper_input one = *in;
  struct mapping m, same;
  double least = INFINITY, most = 0;
  struct err e;
  for (uint64_t i = 0; i < SEEDS; i++) {
    char spec[64];
    snprintf(spec, sizeof spec, "bisect:seed=%" PRIu64, seed + i);
    struct mapping other = mapped(spec, in);
    const double time_s = time_of(in, other.host);
    least = fmin(least, time_s);
    most = fmax(most, time_s);
    mapping_clear(&other);
  }
  assert_true(least < most);
  assert_int_equal(bisections_map(&m, in, seed, &e), OK);
  assert_true(time_of(in, m.host) == least);
  one.threads = 1;
  assert_int_equal(bisections_map(&same, &one, seed, &e), OK);
  assert_memory_equal(m.host, same.host, RANKS * sizeof *m.host);
  mapping_clear(&m);
  mapping_clear(&same);
}

static void the_least_estimate_of_all_seeds_is_found(void **state)
{
  (void)state;
  static const char *const PLATFORM[] = {"torus:4x4", "fattree:k=4", "mesh:4x2x2"};
  for (uint64_t i = 0; i < COUNT(PLATFORM); i++) {
    struct rng r = rng_new(i, 1);
    struct matrix m = merge_random_traffic(&r, RANKS, 60);
    struct platform *p = opened_platform(PLATFORM[i]);
    struct phases all;
    struct err e;
    assert_int_equal(phases_of_matrix(&all, &m, RANKS, &e), OK);
    const struct mapper_phases phases = {&all, get};
    const struct mapper_input in = {.platform = p,
                                    .traffic = &m,
                                    .ranks = RANKS,
                                    .ranks_per_host = EACH,
                                    .phases = &phases,
                                    .threads = 2};
    check(&in, 1);
    check(&in, 100);
    phases_clear(&all);
    matrix_clear(&m);
    platform_free(p);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_least_estimate_of_all_seeds_is_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Linear maps of binary addresses: the predicted cost is the cost of placing every address. */
#include "mappers/general/recognise/linear.h"
#include "tests/unit/mappers/general/graphs.h"

/* The pattern of CG: rows of 2^width tasks with a step in each bit of the column, and the
 * transpose. */
static struct linear_traffic butterfly(uint32_t width)
{
  struct linear_traffic t = {.bits = 2 * width, .count = width, .width = width};
  for (uint32_t i = 0; i < width; i++) {
    t.difference[i] = 1u << i;
    t.weight[i] = 1.0 / (width + 1);
  }
  t.transposed = 1.0 / (width + 1);
  return t;
}

/* Mean hops of the traffic, by placing every address. */
static double mean_hops(const struct linear_traffic *t, const struct target *m, const uint32_t *row)
{
  double sum = 0;
  for (uint32_t v = 0; v < 1u << t->bits; v++) {
    const uint32_t here = linear_slot(row, t->bits, v) / m->per_host;
    const uint32_t other = linear_transpose(v, t->width);
    for (uint32_t i = 0; i < t->count; i++)
      sum += t->weight[i] *
             target_hops(m, here, linear_slot(row, t->bits, v ^ t->difference[i]) / m->per_host);
    sum += t->transposed * target_hops(m, here, linear_slot(row, t->bits, other) / m->per_host);
  }
  return sum / (1u << t->bits);
}

static void maps_are_good_permutations(void **state)
{
  static const struct {
    const char *platform;
    uint32_t per_host, width;
    double most; /* mean hops */
  } rows[] = {
      {"hypercube:8", 1, 4, 1.2}, {"hypercube:6", 4, 4, 0.8},   {"torus:8x8x4", 1, 4, 1.4},
      {"mesh:16x16", 1, 4, 2.7},  {"torus:4x4x4", 1, 3, 1.125}, {"torus:2x32", 1, 3, 2.6875},
      {"torus:4x2", 8, 3, 0.375}, {"mesh:4", 1, 1, 0.75},
  };
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct platform *p = opened_platform(rows[i].platform);
    const struct linear_traffic t = butterfly(rows[i].width);
    struct target m;
    struct err e;
    uint32_t row[LINEAR_MOST_BITS], seen[256] = {0};
    assert_int_equal(target_new(&m, p, rows[i].per_host, &e), OK);
    assert_true(linear_fits(&m));
    assert_int_equal(linear_find(&t, &m, 1, row, &e), OK);
    for (uint32_t v = 0; v < 1u << t.bits; v++)
      assert_int_equal(seen[linear_slot(row, t.bits, v)]++, 0);
    const double mean = mean_hops(&t, &m, row);
    if (mean > rows[i].most + 1e-9)
      fail_msg("%s: %g hops, not %g", rows[i].platform, mean, rows[i].most);
    target_clear(&m);
    platform_free(p);
  }
}

/* On hypercubes the result is optimal: adding one row to another never improves it. */
static void cubes_are_exact(void **state)
{
  struct platform *p = opened_platform("hypercube:8");
  const struct linear_traffic t = butterfly(4);
  struct target m;
  struct err e;
  uint32_t row[LINEAR_MOST_BITS];
  (void)state;
  assert_int_equal(target_new(&m, p, 1, &e), OK);
  assert_int_equal(linear_find(&t, &m, 1, row, &e), OK);
  const double least = mean_hops(&t, &m, row);
  struct rng r = rng_new(1, 0);
  for (int i = 0; i < 3000; i++) {
    const uint32_t a = (uint32_t)rng_below(&r, t.bits), b = (uint32_t)rng_below(&r, t.bits);
    row[a] ^= a != b ? row[b] : 0;
    assert_true(mean_hops(&t, &m, row) >= least - 1e-9);
  }
  target_clear(&m);
  platform_free(p);
}

static void sides_are_powers_of_two(void **state)
{
  static const struct {
    const char *platform;
    uint32_t per_host;
    bool fits;
  } rows[] = {{"torus:8x8", 1, true},   {"torus:8x6", 1, false}, {"mesh:4x4", 3, false},
              {"mesh:4x4", 2, true},    {"torus:256", 1, false}, {"torus:128x2", 1, true},
              {"fattree:k=4", 1, false}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct platform *p = opened_platform(rows[i].platform);
    struct target m;
    struct err e;
    assert_int_equal(target_new(&m, p, rows[i].per_host, &e), OK);
    assert_int_equal(linear_fits(&m), rows[i].fits);
    target_clear(&m);
    platform_free(p);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(maps_are_good_permutations),
      cmocka_unit_test(cubes_are_exact),
      cmocka_unit_test(sides_are_powers_of_two),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

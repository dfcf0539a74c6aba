/* Exchanges of digits are permutations, and their search ends where no exchange is better. */
#include <string.h>

#include "mappers/tune/digit_order.h"
#include "mappers/tune/digits.h"
#include "tests/unit/mappers/merge.h"

enum { MOST = 32 };

static void exchanges_are_permutations(void **state)
{
  (void)state;
  static const uint32_t COUNTS[] = {1, 2, 7, 12, 64, 90, 96};
  for (size_t i = 0; i < COUNT(COUNTS); i++) {
    struct digits d = {.n = 0};
    digits_factor(&d, COUNTS[i]);
    for (uint32_t a = 0; a < d.n; a++)
      for (uint32_t b = a + 1; b < d.n; b++) {
        bool taken[96] = {false};
        for (uint32_t k = 0; k < COUNTS[i]; k++) {
          const uint32_t image = digits_swapped(&d, a, b, k);
          assert_true(image < COUNTS[i] && !taken[image]);
          taken[image] = true;
          if (d.side[a] == d.side[b])
            assert_int_equal(digits_swapped(&d, a, b, image), k);
        }
      }
  }
}

static void digits_of_machines(void **state)
{
  (void)state;
  static const struct {
    const char *spec;
    uint32_t n, side[6];
  } CASE[] = {
      {"torus:6x4", 4, {2, 3, 2, 2}},
      {"fattree:k=4", 4, {2, 2, 2, 2}},
      {"star:7", 1, {7}},
      {"dragonfly:groups=3,chassis=2,routers=2,nodes=2", 4, {2, 2, 2, 3}},
  };
  for (size_t i = 0; i < COUNT(CASE); i++) {
    struct platform *p = opened_platform(CASE[i].spec);
    const struct digits d = digits_of_hosts(p, true);
    assert_int_equal(d.n, CASE[i].n);
    assert_memory_equal(d.side, CASE[i].side, d.n * sizeof *d.side);
    platform_free(p);
  }
}

/* Each rank sends to the rank at a distance of half of the ranks. */
static struct matrix far_partners(uint32_t ranks)
{
  struct matrix m = {.ranks = ranks, .entry = calloc(ranks, sizeof *m.entry)};
  assert_non_null(m.entry);
  for (uint32_t r = 0; r < ranks; r++)
    m.entry[m.count++] = (struct matrix_entry){r, (r + ranks / 2) % ranks, 1, 1000000};
  return m;
}

static double estimated(struct estimate *x, const uint32_t *host)
{
  double time_s;
  struct err e;
  assert_int_equal(estimate_time(x, host, &time_s, &e), OK);
  return time_s;
}

static void check_local_optimum(const struct mapper_input *in, struct estimate *x,
                                const uint32_t *host, double value)
{
  const struct digits d = digits_of_hosts(in->platform, true);
  for (uint32_t a = 0; a < d.n; a++)
    for (uint32_t b = a + 1; b < d.n; b++) {
      uint32_t to[MOST];
      for (uint32_t r = 0; r < in->ranks; r++)
        to[r] = digits_swapped(&d, a, b, host[r]);
      assert_true(estimated(x, to) > value * 0.99899);
    }
}

static void partners_come_together(void **state)
{
  (void)state;
  static const char *const SPECS[] = {"fattree:k=4", "torus:4x4", "star:16",
                                      "dragonfly:groups=2,chassis=2,routers=2,nodes=2"};
  for (size_t i = 0; i < COUNT(SPECS); i++) {
    struct platform *p = opened_platform(SPECS[i]);
    struct matrix m = far_partners(16);
    const struct mapper_input in = {.platform = p,
                                    .traffic = &m,
                                    .ranks = 16,
                                    .ranks_per_host = 1,
                                    .model = {.weight_bytes = 8775}};
    struct estimate *x;
    struct err e;
    uint32_t host[16], same[16], together[16];
    double value, unused;
    for (uint32_t r = 0; r < 16; r++) {
      host[r] = same[r] = r;
      together[r] = 2 * (r % 8) + r / 8;
    }
    assert_int_equal(estimate_new(&x, &in, &e), OK);
    assert_int_equal(digit_order_improve(host, &in, x, UINT64_MAX, &value, &e), OK);
    assert_true(value == estimated(x, host));
    assert_true(value <= estimated(x, same));
    assert_true(value <= estimated(x, together) * 1.001);
    check_local_optimum(&in, x, host, value);
    assert_int_equal(digit_order_improve(same, &in, x, 0, &unused, &e), OK); /* no work */
    for (uint32_t r = 0; r < 16; r++)
      assert_int_equal(same[r], r);
    estimate_free(x);
    matrix_clear(&m);
    platform_free(p);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(exchanges_are_permutations),
                                     cmocka_unit_test(digits_of_machines),
                                     cmocka_unit_test(partners_come_together)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

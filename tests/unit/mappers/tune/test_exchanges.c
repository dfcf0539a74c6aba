/* Annealing of the estimated time brings partners together, keeps the hosts' slots, and is repeated
 * exactly by the same seed. */
#include <string.h>

#include "mappers/tune/exchanges.h"
#include "tests/unit/mappers/merge.h"

enum { RANKS = 16, HOSTS = 20, TRIES = 4000 };

/* Each rank sends to the rank at a distance of half of the ranks. */
static struct matrix far_partners(void)
{
  struct matrix m = {.ranks = RANKS, .entry = calloc(RANKS, sizeof *m.entry)};
  assert_non_null(m.entry);
  for (uint32_t r = 0; r < RANKS; r++)
    m.entry[m.count++] = (struct matrix_entry){r, (r + RANKS / 2) % RANKS, 1, 1000000};
  return m;
}

static double estimated(struct estimate *x, const uint32_t *host)
{
  double time_s;
  struct err e;
  assert_int_equal(estimate_time(x, host, &time_s, &e), OK);
  return time_s;
}

static double improve(const struct mapper_input *in, struct estimate *x, uint32_t tries,
                      uint32_t *host)
{
  const struct exchanges_plan plan = {tries * estimate_work(x), 0.2, false, 7, 3};
  uint32_t fill[HOSTS] = {0};
  double value;
  struct err e;
  assert_int_equal(exchanges_improve(host, in, x, &plan, &value, &e), OK);
  for (uint32_t r = 0; r < RANKS; r++)
    assert_true(host[r] < platform_hosts(in->platform) && ++fill[host[r]] <= in->ranks_per_host);
  assert_true(value == estimated(x, host));
  return value;
}

static void partners_come_together(void **state)
{
  (void)state;
  static const struct {
    const char *platform;
    uint32_t each;
  } CASES[] = {{"fattree:k=4", 1},
               {"mesh:4x4", 1},
               {"torus:5x4", 1},
               {"mesh:4x3", 2},
               {"dragonfly:groups=2,chassis=2,routers=2,nodes=1", 2}};
  for (size_t i = 0; i < COUNT(CASES); i++) {
    struct platform *p = opened_platform(CASES[i].platform);
    struct matrix m = far_partners();
    const struct mapper_input in = {.platform = p,
                                    .traffic = &m,
                                    .ranks = RANKS,
                                    .ranks_per_host = CASES[i].each,
                                    .model = {.weight_bytes = 8775}};
    struct estimate *x;
    struct err e;
    uint32_t first[RANKS], host[RANKS], again[RANKS], together[RANKS];
    for (uint32_t r = 0; r < RANKS; r++) {
      first[r] = host[r] = again[r] = r / CASES[i].each;
      together[r] = (2 * (r % 8) + r / 8) / CASES[i].each;
    }
    assert_int_equal(estimate_new(&x, &in, &e), OK);
    const double after = improve(&in, x, TRIES, host);
    /* with two ranks a host, only all pairs together shorten the time further */
    assert_true(after <= (in.ranks_per_host == 1 ? 1.001 * estimated(x, together)
                                                 : 0.6 * estimated(x, first)));
    improve(&in, x, TRIES, again);
    assert_memory_equal(host, again, sizeof host);
    assert_true(improve(&in, x, 10, again) <= after);
    memcpy(again, first, sizeof first);
    improve(&in, x, 0, again);
    assert_memory_equal(again, first, sizeof first);
    estimate_free(x);
    matrix_clear(&m);
    platform_free(p);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(partners_come_together)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

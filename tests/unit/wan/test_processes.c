#include "wan/processes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/opened.h"
#include "tests/unit/scratch.h"

static const char CLUSTERS[] = "cluster A hosts=2x1Gf latency=20us loopback_latency=1us\n"
                               "cluster B hosts=3x1Gf latency=20us inbound=no\n"
                               "wan A B rtt=4ms bandwidth=100MBps\n";

/* The RTT of two processes on the same host is twice the loopback latency. */
static void rtts_agree_with_the_routes(void **state)
{
  (void)state;
  struct platform *p = opened_clusters(CLUSTERS);
  uint32_t host[] = {0, 1, 0, 4};
  const struct mapping m = {.ranks = 4, .host = host};
  struct processes all;
  struct err e;
  struct platform_finder *f;
  struct platform_route r;
  assert_int_equal(processes_on_platform(&all, p, &m, &e), OK);
  assert_int_equal(all.clusters, 2);
  assert_int_equal(processes_rtt(&all, 0, 2), 2000000);
  assert_int_equal(platform_finder_new(&f, p, &e), OK);
  assert_int_equal(platform_route(f, 0, 4, &r, &e), OK);
  assert_int_equal(processes_rtt(&all, 0, 3), 2 * r.latency_s * 1e12 + 0.5);
  assert_int_equal(processes_rtt(&all, 3, 0), processes_rtt(&all, 0, 3));
  assert_true(processes_rtt(&all, 0, 3) >= 4000000000);
  assert_int_equal(processes_rtt(&all, 1, 1), 0);
  assert_true(processes_blocked(&all, 0, 3));
  assert_false(processes_blocked(&all, 3, 0));
  assert_false(processes_blocked(&all, 0, 1));
  platform_finder_free(f);
  processes_clear(&all);
  platform_free(p);
}

static void shares_of_clusters_are_equal(void **state)
{
  (void)state;
  static const uint32_t want[][6] = {
      {0, 1, 2, 3, 4}, {0}, {0, 2}, {0, 1, 2}, {0, 1, 2, 3}, {0, 1, 0, 2, 3}, {0, 1, 0, 2, 3, 4}};
  struct platform *p = opened_clusters(CLUSTERS);
  struct err e;
  for (uint32_t n = 0; n < 7; n++) {
    struct mapping m;
    assert_int_equal(processes_share(&m, p, n, &e), OK);
    assert_int_equal(m.ranks, n == 0 ? 5 : n);
    for (uint32_t i = 0; i < m.ranks; i++)
      assert_int_equal(m.host[i], want[n][i]);
    mapping_clear(&m);
  }
  platform_free(p);
}

static void opaque_platforms_are_refused(void **state)
{
  (void)state;
  struct platform *p = opened_xml("<platform version='4.1'/>");
  struct processes all;
  struct mapping m = {0};
  struct err e;
  assert_int_equal(processes_on_platform(&all, p, &m, &e), FAIL);
  assert_non_null(strstr(e.text, "wide-area connections"));
  assert_int_equal(processes_share(&m, p, 4, &e), FAIL);
  assert_non_null(strstr(e.text, "wide-area connections"));
  platform_free(p);
}

/* Each row is a permutation of 1 to n - 1 ms.  Rows and seeds differ. */
static void random_orders_are_permutations(void **state)
{
  (void)state;
  enum { N = 50 };
  struct processes a, b;
  struct err e;
  uint32_t same = 0;
  assert_int_equal(processes_random(&a, N, 1, &e), OK);
  assert_int_equal(processes_random(&b, N, 2, &e), OK);
  for (uint32_t p = 0; p < N; p++) {
    uint64_t seen = 0;
    for (uint32_t q = 0; q < N; q++) {
      const uint64_t ms = processes_rtt(&a, p, q) / 1000000000;
      assert_true(p == q ? ms == 0 : ms >= 1 && ms < N && (seen >> ms & 1) == 0);
      seen |= UINT64_C(1) << ms;
      same += p != q && (ms * 1000000000 == processes_rtt(&b, p, q) ||
                         ms * 1000000000 == processes_rtt(&a, q, p));
    }
  }
  assert_true(same < N * N / 10); /* 2 of 49 agree by chance */
  processes_clear(&a);
  processes_clear(&b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(rtts_agree_with_the_routes),
      IN_FOLDER(shares_of_clusters_are_equal),
      cmocka_unit_test(opaque_platforms_are_refused),
      cmocka_unit_test(random_orders_are_permutations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

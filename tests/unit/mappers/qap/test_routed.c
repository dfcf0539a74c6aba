/* Costs along the routes of an overlay graph. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mappers/mapper.h"
#include "mappers/qap/routed.h"
#include "tests/unit/opened.h"
#include "tests/unit/scratch.h"
#include "wan/bounding.h"

#define TEST_HEAD "cluster A hosts=4x1Gf\ncluster B hosts=4x1Gf"
#define TEST_WAN  "\nwan A B rtt=4ms bandwidth=100MBps\n"
enum { HOSTS = 8 };

static struct mapping in_order(void)
{
  struct mapping m;
  struct err e;
  assert_int_equal(mapping_new(&m, HOSTS, &e), OK);
  for (uint32_t h = 0; h < HOSTS; h++)
    m.host[h] = h;
  return m;
}

/* If all processes are connected, the cost is the round-trip time.  With few connections no cost
 * is lower and some are higher; pairs with traffic are connected and still cost the round-trip
 * time. */
static void costs_are_sums_along_routes(void **state)
{
  (void)state;
  struct platform *p = opened_clusters(TEST_HEAD TEST_WAN);
  struct mapping slots = in_order();
  struct matrix_entry pair[] = {{0, 7, 5, 10}, {3, 5, 1, 10}};
  const struct matrix traffic = {.ranks = HOSTS, .count = 2, .entry = pair};
  struct routed_input in = {p, &slots, &traffic, {&bounding_mcmpi, HOSTS, 1, false}};
  double all[HOSTS * HOSTS], few[HOSTS * HOSTS];
  uint32_t longer = 0;
  struct err e;
  assert_int_equal(routed_costs(all, &in, &e), OK);
  in.overlay.density = 1;
  assert_int_equal(routed_costs(few, &in, &e), OK);
  for (size_t i = 0; i < HOSTS * HOSTS; i++) {
    if (few[i] < all[i])
      fail_msg("%zu: %g s along routes, %g s directly", i, few[i], all[i]);
    longer += few[i] > all[i] * 1.001;
  }
  assert_true(longer > 0);
  assert_true(all[0] == 0);
  assert_true(fabs(all[0 * HOSTS + 7] - 0.004) < 0.001);
  assert_true(few[0 * HOSTS + 7] == all[0 * HOSTS + 7]);
  assert_true(few[3 * HOSTS + 5] == all[3 * HOSTS + 5]);
  mapping_clear(&slots);
  platform_free(p);
}

/* The path from A to B is shorter via C. */
static void connected_pairs_may_send_directly(void **state)
{
  (void)state;
  struct platform *p =
      opened_clusters("cluster A hosts=2x1Gf\ncluster B hosts=2x1Gf\ncluster C hosts=4x1Gf\n"
                      "wan A B rtt=9ms bandwidth=100MBps\nwan A C rtt=1ms bandwidth=100MBps\n"
                      "wan B C rtt=1ms bandwidth=100MBps\n");
  struct mapping slots = in_order();
  struct matrix_entry pair[] = {{0, 7, 5, 10}};
  const struct matrix traffic = {.ranks = HOSTS, .count = 1, .entry = pair};
  struct routed_input in = {p, &slots, &traffic, {&bounding_all, 1, 1, false}};
  double routed[HOSTS * HOSTS], direct[HOSTS * HOSTS];
  struct err e;
  assert_int_equal(routed_costs(routed, &in, &e), OK);
  in.overlay.direct = true;
  assert_int_equal(routed_costs(direct, &in, &e), OK);
  assert_true(fabs(routed[0 * HOSTS + 2] - 0.002) < 0.001);
  assert_true(fabs(direct[0 * HOSTS + 2] - 0.009) < 0.001);
  assert_true(direct[0] == 0 && direct[0 * HOSTS + 4] == routed[0 * HOSTS + 4]);
  mapping_clear(&slots);
  platform_free(p);
}

/* The density and seed of the run are used unless the spec gives them. */
static void connections_of_the_run_are_the_default(void **state)
{
  (void)state;
  struct platform *p = opened_clusters(TEST_HEAD TEST_WAN);
  struct matrix_entry pair[] = {{0, 1, 9, 10}, {1, 2, 9, 10}, {2, 7, 9, 10}, {5, 3, 9, 10}};
  const struct matrix traffic = {.ranks = HOSTS, .count = 4, .entry = pair};
  const struct mapper_overlay run = {&bounding_mcmpi, 1, 7, false};
  struct mapper_input in = {
      .platform = p, .traffic = &traffic, .ranks = HOSTS, .ranks_per_host = 1, .threads = 1};
  struct mapping m[4];
  struct err e;
  assert_int_equal(mapper_run("qap:cost=overlay,work=1,density=1,seed=7", &in, &m[0], &e), OK);
  assert_int_equal(mapper_run("qap:cost=overlay,work=1,density=8,seed=7", &in, &m[1], &e), OK);
  in.overlay = &run;
  assert_int_equal(mapper_run("qap:cost=overlay,work=1,seed=7", &in, &m[2], &e), OK);
  assert_int_equal(mapper_run("qap:cost=overlay,work=1,density=8,seed=7", &in, &m[3], &e), OK);
  const size_t bytes = HOSTS * sizeof *m[0].host;
  assert_memory_equal(m[2].host, m[0].host, bytes);
  assert_memory_equal(m[3].host, m[1].host, bytes);
  assert_true(memcmp(m[0].host, m[1].host, bytes) != 0);
  for (size_t i = 0; i < 4; i++)
    mapping_clear(&m[i]);
  platform_free(p);
}

/* Two clusters that both accept no inbound connections. */
static void a_graph_in_two_parts_is_refused(void **state)
{
  (void)state;
  struct platform *p = opened_clusters("cluster A hosts=4x1Gf inbound=no\n"
                                       "cluster B hosts=4x1Gf inbound=no" TEST_WAN);
  struct matrix_entry pair[] = {{0, 7, 5, 10}};
  const struct matrix traffic = {.ranks = HOSTS, .count = 1, .entry = pair};
  const struct mapper_input in = {
      .platform = p, .traffic = &traffic, .ranks = HOSTS, .ranks_per_host = 1, .threads = 1};
  struct mapping m;
  struct err e;
  assert_int_equal(mapper_run("qap:cost=overlay,work=1", &in, &m, &e), FAIL);
  assert_string_equal(
      e.text, "mapper 'qap': cost=overlay: no connections lead from process 0 to process 4");
  platform_free(p);
}

/* With several ranks per host and more hosts than ranks, each rank has a slot. */
static void ranks_share_hosts(void **state)
{
  (void)state;
  struct platform *p = opened_clusters(TEST_HEAD TEST_WAN);
  struct matrix_entry pair[] = {{0, 1, 9, 10}, {1, 2, 9, 10}, {2, 3, 9, 10}};
  const struct matrix traffic = {.ranks = 4, .count = 3, .entry = pair};
  for (uint32_t each = 1; each <= 4; each *= 2) {
    const struct mapper_input in = {
        .platform = p, .traffic = &traffic, .ranks = 4, .ranks_per_host = each, .threads = 1};
    struct mapping m;
    struct err e;
    if (mapper_run("qap:cost=overlay,work=1,density=3,count=messages", &in, &m, &e) != OK)
      fail_msg("%s", e.text);
    if (mapping_check(&m, p, each, &e) != OK)
      fail_msg("%s", e.text);
    for (uint32_t r = 1; r < 4; r++)
      assert_true((m.host[r] < 4) == (m.host[0] < 4));
    mapping_clear(&m);
  }
  platform_free(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(costs_are_sums_along_routes, scratch_enter, scratch_leave),
      cmocka_unit_test_setup_teardown(connected_pairs_may_send_directly, scratch_enter,
                                      scratch_leave),
      cmocka_unit_test_setup_teardown(connections_of_the_run_are_the_default, scratch_enter,
                                      scratch_leave),
      cmocka_unit_test_setup_teardown(a_graph_in_two_parts_is_refused, scratch_enter,
                                      scratch_leave),
      cmocka_unit_test_setup_teardown(ranks_share_hosts, scratch_enter, scratch_leave),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

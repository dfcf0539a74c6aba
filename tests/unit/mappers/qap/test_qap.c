#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/numeric/rng.h"
#include "mappers/mapper.h"
#include "tests/unit/opened.h"
#include "tests/unit/scratch.h"

enum { RANKS = 6 };

static struct matrix random_traffic(uint32_t ranks, uint64_t most, uint64_t seed)
{
  struct matrix m = {.ranks = ranks, .entry = calloc((size_t)ranks * ranks, sizeof *m.entry)};
  struct rng rng = rng_new(seed, 0);
  assert_non_null(m.entry);
  for (uint32_t a = 0; a < ranks; a++)
    for (uint32_t b = 0; b < ranks; b++)
      if (rng_below(&rng, 2) == 0)
        m.entry[m.count++] = (struct matrix_entry){a, b, 1, rng_below(&rng, most)};
  return m;
}

static double cost_of(const struct mapper_input *in, const uint32_t *host, bool latency)
{
  struct platform_finder *f;
  struct err e;
  double sum = 0;
  assert_int_equal(platform_finder_new(&f, in->platform, &e), OK);
  for (size_t i = 0; i < in->traffic->count; i++) {
    const struct matrix_entry *x = &in->traffic->entry[i];
    struct platform_route r = {.links = 0};
    if (host[x->src] != host[x->dst])
      assert_int_equal(platform_route(f, host[x->src], host[x->dst], &r, &e), OK);
    sum += (double)x->bytes * (latency ? r.latency_s : r.links);
  }
  platform_finder_free(f);
  return sum;
}

/* Least cost of all placements of ranks @p r and above. */
static double least_cost(const struct mapper_input *in, uint32_t *host, uint32_t r, bool latency)
{
  if (r == RANKS)
    return cost_of(in, host, latency);
  double least = 1e300;
  for (uint32_t h = 0; h < platform_hosts(in->platform); h++) {
    uint32_t there = 0;
    for (uint32_t q = 0; q < r; q++)
      there += host[q] == h;
    if (there == in->ranks_per_host)
      continue;
    host[r] = h;
    const double cost = least_cost(in, host, r + 1, latency);
    least = cost < least ? cost : least;
  }
  return least;
}

static void must_be_valid(const struct mapper_input *in, const struct mapping *m)
{
  struct err e;
  assert_int_equal(m->ranks, in->ranks);
  if (mapping_check(m, in->platform, in->ranks_per_host, &e) != OK)
    fail_msg("%s", e.text);
}

static void the_mapping_costs_least(void **state)
{
  (void)state;
  scratch_write("wan.clusters", "cluster A hosts=3x1Gf\ncluster B hosts=4x1Gf\n"
                                "wan A B rtt=4ms bandwidth=100MBps\n");
  static const struct {
    const char *spec, *cost;
    uint32_t per_host;
  } cases[] = {{"torus:7", "hops", 1},   {"mesh:3x2", "hops", 1},
               {"torus:2x2", "hops", 2}, {"clusters:wan.clusters", "latency", 1},
               {"mesh:3", "latency", 6}, {"fattree:down=2x4,up=1x2,cables=1x1", "latency", 1}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    struct platform *p = opened_platform(cases[i].spec);
    struct matrix traffic = random_traffic(RANKS, 1000, i);
    struct mapper_input in = {.platform = p,
                              .traffic = &traffic,
                              .ranks = RANKS,
                              .ranks_per_host = cases[i].per_host,
                              .threads = 2};
    const bool latency = strcmp(cases[i].cost, "latency") == 0;
    char spec[64];
    uint32_t host[RANKS];
    struct mapping m;
    struct err e;
    snprintf(spec, sizeof spec, "qap:cost=%s,work=2", cases[i].cost);
    if (mapper_run(spec, &in, &m, &e) != OK)
      fail_msg("%s: %s", cases[i].spec, e.text);
    must_be_valid(&in, &m);
    const double least = least_cost(&in, host, 0, latency), cost = cost_of(&in, m.host, latency);
    if (cost > least * 1.00001)
      fail_msg("%s: %g, the least is %g", cases[i].spec, cost, least);
    mapping_clear(&m);
    matrix_clear(&traffic);
    platform_free(p);
  }
}

/* Costs from a file: hosts 0 and 3 are near each other, in contrast to the platform. */
static void costs_come_from_a_file(void **state)
{
  (void)state;
  scratch_write("rtt", "# ms\n0 5 5 0.25\n5 0 5 5 # one\n\n5 5 0 5\n0.25 5 5 0\n");
  struct platform *p = opened_platform("torus:4");
  struct matrix_entry pair[] = {{0, 1, 1, 100}, {1, 0, 1, 100}};
  const struct matrix traffic = {.ranks = 2, .count = 2, .entry = pair};
  const struct mapper_input in = {
      .platform = p, .traffic = &traffic, .ranks = 2, .ranks_per_host = 1, .threads = 1};
  struct mapping m;
  struct err e;
  assert_int_equal(mapper_run("qap:cost=rtt,work=1", &in, &m, &e), OK);
  assert_true((m.host[0] == 0 && m.host[1] == 3) || (m.host[0] == 3 && m.host[1] == 0));
  mapping_clear(&m);
  platform_free(p);
}

/* Ranks 0 and 1 exchange few bytes in many messages, ranks 0 and 2 many bytes in one message.  The
 * option `count' decides which pair gets the two hosts near each other. */
static void the_option_count_selects_messages_or_bytes(void **state)
{
  (void)state;
  scratch_write("rtt", "0 1 9\n1 0 9\n9 9 0\n");
  struct platform *p = opened_platform("torus:3");
  struct matrix_entry pair[] = {{0, 1, 50, 100}, {0, 2, 1, 5000}};
  const struct matrix traffic = {.ranks = 3, .count = 2, .entry = pair};
  const struct mapper_input in = {
      .platform = p, .traffic = &traffic, .ranks = 3, .ranks_per_host = 1, .threads = 1};
  struct mapping m;
  struct err e;
  assert_int_equal(mapper_run("qap:cost=rtt,work=1,count=messages", &in, &m, &e), OK);
  assert_int_equal(m.host[2], 2);
  mapping_clear(&m);
  assert_int_equal(mapper_run("qap:cost=rtt,work=1,count=bytes", &in, &m, &e), OK);
  assert_int_equal(m.host[1], 2);
  mapping_clear(&m);
  platform_free(p);
}

/* The link between A and B has a low latency and a low bandwidth, the link between A and C the
 * reverse. */
static void bandwidth_and_latency_are_distinguished(void **state)
{
  (void)state;
  scratch_write("wan.clusters",
                "cluster A hosts=1x1Gf\ncluster B hosts=1x1Gf\ncluster C hosts=1x1Gf\n"
                "wan A B rtt=1ms bandwidth=1MBps\nwan A C rtt=9ms bandwidth=100MBps\n"
                "wan B C rtt=9ms bandwidth=1MBps\n");
  struct platform *p = opened_platform("clusters:wan.clusters");
  struct matrix_entry pair[] = {{0, 1, 1, 100}, {1, 2, 1, 1}};
  const struct matrix traffic = {.ranks = 3, .count = 2, .entry = pair};
  const struct mapper_input in = {
      .platform = p, .traffic = &traffic, .ranks = 3, .ranks_per_host = 1, .threads = 1};
  struct mapping m;
  struct err e;
  assert_int_equal(mapper_run("qap:cost=latency,work=1", &in, &m, &e), OK);
  assert_int_equal(m.host[2], 2);
  mapping_clear(&m);
  assert_int_equal(mapper_run("qap:cost=bandwidth,work=1", &in, &m, &e), OK);
  assert_int_equal(m.host[2], 1);
  mapping_clear(&m);
  platform_free(p);
}

/* More slots than the mapper considers, traffic beyond 62 bits, ranks without traffic. */
static void large_inputs_stay_valid(void **state)
{
  (void)state;
  static const struct {
    const char *spec;
    uint32_t ranks, per_host;
    uint64_t most;
  } cases[] = {{"torus:16x16x16", 40, 1, 1000},     {"torus:20x20x20", 10, 700, 1000},
               {"mesh:9x9", 80, 1, UINT64_MAX / 4}, {"hypercube:3", 5, 1, 1},
               {"torus:2", 4000, 3000, 9},          {"torus:4", 1, 1, 9}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    struct platform *p = opened_platform(cases[i].spec);
    struct matrix traffic = random_traffic(cases[i].ranks, cases[i].most, i);
    struct mapper_input in = {.platform = p,
                              .traffic = &traffic,
                              .ranks = cases[i].ranks,
                              .ranks_per_host = cases[i].per_host,
                              .threads = 2};
    struct mapping one, two;
    struct err e;
    if (mapper_run("qap:work=4", &in, &one, &e) != OK)
      fail_msg("%s: %s", cases[i].spec, e.text);
    must_be_valid(&in, &one);
    in.threads = 1;
    assert_int_equal(mapper_run("qap:work=4", &in, &two, &e), OK);
    assert_memory_equal(one.host, two.host, cases[i].ranks * sizeof *one.host);
    mapping_clear(&one);
    mapping_clear(&two);
    matrix_clear(&traffic);
    platform_free(p);
  }
}

static void bad_input_is_refused(void **state)
{
  (void)state;
  scratch_write("short", "0 1 1 1\n1 0 1 1\n");
  scratch_write("narrow", "0 1 1 1\n1 0 1\n");
  scratch_write("broad", "0 1 1 1 1\n");
  scratch_write("long", "0 1 1 1\n0 1 1 1\n0 1 1 1\n0 1 1 1\n0 1 1 1\n");
  scratch_write("negative", "0 1 1 -1\n");
  static const struct {
    const char *spec, *message;
  } cases[] = {
      {"qap:method=rtx",
       "mapper 'qap': method: unknown method 'rtx', perhaps 'rts'; expected auto, "
       "memetic, rts, sa or grasp"},
      {"qap:time=-1", "mapper 'qap': time: -1 is outside 0..1e+06"},
      {"qap:time=1,work=1", "mapper 'qap': time= and work=: give one of them"},
      {"qap:work=x", "mapper 'qap': work: 'x' is not a whole number"},
      {"qap:starts=5000", "mapper 'qap': starts: 5000 is above the maximum of 4096"},
      {"qap:seed=-1", "mapper 'qap': seed: '-1' is not a whole number"},
      {"qap:count=packets", "mapper 'qap': count: 'packets' is none of bytes, messages"},
      {"qap:density=0", "mapper 'qap': density: 0 is below the minimum of 1"},
      {"qap:density=-1", "mapper 'qap': density: '-1' is not a whole number"},
      {"qap:cost=no-file", "no-file: cannot read: No such file or directory"},
      {"qap:cost=short", "short:2: 2 lines of costs, but the platform has 4 hosts"},
      {"qap:cost=narrow", "narrow:2: 3 values, but the platform has 4 hosts"},
      {"qap:cost=broad", "broad:1: more than 4 values, one for each host"},
      {"qap:cost=long", "long:5: more than 4 lines, one for each host"},
      {"qap:cost=negative", "negative:1: -1 is outside 0..1e+300"},
  };
  struct platform *p = opened_platform("torus:4");
  struct matrix traffic = random_traffic(4, 9, 1);
  const struct mapper_input in = {
      .platform = p, .traffic = &traffic, .ranks = 4, .ranks_per_host = 1, .threads = 1};
  for (size_t i = 0; i < COUNT(cases); i++) {
    struct mapping m;
    struct err e;
    assert_int_equal(mapper_run(cases[i].spec, &in, &m, &e), FAIL);
    assert_string_equal(e.text, cases[i].message);
  }
  matrix_clear(&traffic);
  platform_free(p);
}

static void too_many_ranks_are_refused(void **state)
{
  (void)state;
  struct platform *p = opened_platform("torus:17x17x17");
  const struct matrix traffic = {.ranks = 4100};
  struct mapper_input in = {
      .platform = p, .traffic = &traffic, .ranks = 4100, .ranks_per_host = 1, .threads = 1};
  struct mapping m;
  struct err e;
  assert_int_equal(mapper_run("qap", &in, &m, &e), FAIL);
  assert_string_equal(e.text, "mapper 'qap': 4100 ranks are more than its 4096 slots");
  platform_free(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(the_mapping_costs_least, scratch_enter, scratch_leave),
      cmocka_unit_test_setup_teardown(costs_come_from_a_file, scratch_enter, scratch_leave),
      cmocka_unit_test_setup_teardown(the_option_count_selects_messages_or_bytes, scratch_enter,
                                      scratch_leave),
      cmocka_unit_test_setup_teardown(bandwidth_and_latency_are_distinguished, scratch_enter,
                                      scratch_leave),
      cmocka_unit_test(large_inputs_stay_valid),
      cmocka_unit_test_setup_teardown(bad_input_is_refused, scratch_enter, scratch_leave),
      cmocka_unit_test(too_many_ranks_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "common/numeric/rng.h"
#include "mappers/metrics.h"
#include "tests/unit/opened.h"

static struct platform *build(const char *spec)
{
  const struct platform_params unit = {.bandwidth = "1Bps", .latency = "1s"};
  return opened_platform_with(spec, &unit);
}

/* A ring of 4 ranks with 1000 bytes per step, and a message of rank 0 to itself. */
static struct matrix_entry ring[] = {
    {0, 0, 1, 77}, {0, 1, 1, 1000}, {1, 2, 1, 1000}, {2, 3, 1, 1000}, {3, 0, 1, 1000}};
/* Both directions of a pair count as one arc. */
static struct matrix_entry both[] = {{0, 1, 2, 10}, {1, 0, 3, 20}};
static struct matrix_entry silent[] = {{0, 2, 1, 0}};

static const struct {
  const char *spec;
  uint32_t host[4];
  struct matrix traffic;
  struct metrics want;
} CASE[] = {
    {"torus:4",
     {0, 1, 2, 3},
     {4, 5, ring, NULL},
     {4, 4000, 4000, 1.0, 1, 1000, 500.0, 4, 1000, 1, 0, {0}}},
    {"torus:4",
     {0, 2, 1, 3},
     {4, 5, ring, NULL},
     {4, 4000, 6000, 1.5, 2, 2000, 750.0, 2, 2000, 1.5, 0, {0}}},
    {"mesh:4",
     {0, 1, 2, 3},
     {4, 5, ring, NULL},
     {4, 4000, 6000, 1.5, 3, 1000, 1000.0, 3, 1000, 1.5, 0, {0}}},
    {"hypercube:2",
     {0, 1, 3, 2},
     {4, 5, ring, NULL},
     {4, 4000, 4000, 1.0, 1, 1000, 500.0, 4, 1000, 1, 0, {0}}},
    {"torus:4", {2, 2, 2, 2}, {4, 5, ring, NULL}, {4, 4000, 0, 0.0, 0, 0, 0.0, 0, 0, 0, 0, {0}}},
    {"mesh:2x2", {0, 1, 2, 3}, {4, 2, both, NULL}, {2, 30, 30, 1.0, 1, 20, 3.75, 1, 20, 1, 0, {0}}},
    {"mesh:2x2", {0, 1, 2, 3}, {4, 1, silent, NULL}, {1, 0, 0, 1.0, 1, 0, 0.0, 1, 0, 0, 0, {0}}},
    {"torus:1", {0, 0, 0, 0}, {4, 5, ring, NULL}, {4, 4000, 0, 0.0, 0, 0, 0.0, 0, 0, 0, 0, {0}}},
    {"torus:4", {0, 1, 2, 3}, {4, 0, NULL, NULL}, {0, 0, 0, 0.0, 0, 0, 0.0, 0, 0, 0, 0, {0}}},
};

static bool equal(const struct metrics *a, const struct metrics *b)
{
  return a->pairs == b->pairs && a->bytes == b->bytes && a->hop_bytes == b->hop_bytes &&
         a->dilation_mean == b->dilation_mean && a->dilation_max == b->dilation_max &&
         a->max_link_load_bytes == b->max_link_load_bytes &&
         a->mean_link_load_bytes == b->mean_link_load_bytes && a->cardinality == b->cardinality &&
         a->max_link_load_s == b->max_link_load_s && a->mean_latency_s == b->mean_latency_s;
}

static void small_cases_by_hand(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(CASE); i++) {
    struct platform *p = build(CASE[i].spec);
    uint32_t host[4];
    memcpy(host, CASE[i].host, sizeof host);
    const struct mapping m = {.ranks = 4, .host = host};
    struct metrics got;
    struct err e;
    assert_int_equal(metrics_compute(&got, p, &m, &CASE[i].traffic, &e), OK);
    if (!equal(&got, &CASE[i].want))
      fail_msg("case %zu: hop-bytes %zu, max load %zu, cardinality %zu", i, (size_t)got.hop_bytes,
               (size_t)got.max_link_load_bytes, (size_t)got.cardinality);
    platform_free(p);
  }
}

/* For random traffic, the loads add up to the hop-bytes, and renaming ranks without changing their
 * hosts changes no figure. */
static void random_cases_are_consistent(void **state)
{
  (void)state;
  struct rng r = rng_new(1, 0);
  for (int round = 0; round < 100; round++) {
    struct platform *p = build(round % 2 == 0 ? "torus:4x3x2" : "mesh:5x4");
    const struct topology *t = platform_topology(p);
    const uint32_t hosts = topology_hosts(t);
    uint32_t host[24];
    struct matrix_entry entry[24];
    for (uint32_t i = 0; i < hosts; i++) {
      host[i] = i;
      entry[i] = (struct matrix_entry){i, (uint32_t)rng_below(&r, hosts), 1, rng_below(&r, 1000)};
    }
    rng_shuffle(&r, host, hosts);
    const struct mapping m = {.ranks = hosts, .host = host};
    const struct matrix traffic = {.ranks = hosts, .count = hosts, .entry = entry};
    struct metrics got;
    struct err e;
    assert_int_equal(metrics_compute(&got, p, &m, &traffic, &e), OK);
    uint64_t hop_bytes = 0;
    for (uint32_t i = 0; i < hosts; i++)
      hop_bytes += entry[i].bytes * topology_hops(t, host[i], host[entry[i].dst]);
    assert_int_equal(got.hop_bytes, hop_bytes);
    assert_true(got.mean_link_load_bytes * topology_links(t) - (double)hop_bytes < 1e-6);
    assert_true(got.max_link_load_bytes >= got.mean_link_load_bytes);
    assert_true(got.dilation_max <= topology_diameter(t));
    platform_free(p);
  }
}

static void impossible_inputs_are_refused(void **state)
{
  (void)state;
  struct platform *p = build("torus:8");
  uint32_t host[2] = {0, 4};
  const struct mapping m = {.ranks = 2, .host = host};
  struct matrix_entry huge[] = {{0, 1, 1, INT64_MAX / 4 + 1}}, other[] = {{0, 2, 1, 1}};
  struct metrics got = {.pairs = 99};
  struct err e;
  assert_int_equal(
      metrics_compute(&got, p, &m, &(struct matrix){.ranks = 2, .count = 1, .entry = huge}, &e),
      FAIL);
  assert_string_equal(e.text, "the hop-bytes reach 2^63");
  assert_int_equal(
      metrics_compute(&got, p, &m, &(struct matrix){.ranks = 3, .count = 1, .entry = other}, &e),
      FAIL);
  assert_string_equal(e.text, "traffic between ranks 0 and 2, but the mapping has 2 ranks");
  assert_int_equal(got.pairs, 99);
  platform_free(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_cases_by_hand),
      cmocka_unit_test(random_cases_are_consistent),
      cmocka_unit_test(impossible_inputs_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Even boundaries, against all mappings of small programs. */
#include "mappers/refine/boundary.h"

#include <math.h>
#include <string.h>

#include "tests/unit/mappers/mapped.h"
#include "tests/unit/mappers/merge.h"

enum { HOSTS = 3, EACH = 3, RANKS = 8 };

/* The sum over hosts and directions of bytes^8. */
static double cost(const struct matrix *m, const uint32_t *host)
{
  double out[HOSTS] = {0}, in[HOSTS] = {0}, sum = 0;
  for (size_t i = 0; i < m->count; i++) {
    const struct matrix_entry x = m->entry[i];
    if (host[x.src] == host[x.dst])
      continue;
    out[host[x.src]] += (double)x.bytes;
    in[host[x.dst]] += (double)x.bytes;
  }
  for (int h = 0; h < HOSTS; h++)
    sum += pow(out[h], 8) + pow(in[h], 8);
  return sum;
}

/* Lowers *least to the least cost of all mappings with ranks @p r to RANKS - 1 on any host with a
 * free slot. */
static void find_least(const struct matrix *m, uint32_t *host, uint32_t *used, uint32_t r,
                       double *least)
{
  if (r == RANKS) {
    *least = fmin(*least, cost(m, host));
    return;
  }
  for (uint32_t h = 0; h < HOSTS; h++) {
    if (used[h] == EACH)
      continue;
    used[h]++;
    host[r] = h;
    find_least(m, host, used, r + 1, least);
    used[h]--;
  }
}

static void small_mappings_are_optimal(void **state)
{
  (void)state;
  struct platform *p = opened_platform("star:3");
  for (uint64_t seed = 1; seed <= 30; seed++) {
    struct rng r = rng_new(seed, 1);
    struct matrix m = merge_random_traffic(&r, RANKS, 250);
    for (size_t i = 0; i < m.count; i++)
      m.entry[i].bytes = rng_below(&r, 100);
    const struct mapper_input in = {
        .platform = p, .traffic = &m, .ranks = RANKS, .ranks_per_host = EACH};
    uint32_t host[RANKS], any[RANKS], used[HOSTS] = {0};
    double least = INFINITY;
    struct err e;
    for (uint32_t i = 0; i < RANKS; i++)
      host[i] = i / EACH;
    find_least(&m, any, used, 0, &least);
    assert_int_equal(boundary_even(host, &in, seed, &e), OK);
    for (uint32_t i = 0; i < RANKS; i++)
      assert_true(++used[host[i]] <= EACH);
    if (cost(&m, host) > least * (1 + 1e-9))
      fail_msg("seed %d: cost %g, least %g", (int)seed, cost(&m, host), least);
    matrix_clear(&m);
  }
  platform_free(p);
}

/* Ranks keep the hosts of the mapping, and the slots of each host. */
static void hosts_and_capacities_are_kept(void **state)
{
  (void)state;
  static const uint32_t CAPACITY[] = {4, 9, 1, 2, 3};
  struct matrix_entry entry[] = {
      {0, 1, 1, 9}, {2, 3, 1, 7}, {4, 0, 1, 5}, {3, 5, 1, 0}, {5, 5, 1, 3}};
  const struct matrix m = {.ranks = 6, .count = 5, .entry = entry};
  struct platform *p = opened_platform("star:5");
  const struct mapper_input in = {
      .platform = p, .traffic = &m, .ranks = 6, .ranks_per_host = 4, .capacity = CAPACITY};
  uint32_t host[] = {1, 2, 1, 4, 1, 4}, load[5] = {0};
  struct err e;
  assert_int_equal(boundary_even(host, &in, 1, &e), OK);
  for (uint32_t r = 0; r < 6; r++)
    load[host[r]]++;
  assert_int_equal(load[0] + load[3], 0);
  assert_true(load[1] <= 4 && load[2] <= 1 && load[4] <= 3);
  assert_true(host[0] == host[1] && host[0] == host[4] && host[2] == host[3]);
  platform_free(p);
}

static void a_program_without_messages_is_unchanged(void **state)
{
  (void)state;
  const struct matrix m = {.ranks = 4};
  struct platform *p = opened_platform("star:2");
  const struct mapper_input in = {.platform = p, .traffic = &m, .ranks = 4, .ranks_per_host = 2};
  static const uint32_t BEFORE[] = {1, 0, 0, 1};
  uint32_t host[4];
  struct err e;
  memcpy(host, BEFORE, sizeof host);
  assert_int_equal(boundary_even(host, &in, 1, &e), OK);
  assert_memory_equal(host, BEFORE, sizeof host);
  platform_free(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_mappings_are_optimal),
      cmocka_unit_test(hosts_and_capacities_are_kept),
      cmocka_unit_test(a_program_without_messages_is_unchanged),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

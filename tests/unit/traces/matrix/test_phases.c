/* Merged phases have all traffic of the original ones, few messages, and similar phases together.
 */
#include "traces/matrix/phases.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "common/numeric/rng.h"

enum { RANKS = 12 };

static void add(struct phase_list *l, uint32_t src, uint32_t dst, uint64_t bytes, uint64_t depth)
{
  const struct phase_message x = {src, dst, bytes, 1};
  struct err e;
  assert_int_equal(phase_list_add(l, &x, depth, 1 + depth % 3, PHASE_NONE, &e), OK);
}

static struct phases make(struct phase_list *l)
{
  struct phases p;
  struct err e;
  assert_int_equal(phases_new(&p, l, RANKS, NULL, &e), OK);
  phase_list_clear(l);
  return p;
}

/* Phases in which each rank sends to the rank 1 higher or, in every second phase, 5 higher.  Each
 * phase omits one rank. */
static struct phases draw_shifts(struct rng *r, uint64_t phases)
{
  struct phase_list l = {0};
  for (uint64_t depth = 0; depth < phases; depth++) {
    const uint32_t left_out = (uint32_t)rng_below(r, RANKS);
    for (uint32_t i = 0; i < RANKS; i++)
      if (i != left_out)
        add(&l, i, (i + (depth % 2 == 0 ? 1 : 5)) % RANKS, 1000, depth);
  }
  return make(&l);
}

/* Bytes of all steps, by pair. */
static void sum_bytes(const struct phases *p, double *bytes)
{
  for (size_t i = 0; i < p->steps; i++)
    for (size_t k = p->first[p->step[i].phase]; k < p->first[p->step[i].phase + 1]; k++) {
      const struct phase_message *x = &p->message[k];
      bytes[x->src * RANKS + x->dst] += (double)x->bytes * x->messages * (double)p->step[i].times;
    }
}

static void check_sums(const struct phases *p, const struct phases *merged)
{
  double want[RANKS * RANKS] = {0}, got[RANKS * RANKS] = {0};
  sum_bytes(p, want);
  sum_bytes(merged, got);
  for (size_t i = 0; i < RANKS * RANKS; i++)
    assert_true(fabs(want[i] - got[i]) <= 1e-9 * want[i]);
}

static void merging_keeps_the_traffic(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < 20; seed++) {
    struct rng r = rng_new(seed, 1);
    struct phase_list l = {0};
    struct phases merged;
    struct err e;
    for (uint64_t i = 0; i < 400; i++)
      add(&l, (uint32_t)rng_below(&r, RANKS - 1), RANKS - 1, rng_below(&r, 4) * 100,
          rng_below(&r, 60));
    struct phases p = make(&l);
    p.flops[3] = 5;
    for (size_t most = p.first[p.count]; most > 10; most /= 2) {
      assert_int_equal(phases_merge(&merged, &p, most, &e), OK);
      assert_true(merged.first[merged.count] <= most || merged.count == 1);
      assert_true(merged.flops[3] == 5);
      check_sums(&p, &merged);
      phases_clear(&merged);
    }
    phases_clear(&p);
  }
}

/* Merging to two phases puts each kind of shift into one phase. */
static void similar_phases_are_merged(void **state)
{
  (void)state;
  struct rng r = rng_new(1, 2);
  struct phases p = draw_shifts(&r, 40), merged;
  struct err e;
  assert_int_equal(phases_merge(&merged, &p, (size_t)2 * RANKS, &e), OK);
  assert_int_equal(merged.count, 2);
  check_sums(&p, &merged);
  const struct phase_message *x = merged.message;
  for (uint32_t k = 0; k < 2; k++)
    for (size_t i = merged.first[k]; i < merged.first[k + 1]; i++)
      assert_int_equal((x[i].dst + RANKS - x[i].src) % RANKS, k == 0 ? 1 : 5);
  phases_clear(&merged);
  assert_int_equal(phases_merge(&merged, &p, 1, &e), OK);
  assert_int_equal(merged.count, 1);
  phases_clear(&merged);
  phases_clear(&p);
}

/* Groups have the traffic between their ranks, in at most the same number of phases, and their
 * computations. */
static void groups_have_the_traffic_between_them(void **state)
{
  (void)state;
  enum { GROUPS = 4 };
  struct rng r = rng_new(5, 1);
  struct phases p = draw_shifts(&r, 9), between;
  uint32_t group[RANKS];
  double all[RANKS * RANKS] = {0}, want[RANKS * RANKS] = {0}, got[RANKS * RANKS] = {0};
  double flops[GROUPS] = {0};
  struct err e;
  for (uint32_t i = 0; i < RANKS; i++) {
    group[i] = (uint32_t)rng_below(&r, GROUPS);
    p.flops[i] = 1 + i;
    flops[group[i]] += 1 + i;
  }
  assert_int_equal(phases_contract(&between, &p, group, GROUPS, &e), OK);
  sum_bytes(&p, all);
  sum_bytes(&between, got);
  for (uint32_t i = 0; i < RANKS; i++)
    for (uint32_t k = 0; k < RANKS; k++)
      if (group[i] != group[k])
        want[group[i] * RANKS + group[k]] += all[i * RANKS + k];
  for (uint32_t i = 0; i < RANKS * RANKS; i++)
    assert_true(got[i] == want[i]);
  for (uint32_t g = 0; g < GROUPS; g++)
    assert_true(between.flops[g] == flops[g]);
  assert_true(between.count <= p.count && between.ranks == GROUPS);
  phases_clear(&p);
  phases_clear(&between);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(merging_keeps_the_traffic),
      cmocka_unit_test(similar_phases_are_merged),
      cmocka_unit_test(groups_have_the_traffic_between_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

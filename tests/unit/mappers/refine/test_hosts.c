/* Exchanges of whole hosts, against all permutations of the hosts. */
#include "mappers/refine/hosts.h"

#include <math.h>

#include "tests/unit/mappers/mapped.h"
#include "tests/unit/mappers/merge.h"
#include "tests/unit/opened.h"

enum { HOSTS = 6, EACH = 3, RANKS = HOSTS * EACH };

static enum status get(void *data, const struct phases **out, struct err *e)
{
  (void)e;
  *out = data;
  return OK;
}

/* Equal except for rounding. */
static bool is_equal(swaps_value a, swaps_value b)
{
  return fabsl((long double)a - (long double)b) <= 1e-9L * (long double)b;
}

static struct search_plan plan_of(enum objective objective)
{
  return (struct search_plan){.objective = objective, .work = 20000, .start = 1, .seed = 1};
}

/* The value of groups on hosts.  @p in: the groups as ranks. */
static swaps_value value_of(const struct mapper_input *in, const uint32_t *of_group,
                            enum objective objective)
{
  swaps_value value;
  struct err e;
  assert_int_equal(search_value(of_group, in, objective, &value, &e), OK);
  return value;
}

/* The least value of the permutations of of_group[n..]. */
static swaps_value least_value(const struct mapper_input *in, uint32_t *of_group, uint32_t n,
                               enum objective objective)
{
  swaps_value least = value_of(in, of_group, objective);
  for (uint32_t i = n; i < HOSTS; i++) {
    const uint32_t first = of_group[n], other = of_group[i];
    of_group[n] = other;
    of_group[i] = first;
    const swaps_value found = n + 1 < HOSTS ? least_value(in, of_group, n + 1, objective) : least;
    least = found < least ? found : least;
    of_group[n] = first;
    of_group[i] = other;
  }
  return least;
}

static void check(const struct mapper_input *in, const struct mapper_input *groups,
                  enum objective objective)
{
  const struct search_plan plan = plan_of(objective);
  uint32_t host[RANKS], of_group[HOSTS];
  swaps_value value;
  struct err e;
  for (uint32_t r = 0; r < RANKS; r++)
    host[r] = r / EACH;
  assert_int_equal(search_hosts(host, in, &plan, &value, &e), OK);
  for (uint32_t r = 0; r < RANKS; r++)
    assert_int_equal(host[r], host[r / EACH * EACH]);
  for (uint32_t g = 0; g < HOSTS; g++)
    of_group[g] = host[g * EACH];
  assert_true(is_equal(value, value_of(groups, of_group, objective)));
  assert_true(is_equal(value, least_value(groups, of_group, 0, objective)));
}

static void the_optimum_of_all_permutations_is_found(void **state)
{
  (void)state;
  static const char *const PLATFORM[] = {"fattree:down=3x2,up=1x2,cables=1x1", "mesh:3x2"};
  uint32_t group[RANKS];
  struct err e;
  for (uint32_t r = 0; r < RANKS; r++)
    group[r] = r / EACH;
  for (uint64_t seed = 1; seed <= 6; seed++) {
    struct rng r = rng_new(seed, 1);
    struct matrix m = merge_random_traffic(&r, RANKS, 60), between;
    struct platform *p = opened_platform(PLATFORM[seed % 2]);
    struct phases all, few;
    assert_int_equal(phases_of_matrix(&all, &m, RANKS, &e), OK);
    assert_int_equal(phases_contract(&few, &all, group, HOSTS, &e), OK);
    const struct mapper_phases of_ranks = {&all, get}, of_groups = {&few, get};
    const struct mapper_input in = {
        .platform = p, .traffic = &m, .ranks = RANKS, .ranks_per_host = EACH, .phases = &of_ranks};
    struct mapper_input groups = in;
    assert_int_equal(matrix_contract(&between, &m, group, HOSTS, &e), OK);
    groups.traffic = &between;
    groups.ranks = HOSTS;
    groups.ranks_per_host = 1;
    groups.phases = &of_groups;
    check(&in, &groups, OBJECTIVE_LINKLOAD);
    check(&in, &groups, OBJECTIVE_HOPBYTES);
    check(&in, &groups, OBJECTIVE_BLEND);
    check(&in, &groups, OBJECTIVE_TIME);
    phases_clear(&all);
    phases_clear(&few);
    matrix_clear(&m);
    matrix_clear(&between);
    platform_free(p);
  }
}

/* Hosts that no rank uses are places too, and hosts may have different numbers of ranks. */
static void free_hosts_are_places(void **state)
{
  (void)state;
  struct matrix_entry entry[] = {{0, 1, 1, 500}, {0, 2, 1, 100}, {1, 2, 1, 50}};
  const struct matrix m = {.ranks = 3, .count = 3, .entry = entry};
  struct platform *p = opened_platform("mesh:8");
  const struct mapper_input in = {.platform = p, .traffic = &m, .ranks = 3, .ranks_per_host = 2};
  const struct search_plan plan = plan_of(OBJECTIVE_HOPBYTES);
  uint32_t host[] = {1, 1, 7};
  swaps_value value;
  struct err e;
  assert_int_equal(search_hosts(host, &in, &plan, &value, &e), OK);
  assert_true(value == 150 && host[0] == host[1] &&
              (host[0] == host[2] + 1 || host[0] + 1 == host[2]));
  platform_free(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_optimum_of_all_permutations_is_found),
      cmocka_unit_test(free_hosts_are_places),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

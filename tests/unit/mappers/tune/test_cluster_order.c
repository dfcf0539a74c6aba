/* hostname-best and hostname-worst with a simulator that can be calculated by hand. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/mappers/merge.h"

#include "platforms/clusters/clusters.h"
#include "tests/unit/mappers/fake_simulator.h"

/* Rank 0 sends to all others, so the position of its cluster decides. */
static struct matrix fan(uint32_t ranks)
{
  struct matrix m = {.ranks = ranks};
  m.entry = calloc(ranks, sizeof *m.entry);
  assert_non_null(m.entry);
  for (uint32_t r = 1; r < ranks; r++)
    m.entry[m.count++] = (struct matrix_entry){0, r, 1, 1000 * r};
  return m;
}

/* Lists the clusters by the names of their first hosts. */
static void list_clusters(const struct platform_clusters *c, const uint32_t *by_name, uint32_t *out)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < platform_hosts(c->p); i++) {
    uint32_t k = 0;
    while (k < n && out[k] != c->of_host[by_name[i]])
      k++;
    if (k == n)
      out[n++] = c->of_host[by_name[i]];
  }
  assert_int_equal(n, c->count);
}

struct sweep {
  const struct platform_clusters *clusters;
  const struct mapping *by_name;
  const struct fake_simulator *fake;
  uint32_t order[8], host[64];
  double least_s, most_s;
};

/* Tries all orders that keep the first @p n clusters. */
static void sweep_orders(struct sweep *s, uint32_t n)
{
  const uint32_t all = s->clusters->count;
  for (uint32_t i = n; i < all; i++) {
    const uint32_t a = s->order[n], b = s->order[i];
    s->order[n] = b;
    s->order[i] = a;
    sweep_orders(s, n + 1);
    s->order[n] = a;
    s->order[i] = b;
  }
  if (n < all)
    return;
  uint32_t r = 0;
  for (uint32_t k = 0; k < all; k++)
    for (uint32_t i = 0; i < s->by_name->ranks; i++)
      if (s->clusters->of_host[s->by_name->host[i]] == s->order[k] && r < s->fake->ranks)
        s->host[r++] = s->by_name->host[i];
  const double time_s = fake_time(s->fake, s->host);
  s->least_s = fmin(s->least_s, time_s);
  s->most_s = fmax(s->most_s, time_s);
}

static double time_of(const char *spec, const struct mapper_input *in,
                      const struct fake_simulator *f)
{
  struct mapping m = mapped(spec, in);
  const double time_s = fake_time(f, m.host);
  mapping_clear(&m);
  return time_s;
}

static void check_orders(const char *spec, uint32_t ranks)
{
  struct platform *p = opened_platform(spec);
  struct matrix traffic = fan(ranks);
  struct mapper_input in = {
      .platform = p, .traffic = &traffic, .ranks = ranks, .ranks_per_host = 1, .threads = 1};
  struct fake_simulator f = fake_of(&in);
  const struct mapper_simulator simulator = fake_simulator(&f);
  struct platform_clusters clusters;
  struct mapping by_name;
  struct err e;
  assert_int_equal(platform_clusters_find(&clusters, p, &e), OK);
  in.ranks = platform_hosts(p);
  assert_int_equal(mapper_run("hostname", &in, &by_name, &e), OK);
  in.ranks = ranks;
  struct sweep s = {.clusters = &clusters, .by_name = &by_name, .fake = &f, .least_s = INFINITY};
  list_clusters(&clusters, by_name.host, s.order);
  sweep_orders(&s, 0);
  assert_true(s.least_s < s.most_s);
  in.simulator = &simulator;
  const double best_s = time_of("hostname-best", &in, &f);
  const double worst_s = time_of("hostname-worst", &in, &f);
  if (best_s != s.least_s || worst_s != s.most_s)
    fail_msg("%s: %g and %g s instead of %g and %g s", spec, best_s, worst_s, s.least_s, s.most_s);
  mapping_clear(&by_name);
  platform_clusters_clear(&clusters);
  matrix_clear(&traffic);
  platform_free(p);
}

static void the_best_and_the_worst_of_all_orders_are_found(void **state)
{
  (void)state;
  check_orders("random-clusters:hosts=12,sizes=4,seed=1", 12);
  check_orders("random-clusters:hosts=20,sizes=2+4+8,seed=3", 20);
  check_orders("random-clusters:hosts=20,sizes=4,seed=3", 7);
}

static void one_cluster_is_filled_by_name(void **state)
{
  (void)state;
  struct platform *p = opened_platform("torus:12");
  struct matrix traffic = fan(9);
  struct mapper_input in = {
      .platform = p, .traffic = &traffic, .ranks = 9, .ranks_per_host = 2, .threads = 1};
  struct fake_simulator f = fake_of(&in);
  const struct mapper_simulator simulator = fake_simulator(&f);
  struct mapping by_name, best;
  struct err e;
  in.simulator = &simulator;
  assert_int_equal(mapper_run("hostname", &in, &by_name, &e), OK);
  assert_int_equal(mapper_run("hostname-best", &in, &best, &e), OK);
  assert_memory_equal(best.host, by_name.host, 9 * sizeof *best.host);
  mapping_clear(&best);
  mapping_clear(&by_name);
  matrix_clear(&traffic);
  platform_free(p);
}

static void refusals(void **state)
{
  (void)state;
  struct platform *p = opened_platform("random-clusters:hosts=16,sizes=2,seed=1");
  struct matrix traffic = fan(16);
  struct mapper_input in = {
      .platform = p, .traffic = &traffic, .ranks = 16, .ranks_per_host = 1, .threads = 1};
  struct fake_simulator f = fake_of(&in);
  const struct mapper_simulator simulator = fake_simulator(&f);
  struct mapping m;
  struct err e;
  assert_int_equal(mapper_run("hostname-best", &in, &m, &e), FAIL);
  assert_string_equal(e.text, "mapper 'hostname-best' simulates mappings: it needs a trace");
  in.simulator = &simulator;
  assert_int_equal(mapper_run("hostname-worst", &in, &m, &e), FAIL);
  assert_non_null(strstr(e.text, "tries all orders of at most 7 clusters; "));
  assert_non_null(strstr(e.text, " has 8"));
  assert_int_equal(mapper_run("hostname-best:seed=1", &in, &m, &e), FAIL);
  assert_string_equal(
      e.text, "mapper 'hostname-best': no option 'seed'; options: refine, refine-objective, cores");
  matrix_clear(&traffic);
  platform_free(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_best_and_the_worst_of_all_orders_are_found),
      cmocka_unit_test(one_cluster_is_filled_by_name),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

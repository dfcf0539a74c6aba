#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "common/numeric/rng.h"
#include "mappers/mapper.h"
#include "mappers/metrics.h"
#include "platforms/part.h"
#include "tests/unit/opened.h"

enum { MOST_RANKS = 10, MOST_HOSTS = 14, CASES = 50 };

/* A case: traffic in both directions between ranks, and hops in both directions between hosts. */
struct problem {
  uint32_t ranks, hosts;
  uint64_t bytes[MOST_RANKS][MOST_RANKS];
  uint64_t hops[MOST_HOSTS][MOST_HOSTS];
  uint32_t at[MOST_RANKS];
  bool taken[MOST_HOSTS];
  uint64_t best;
};

/* Places ranks from @p r on in all ways and keeps the least hop-bytes. */
static void try_all(struct problem *p, uint32_t r, uint64_t sum)
{
  if (sum >= p->best)
    return;
  if (r == p->ranks || r == MOST_RANKS) {
    p->best = sum;
    return;
  }
  for (uint32_t h = 0; h < p->hosts; h++) {
    if (p->taken[h])
      continue;
    uint64_t more = 0;
    for (uint32_t k = 0; k < r; k++)
      more += p->bytes[k][r] * p->hops[p->at[k]][h];
    p->taken[h] = true;
    p->at[r] = h;
    try_all(p, r + 1, sum + more);
    p->taken[h] = false;
  }
}

static struct platform *draw_part(const struct platform *whole, uint32_t n, struct rng *r)
{
  struct platform *part;
  struct err e;
  uint32_t host[MOST_HOSTS], taken = 0;
  for (uint32_t h = 0; h < platform_hosts(whole); h++)
    if (rng_below(r, platform_hosts(whole) - h) < n - taken)
      host[taken++] = h;
  assert_int_equal(platform_part_new(&part, whole, host, n, &e), OK);
  return part;
}

/* A sparse random graph of a path and chords. */
static void draw_traffic(struct matrix *m, uint32_t ranks, struct rng *r)
{
  *m = (struct matrix){.ranks = ranks, .entry = calloc((size_t)ranks * ranks, sizeof *m->entry)};
  assert_non_null(m->entry);
  for (uint32_t a = 0; a < ranks; a++)
    for (uint32_t b = 0; b < ranks; b++)
      if (a + 1 == b || b + 1 == a || (a != b && rng_below(r, 4) == 0))
        m->entry[m->count++] = (struct matrix_entry){a, b, 1, 1 + rng_below(r, 1000)};
}

/* Hop-bytes of mapper auto over the least possible. */
static double excess(const struct platform *part, const struct matrix *m)
{
  struct problem p = {.ranks = m->ranks, .hosts = platform_hosts(part), .best = UINT64_MAX};
  const struct mapper_input in = {
      .platform = part, .traffic = m, .ranks = m->ranks, .ranks_per_host = 1, .threads = 1};
  struct platform_finder *f;
  struct platform_route route;
  struct mapping mapping;
  struct metrics found;
  struct err e;
  assert_int_equal(platform_finder_new(&f, part, &e), OK);
  for (uint32_t a = 0; a < p.hosts; a++)
    for (uint32_t b = 0; b < p.hosts; b++) {
      assert_int_equal(platform_route(f, a, b, &route, &e), OK);
      p.hops[a][b] = a == b ? 0 : route.links;
    }
  platform_finder_free(f);
  for (size_t i = 0; i < m->count; i++) {
    const struct matrix_entry x = matrix_at(m, i);
    p.bytes[x.src < x.dst ? x.src : x.dst][x.src < x.dst ? x.dst : x.src] += x.bytes;
  }
  try_all(&p, 0, 0);
  assert_int_equal(mapper_run("auto:choose=hopbytes", &in, &mapping, &e), OK);
  assert_int_equal(metrics_compute(&found, part, &mapping, m, &e), OK);
  mapping_clear(&mapping);
  assert_true(found.hop_bytes >= p.best);
  return (double)found.hop_bytes / (double)p.best;
}

static void auto_is_near_the_optimum_on_allocations_with_holes(void **state)
{
  static const char *const SPECS[] = {"torus:4x4x4", "fattree:down=4x4x4,up=1x2x2,cables=1x1x1",
                                      "torus:6x6", "fattree:k=6", "mesh:5x5"};
  (void)state;
  struct rng r = rng_new(7, 0);
  double sum = 0;
  for (uint32_t i = 0; i < CASES; i++) {
    struct matrix m;
    struct platform *whole = opened_platform(SPECS[i % 5]);
    const uint32_t ranks = 8 + (uint32_t)rng_below(&r, 3);
    struct platform *part = draw_part(whole, ranks + (uint32_t)rng_below(&r, 2), &r);
    draw_traffic(&m, ranks, &r);
    sum += excess(part, &m);
    matrix_clear(&m);
    platform_free(part);
    platform_free(whole);
  }
  assert_true(sum / CASES <= 1.02);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(auto_is_near_the_optimum_on_allocations_with_holes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

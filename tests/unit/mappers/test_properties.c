/* Properties of all mappers in the registry, on small random inputs. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/mappers/fake_simulator.h"
#include "tests/unit/mappers/merge.h"
#include "traces/matrix/spec.h"

static const char *const PLATFORMS[] = {
    "torus:4x4x2", "torus:5x3",   "mesh:4x3x2", "mesh:9",
    "hypercube:4", "fattree:k=4", "star:12",    "dragonfly:groups=3,chassis=2,routers=2,nodes=2",
    "torus:1",     "torus:3x3x3", "torus:2x2",  "torus:2x2x2x2x3",
};

/* Mappers that need other input or run another program. */
static bool is_special(const struct mapper *m)
{
  static const char *const NAMES[] = {"file", "command"};
  for (size_t i = 0; i < COUNT(NAMES); i++)
    if (strcmp(m->name, NAMES[i]) == 0)
      return true;
  return false;
}

/* Writes a spec with options that shorten long searches and, if @p refine, with an exchange of
 * ranks. */
static void spec_of(const struct mapper *m, bool refine, char *spec, size_t size)
{
  static const struct {
    const char *name, *options;
  } SHORT[] = {{"qap", "work=1"}, {"anneal", "work=300"}, {"tune", "runs=1,start=xyz"}};
  const char *options = "", *exchanges = refine ? "refine=work:300" : "";
  for (size_t i = 0; i < sizeof SHORT / sizeof *SHORT; i++)
    options = strcmp(m->name, SHORT[i].name) == 0 ? SHORT[i].options : options;
  snprintf(spec, size, "%s%s%s%s%s", m->name, *options == '\0' && !refine ? "" : ":", exchanges,
           *options != '\0' && refine ? "," : "", options);
}

/* Each rank has an existing host, and no host has more than its share of ranks. */
static void check_valid(const struct mapping *m, const struct mapper_input *in, const char *what)
{
  const uint32_t hosts = platform_hosts(in->platform);
  uint32_t *count = calloc(hosts, sizeof *count);
  assert_non_null(count);
  if (m->ranks != in->ranks)
    fail_msg("%s: %u ranks instead of %u", what, m->ranks, in->ranks);
  for (uint32_t r = 0; r < m->ranks; r++) {
    if (m->host[r] >= hosts)
      fail_msg("%s: rank %u is on host %u of %u", what, r, m->host[r], hosts);
    if (++count[m->host[r]] > in->ranks_per_host)
      fail_msg("%s: more than %u ranks on host %u", what, in->ranks_per_host, m->host[r]);
  }
  free(count);
}

/* Runs a mapper with one and with two threads.  Results and errors must be equal, and errors one
 * line. */
static void check_mapper(const char *spec, struct mapper_input in, const char *platform)
{
  struct mapping a, b;
  struct err e, again;
  char what[256];
  snprintf(what, sizeof what, "%s of %u ranks, %u a host, on %s", spec, in.ranks, in.ranks_per_host,
           platform);
  in.threads = 1;
  const enum status first = mapper_run(spec, &in, &a, &e);
  in.threads = 2;
  const enum status second = mapper_run(spec, &in, &b, &again);
  if (first != second)
    fail_msg("%s: works with one number of threads only", what);
  if (first != OK) {
    if (e.text[0] == '\0' || strchr(e.text, '\n') != NULL || strcmp(e.text, again.text) != 0)
      fail_msg("%s: '%s', '%s'", what, e.text, again.text);
    return;
  }
  check_valid(&a, &in, what);
  if (memcmp(a.host, b.host, a.ranks * sizeof *a.host) != 0)
    fail_msg("%s: depends on the number of threads", what);
  mapping_clear(&a);
  mapping_clear(&b);
}

/* Dense traffic for every fifth seed, sparse for the others. */
static struct matrix traffic_of(uint64_t seed, struct rng *r, uint32_t ranks)
{
  char spec[32];
  struct matrix m;
  struct err e;
  if (seed % 5 != 0 || ranks < 2)
    return merge_random_traffic(r, ranks, seed % 4 == 0 ? 900 : 150);
  snprintf(spec, sizeof spec, "dense:%u", ranks);
  assert_int_equal(matrix_spec_make(&m, spec, &e), OK);
  assert_non_null(m.dense);
  return m;
}

static void mappings_are_valid_and_repeat(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 3 * COUNT(PLATFORMS); seed++) {
    struct rng r = rng_new(seed, 7);
    const char *spec = PLATFORMS[seed % COUNT(PLATFORMS)];
    struct platform *p = opened_platform(spec);
    struct mapper_input in = {.platform = p, .ranks_per_host = 1 + (uint32_t)rng_below(&r, 3) / 2};
    const uint32_t slots = platform_hosts(p) * in.ranks_per_host;
    in.ranks = seed % 2 == 0 ? slots : 1 + (uint32_t)rng_below(&r, slots);
    struct matrix m = traffic_of(seed, &r, in.ranks);
    in.traffic = &m;
    struct fake_simulator fake = fake_of(&in);
    const struct mapper_simulator simulator = fake_simulator(&fake);
    in.simulator = &simulator;
    for (size_t i = 0; registry_at(&mappers, i) != NULL; i++) {
      char mapper[64];
      spec_of(registry_at(&mappers, i), seed % 3 == 0, mapper, sizeof mapper);
      if (!is_special(registry_at(&mappers, i)))
        check_mapper(mapper, in, spec);
    }
    matrix_clear(&m);
    platform_free(p);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(mappings_are_valid_and_repeat)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

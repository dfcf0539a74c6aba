#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mappers/mapper.h"
#include "tests/unit/opened.h"

struct example {
  const char *platform;
  uint32_t ranks, per_host;
  uint32_t host[12];
};

static const struct example EXAMPLES[] = {
    {"torus:12", 12, 1, {0, 1, 10, 11, 2, 3, 4, 5, 6, 7, 8, 9}},
    {"torus:12", 3, 1, {0, 1, 10}},
    {"torus:12", 5, 2, {0, 0, 1, 1, 10}},
    /* hosts of a mesh are numbered as in the larger torus that contains it: 0 to 3, 7 to 10 */
    {"mesh:4x2", 8, 1, {0, 1, 7, 2, 3, 4, 5, 6}},
    {"torus:1", 2, 2, {0, 0}},
};

static void ranks_fill_hosts_in_the_order_of_names(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(EXAMPLES); i++) {
    const struct example *x = &EXAMPLES[i];
    struct mapping m;
    struct err e;
    struct platform *p = opened_platform(x->platform);
    const struct mapper_input in = {
        .platform = p, .ranks = x->ranks, .ranks_per_host = x->per_host};
    assert_int_equal(mapper_run("hostname", &in, &m, &e), OK);
    for (uint32_t r = 0; r < x->ranks; r++)
      if (m.host[r] != x->host[r])
        fail_msg("%s: rank %u is on host %u, not %u", x->platform, r, m.host[r], x->host[r]);
    mapping_clear(&m);
    platform_free(p);
  }
}

/* An opaque platform may list its hosts in any order. */
static void names_of_an_opaque_platform(void **state)
{
  (void)state;
  static const struct platform_host HOSTS[] = {
      {"b", 1e9, 1}, {"a10", 1e9, 1}, {"a2", 1e9, 1}, {"", 1e9, 1}};
  static const uint32_t ORDER[] = {3, 1, 2, 0};
  struct mapping m;
  struct err e;
  struct platform *p = opened_platform("tests/data/opaque.xml");
  assert_true(platform_is_opaque(p));
  assert_int_equal(platform_set_hosts(p, HOSTS, COUNT(HOSTS), &e), OK);
  const struct mapper_input in = {.platform = p, .ranks = 4, .ranks_per_host = 1};
  assert_int_equal(mapper_run("hostname", &in, &m, &e), OK);
  assert_memory_equal(m.host, ORDER, sizeof ORDER);
  mapping_clear(&m);
  platform_free(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ranks_fill_hosts_in_the_order_of_names),
      cmocka_unit_test(names_of_an_opaque_platform),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

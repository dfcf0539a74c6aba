#include "platforms/inside/inside.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "platforms/distances.h"
#include "platforms/platform.h"
#include "tests/unit/opened.h"

static struct inside *inside_of(const char *text)
{
  struct inside *in;
  struct err e;
  if (inside_new(&in, text, &e) != OK)
    fail_msg("%s: %s", text, e.text);
  return in;
}

static void descriptions_give_levels(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    uint32_t cores;
    const char *levels; /* name=objects */
  } rows[] = {
      {"pack:2 numa:2 core:8 pu:1", 32, "machine=1 package=2 numa=4"},
      {"pack:2 numa:2 core:8", 32, "machine=1 package=2 numa=4"},
      {"pack:2 numa:2 l3:2 core:8 pu:2", 64, "machine=1 package=2 numa=4 l3=8"},
      {"numa:2 pack:2 core:4 pu:1", 16, "machine=1 numa=2 package=4"},
      {"pack:2 core:2", 4, "machine=1 package=2"}, /* libhwloc adds one NUMA node */
      {"core:8 pu:1", 8, "machine=1 numa=1"},
      {"pack:4 l2:1 core:1 pu:1", 4, "machine=1"},
      {"pack:2 core:1", 2, "machine=1"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct inside *in = inside_of(rows[i].text);
    char levels[200] = "";
    assert_int_equal(in->cores, rows[i].cores);
    for (uint32_t l = 0; l < in->levels; l++)
      snprintf(levels + strlen(levels), sizeof levels - strlen(levels), "%s%s=%u",
               l == 0 ? "" : " ", in->level[l].name, in->level[l].objects);
    assert_string_equal(levels, rows[i].levels);
    inside_free(in);
  }
}

static void bad_descriptions_are_refused(void **state)
{
  (void)state;
  static const char *const rows[][2] = {
      {"", "an empty description"},
      {"pack:2 core:x", "libhwloc refuses"},
      {"shelf:2 core:8", "libhwloc refuses"},
      {"core:100000", "more than 65536 processing units"},
      {"pack:1000 core:1000000000000", "more than 65536 processing units"},
      {"core:5000", "5000 cores; a node has 1 to 4096"},
      {"missing.xml", "no such file"},
      {"pack:2 core:8;l3=1us", "no level 'l3'"},
      {"pack:2 core:8;package", "without =LATENCY"},
      {"pack:2 core:8;package=1x", "package"},
      {"pack:2 core:8;package=1us:0Bps", "out of range"},
      {"pack:2 core:8;package=1us:1GBps:1GBps:1", "more than LATENCY"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct inside *in;
    struct err e;
    if (inside_new(&in, rows[i][0], &e) == OK)
      fail_msg("'%s' was accepted", rows[i][0]);
    if (strstr(e.text, rows[i][1]) == NULL)
      fail_msg("'%s': %s", rows[i][0], e.text);
  }
}

/* Each route has the objects between the cores, once each, and the limit of its common level. */
static void routes_follow_the_tree(void **state)
{
  (void)state;
  struct inside *in = inside_of("pack:2 numa:2 l3:2 core:3;numa=7us:3GBps:40GBps");
  for (uint32_t a = 0; a < in->cores; a++)
    for (uint32_t b = 0; b < in->cores; b++) {
      uint32_t link[INSIDE_MOST_LINKS];
      double latency, unused, most = 0;
      bool fat;
      if (a == b)
        continue;
      const uint32_t same_l3 = a / 3 == b / 3, same_numa = a / 6 == b / 6, same = a / 12 == b / 12;
      const uint32_t level = same_l3 ? 3 : same_numa ? 2 : same ? 1 : 0;
      assert_int_equal(inside_common(in, a, b), level);
      assert_int_equal(inside_route(in, a, b, link, &latency), 2 * (3 - level) + 2);
      assert_true(latency == in->level[level].latency_s);
      for (uint32_t i = 0; i < 2 * (3 - level) + 2; i++) {
        assert_true(link[i] < inside_links(in));
        const double bandwidth = inside_link(in, link[i], &unused, &fat);
        most = fat ? bandwidth : most;
        for (uint32_t k = 0; k < i; k++)
          assert_int_not_equal(link[i], link[k]);
      }
      assert_true(most == in->level[level].bandwidth);
    }
  assert_true(in->level[2].latency_s == 7e-6 && in->level[2].bandwidth == 3e9 &&
              in->level[2].memory_bandwidth == 40e9);
  inside_free(in);
}

static void cores_are_hosts_of_a_platform(void **state)
{
  (void)state;
  struct platform_finder *f, *g;
  struct platform_route r, s;
  struct err e;
  char name[PLATFORM_NAME_SIZE];
  uint32_t host;
  struct platform *p = opened_platform("torus:3x2,node=pack:2 core:4,names=n[1-6]");
  assert_int_equal(platform_hosts(p), 48);
  assert_int_equal(platform_hosts(platform_nodes(p)), 6);
  assert_int_equal(platform_host_cores(p, 7), 1);
  assert_int_equal(platform_host_cores(platform_nodes(p), 5), 8);
  assert_string_equal(platform_host_name(p, 13, name, sizeof name), "n2.5");
  assert_true(platform_find_host(p, "n2.5", &host) && host == 13);
  assert_false(platform_find_host(p, "n2", &host));
  assert_false(platform_find_host(p, "n2.8", &host));
  assert_false(platform_find_host(p, "n7.0", &host));
  assert_int_equal(platform_finder_new(&f, p, &e), OK);
  assert_int_equal(platform_finder_new(&g, platform_nodes(p), &e), OK);
  for (uint32_t a = 0; a < 48; a++)
    for (uint32_t b = 0; b < 48; b++) {
      assert_int_equal(platform_route(f, a, b, &r, &e), OK);
      if (a / 8 == b / 8 && a != b) {
        for (uint32_t i = 0; i < r.links; i++)
          assert_true(platform_is_inside(p, r.link[i]) && platform_has_link(p, r.link[i]));
        continue;
      }
      assert_int_equal(platform_route(g, a / 8, b / 8, &s, &e), OK);
      assert_int_equal(r.links, s.links);
      assert_memory_equal(r.link, s.link, r.links * sizeof *r.link);
      assert_true(r.latency_s == s.latency_s);
    }
  platform_finder_free(f);
  platform_finder_free(g);
  platform_free(p);
}

/* Distances between groups of cores equal the distances of the routes. */
static void groups_have_equal_distances(void **state)
{
  (void)state;
  struct distances *d;
  struct err e;
  struct platform *p = opened_platform("star:4,node=pack:2 numa:2 core:2");
  assert_int_equal(distances_new(&d, p, DISTANCE_LATENCY, &e), OK);
  assert_int_equal(distances_fill(d, &e), OK);
  for (uint32_t a = 0; a < platform_hosts(p); a++)
    for (uint32_t b = 0; b < platform_hosts(p); b++) {
      double there;
      if (a == b)
        continue;
      assert_int_equal(distances_one_way(d, a, b, &there, &e), OK);
      assert_true(distances_mean(d, a, b) == there);
    }
  distances_free(d);
  platform_free(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(descriptions_give_levels),
      cmocka_unit_test(bad_descriptions_are_refused),
      cmocka_unit_test(routes_follow_the_tree),
      cmocka_unit_test(cores_are_hosts_of_a_platform),
      cmocka_unit_test(groups_have_equal_distances),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

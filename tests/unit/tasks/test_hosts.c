#include "tasks/hosts.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/mem.h"
#include "platforms/distances.h"
#include "tests/unit/opened.h"
#include "tests/unit/scratch.h"

static struct hosts must_make(const struct platform *p)
{
  struct hosts h;
  struct err e = {""};
  if (hosts_make(&h, p, &e) != OK)
    fail_msg("%s", e.text);
  return h;
}

/* Writes the tree as nested text: "(0 1)@5 (2)" means hosts 0 and 1 with 5 byte/s, next to host
 * 2. */
static size_t print(const struct hosts *h, uint32_t group, char *out, size_t size)
{
  const struct hosts_group *g = &h->group[group];
  size_t n = (size_t)snprintf(out, size, "(");
  for (uint32_t i = 0; i < g->children; i++)
    n += print(h, g->child + i, out + n, size - n);
  for (uint32_t i = 0; g->children == 0 && i < g->hosts; i++)
    n += (size_t)snprintf(out + n, size - n, "%s%u", i == 0 ? "" : " ", h->host[g->first + i]);
  n += (size_t)snprintf(out + n, size - n, ")");
  if (isfinite(g->bandwidth))
    n += (size_t)snprintf(out + n, size - n, "@%g", g->bandwidth);
  return n;
}

static void check_tree(const struct platform *p, const char *wanted)
{
  char text[4096];
  struct hosts h = must_make(p);
  print(&h, 0, text, sizeof text);
  assert_string_equal(text, wanted);
  hosts_clear(&h);
}

/* In the manner of figure 4 and section 4.4: 4 hosts of 1.0 and 2 of 1.2 near each other, 4 of
 * 0.8 far. */
static const char FIGURE4[] =
    "<platform version='4.1'><zone id='top' routing='Full'>"
    "<zone id='near' routing='Full'>"
    "<cluster id='c1' prefix='a' suffix='' radical='0-3' speed='1f' bw='100Bps' lat='1s'/>"
    "<cluster id='c2' prefix='b' suffix='' radical='0-1' speed='1.2f' bw='100Bps' lat='1s'/>"
    "<link id='l12' bandwidth='50Bps' latency='1s'/>"
    "<zoneRoute src='c1' dst='c2' gw_src='ac1_router' gw_dst='bc2_router'><link_ctn id='l12'/>"
    "</zoneRoute></zone>"
    "<cluster id='c3' prefix='d' suffix='' radical='0-3' speed='0.8f' bw='100Bps' lat='1s'/>"
    "<link id='far' bandwidth='10Bps' latency='1s'/>"
    "<zoneRoute src='near' dst='c3' gw_src='ac1_router' gw_dst='dc3_router'><link_ctn id='far'/>"
    "</zoneRoute></zone></platform>";

static void figure_4(void **state)
{
  (void)state;
  struct platform *p = opened_xml(FIGURE4);
  check_tree(p, "(((0 1 2 3)@100(4 5)@100)@50(6 7 8 9)@100)@10");
  struct hosts h = must_make(p);
  assert_int_equal(h.group[0].children, 2);
  const struct hosts_group *hg4 = &h.group[h.group[0].child], *hg3 = hg4 + 1;
  assert_true(fabs(hg3->speed - 3.2) < 1e-12 && fabs(hg4->speed - 6.4) < 1e-12);
  assert_int_equal(hg4->hosts, 6);
  assert_true(hosts_bandwidth(&h, 0, 3) == 100);
  assert_true(hosts_bandwidth(&h, 3, 4) == 50);
  assert_true(hosts_bandwidth(&h, 9, 4) == 10);
  assert_true(isinf(hosts_bandwidth(&h, 9, 9)));
  hosts_clear(&h);
  platform_free(p);
}

/* Hosts of different speed at equal bandwidth form sibling leaves, ordered by host number, not
 * by speed. */
static void specs(void **state)
{
  (void)state;
  static const struct {
    const char *spec, *speeds, *tree;
  } cases[] = {
      {"torus:1", NULL, "(0)"},
      {"torus:4", NULL, "(0 1 2 3)@1.25e+09"},
      {"star:4", "1Gf,2Gf", "((0 2)@1.25e+09(1 3)@1.25e+09)@1.25e+09"},
      {"star:3", "1Gf,2Gf,2Gf", "((0)(1 2)@1.25e+09)@1.25e+09"},
      {"star:3,backbone=5MBps,latency=1us", NULL, "(0 1 2)@5e+06"},
      {"dragonfly:groups=2,chassis=1,routers=2,nodes=1,blue=3", NULL, "(0 1 2 3)@1.25e+09"},
      {"fattree:k=4", NULL, "(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)@1.25e+09"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct platform_params params = {.speeds = cases[i].speeds};
    struct platform *p = opened_platform_with(cases[i].spec, &params);
    check_tree(p, cases[i].tree);
    platform_free(p);
  }
}

#define LINK(NAME, BANDWIDTH)                                                                      \
  "<link id='" NAME "' bandwidth='" BANDWIDTH "Bps' latency='1s' sharing_policy='SHARED'/>"
#define ROUTE(A, B, LINK) "<route src='" A "' dst='" B "'><link_ctn id='" LINK "'/></route>"

static void declared_routes_and_stars(void **state)
{
  (void)state;
  static const struct {
    const char *xml, *tree;
  } cases[] = {
      /* a - b at 9; c has 7 to a and 3 to b: linked at 7 through a */
      {"<zone id='z' routing='Full'><host id='a' speed='1f'/><host id='b' speed='1f'/>"
       "<host id='c' speed='1f'/>" LINK("ab", "9") LINK("ac", "7") LINK("bc", "3")
           ROUTE("a", "b", "ab") ROUTE("a", "c", "ac") ROUTE("b", "c", "bc") "</zone>",
       "((0 1)@9(2))@7"},
      /* a star with two fast links and two slow ones, one of which is slow in one direction only */
      {"<zone id='z' routing='Cluster'><host id='a' speed='1f'/><host id='b' speed='1f'/>"
       "<host id='c' speed='1f'/><host id='d' speed='1f'/>" LINK("la", "9") LINK("lb", "9")
           LINK("lc", "4") LINK("ld", "9") LINK(
               "le",
               "4") "<host_link id='a' up='la' down='la'/><host_link id='b' up='lb' down='lb'/>"
                    "<host_link id='c' up='lc' down='lc'/><host_link id='d' up='ld' "
                    "down='le'/></zone>",
       "((0 1)@9(2 3)@4)@4"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[4096];
    snprintf(text, sizeof text, "<platform version='4.1'>%s</platform>", cases[i].xml);
    struct platform *p = opened_xml(text);
    check_tree(p, cases[i].tree);
    platform_free(p);
  }
}

/* Compares the groups by bandwidth with the bandwidths of all pairs. */
static void check_classes(const struct platform *p)
{
  struct err e = {""};
  struct distances *d;
  struct host_groups g;
  assert_int_equal(host_groups_bandwidth(&g, p, &e), OK);
  assert_int_equal(distances_new(&d, p, DISTANCE_BANDWIDTH, &e), OK);
  double *of = mem_array((size_t)g.count * g.count, sizeof *of, &e);
  assert_non_null(of);
  for (uint32_t a = 0; a < g.hosts; a++)
    for (uint32_t b = 0; b < g.hosts; b++) {
      double bandwidth;
      if (a == b)
        continue;
      assert_int_equal(distances_round_trip(d, a, b, &bandwidth, &e), OK);
      double *first = &of[g.of[a] * g.count + g.of[b]];
      *first = *first == 0 ? bandwidth : *first;
      assert_true(*first == bandwidth);
    }
  distances_free(d);
  host_groups_clear(&g);
  free(of);
}

/* On these platforms, single linkage gives exactly the bandwidths of the routes. */
static void check_bandwidths(const struct platform *p)
{
  struct hosts h = must_make(p);
  struct distances *d;
  struct err e = {""};
  assert_int_equal(distances_new(&d, p, DISTANCE_BANDWIDTH, &e), OK);
  for (uint32_t a = 0; a < h.count; a++)
    for (uint32_t b = 0; b < h.count; b++) {
      double bandwidth = INFINITY;
      if (a != b)
        assert_int_equal(distances_round_trip(d, a, b, &bandwidth, &e), OK);
      assert_true(hosts_bandwidth(&h, a, b) == bandwidth);
    }
  double speed = 0;
  for (uint32_t a = 0; a < h.count; a++)
    speed += platform_host_speed(p, a);
  assert_true(fabs(h.group[0].speed - speed) <= 1e-9 * speed);
  distances_free(d);
  hosts_clear(&h);
}

static void groups_have_the_bandwidths_of_the_routes(void **state)
{
  (void)state;
  static const char *const specs[] = {
      "random-clusters:seed=1",
      "random-clusters:seed=7,hosts=60,sizes=1+4,inside=50MBps+100MBps+1MBps",
      "torus:3x3x2",
      "star:9,backbone=1MBps",
      "fattree:down=4x4,up=1x2,cables=1x2",
      "dragonfly:groups=3,chassis=2,routers=3,nodes=2,blue=2,green=3",
  };
  for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
    struct platform *p = opened_platform(specs[i]);
    check_classes(p);
    check_bandwidths(p);
    platform_free(p);
  }
  struct platform *p = opened_xml(FIGURE4);
  check_classes(p);
  check_bandwidths(p);
  platform_free(p);
}

/* Without a switch, one host is the gateway of its cluster.  It has more bandwidth to the
 * outside. */
static void gateways_are_apart(void **state)
{
  (void)state;
  struct platform *p = opened_xml(
      "<platform version='4.1'><zone id='top' routing='Full'>"
      "<cluster id='t' topology='TORUS' topo_parameters='4' prefix='t' suffix='' radical='0-3' "
      "speed='1f' bw='5Bps' lat='1s' loopback_bw='9Bps' loopback_lat='1s'/>"
      "<cluster id='u' topology='TORUS' topo_parameters='4' prefix='u' suffix='' radical='0-3' "
      "speed='1f' bw='5Bps' lat='1s' loopback_bw='9Bps' loopback_lat='1s'/>"
      "<link id='l' bandwidth='8Bps' latency='1s'/>"
      "<zoneRoute src='t' dst='u' gw_src='t0' gw_dst='u0'><link_ctn id='l'/></zoneRoute>"
      "</zone></platform>");
  check_classes(p);
  check_tree(p, "((0 4)@8(1 2 3 5 6 7)@5)@5");
  platform_free(p);
}

static void refusals(void **state)
{
  (void)state;
  struct hosts h;
  struct err e = {""};
  struct platform *p =
      opened_xml("<platform version='4.1'><zone id='z' routing='Full'>"
                 "<host id='a' speed='1f'/><host id='b' speed='1f'/></zone></platform>");
  assert_int_equal(hosts_make(&h, p, &e), FAIL);
  assert_non_null(strstr(e.text, "'a'"));
  platform_free(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figure_4),
      cmocka_unit_test(specs),
      cmocka_unit_test(declared_routes_and_stars),
      cmocka_unit_test(groups_have_the_bandwidths_of_the_routes),
      cmocka_unit_test(gateways_are_apart),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

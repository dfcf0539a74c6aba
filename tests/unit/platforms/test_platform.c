#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "platforms/platform.h"
#include "tests/unit/opened.h"
#include "tests/unit/scratch.h"

static struct platform *save_and_load(const struct platform *p)
{
  struct platform *read = NULL;
  struct err e;
  if (platform_save(p, "p.xml", &e) != OK || platform_load(&read, "p.xml", &e) != OK)
    fail_msg("%s", e.text);
  return read;
}

/* Writes a platform that haichi does not understand to p.xml and opens it as @p name, which is
 * "p.xml" with or without options. */
static struct platform *opaque(const char *name)
{
  static const char text[] = "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                             "<platform version=\"4.1\"/>";
  struct platform *p = NULL;
  struct err e;
  scratch_write_bytes("p.xml", text, sizeof text - 1);
  assert_int_equal(platform_load(&p, name, &e), OK);
  return p;
}

static void specs_are_distinguished_from_files(void **state)
{
  (void)state;
  assert_true(platform_is_spec("torus:8x8"));
  assert_true(platform_is_spec("mesh:"));
  assert_true(platform_is_spec("hypercube:3"));
  assert_false(platform_is_spec("torus-8x8.xml"));
  assert_false(platform_is_spec("./torus:8x8"));
}

static void defaults_are_as_documented(void **state)
{
  (void)state;
  struct platform *p = opened_platform("torus:4x4");
  assert_true(platform_host_speed(p, 15) == 1e9);
  assert_true(platform_bandwidth(p) == 1.25e9);
  assert_true(platform_latency(p) == 100 * 1e-9);
  assert_true(platform_loopback_bandwidth(p) == 1e10);
  assert_true(platform_loopback_latency(p) == 50 * 1e-9);
  assert_null(platform_path(p));
  assert_int_equal(platform_hosts(p), 16);
  platform_free(p);
  platform_free(NULL);
}

static void bad_parameters_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *spec;
    struct platform_params params;
    const char *cause;
  } rows[] = {
      {"torus:0", {0}, "topology 'torus:0'"},
      {"torus:4", {.speed = "1GB"}, "'1GB' is not a speed"},
      {"torus:4", {.speed = "0"}, "out of range"},
      {"torus:4", {.bandwidth = "0Bps"}, "out of range"},
      {"torus:4", {.latency = "-1s"}, "out of range"},
      {"torus:4", {.loopback_bandwidth = "fast"}, "'fast' is not a bandwidth"},
      {"torus:4", {.loopback_latency = "1ls"}, "'1ls' is not a time"},
      {"torus:4", {.speeds = ""}, "'' is not a speed"},
      {"torus:4", {.speeds = "1Gf,"}, "'' is not a speed"},
      {"torus:4", {.speeds = "1Gf:0"}, "0 hosts of speed '1Gf'"},
      {"torus:4", {.speeds = "1Gf:x"}, "'x' is not a whole number"},
      {"torus:4", {.speeds = "1Gf:9,-2Gf"}, "out of range"},
      {"torus:4", {.speeds = "1e300f,1e-300f"}, "too far apart"},
      {"torus:4", {.speeds = "@no-such-file"}, "no-such-file: cannot read"},
      {"torus:4", {.speeds = "@."}, ".: cannot read: Is a directory"},
      {"torus:4", {.speeds = "@speeds"}, "speeds: 3 speeds, but the platform has 4 hosts"},
      {"torus:2", {.speeds = "@speeds"}, "speeds: 3 speeds, but the platform has 2 hosts"},
  };
  scratch_write_bytes("speeds", "1Gf\n2Gf\n3Gf\n", 12);
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct platform *p = NULL;
    struct err e = {.text = ""};
    assert_int_equal(platform_from_spec(&p, rows[i].spec, &rows[i].params, &e), FAIL);
    assert_null(p);
    if (strstr(e.text, rows[i].cause) == NULL)
      fail_msg("row %zu: '%s' lacks '%s'", i, e.text, rows[i].cause);
  }
}

static void bad_speed_files_are_refused_with_the_line(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    size_t length;
    const char *sentence;
  } rows[] = {
      {"1Gf\n\n", 5, "speeds:2: '' is not a speed (as 1Gf)"},
      {"1Gf\n2G,f\n", 9, "speeds:2: '2G,f' is not a speed (as 1Gf)"},
      {"1Gf\n2G\0f\n", 9, "speeds:2: a NUL character"},
  };
  const struct platform_params params = {.speeds = "@speeds"};
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct platform *p = NULL;
    struct err e;
    scratch_write_bytes("speeds", rows[i].text, rows[i].length);
    assert_int_equal(platform_from_spec(&p, "torus:2", &params, &e), FAIL);
    assert_string_equal(e.text, rows[i].sentence);
  }
}

static void speeds_are_dealt_in_turn(void **state)
{
  (void)state;
  static const struct {
    const char *speeds;
    double want[5];
  } rows[] = {
      {"1Gf:3,2Gf", {1e9, 1e9, 1e9, 2e9, 1e9}},
      {"1Gf,2Gf,3Gf", {1e9, 2e9, 3e9, 1e9, 2e9}},
      {"7Mf", {7e6, 7e6, 7e6, 7e6, 7e6}},
      {"1Gf:9,5Gf", {1e9, 1e9, 1e9, 1e9, 1e9}},
      {"@speeds", {5, 4, 3, 2, 1}},
  };
  scratch_write_bytes("speeds", "5f\n4f\n3f\n2f\n1f", 14);
  for (size_t i = 0; i < COUNT(rows); i++) {
    const struct platform_params params = {.speed = "9Gf", .speeds = rows[i].speeds};
    struct platform *p = opened_platform_with("mesh:5", &params);
    struct platform *read = save_and_load(p);
    for (uint32_t h = 0; h < 5; h++) {
      assert_true(fabs(platform_host_speed(p, h) - rows[i].want[h]) <= 1e-15 * rows[i].want[h]);
      assert_true(platform_host_speed(p, h) == platform_host_speed(read, h));
    }
    platform_free(read);
    platform_free(p);
  }
}

static void written_platforms_are_read_back(void **state)
{
  (void)state;
  static const char *const specs[] = {"torus:8x8x8", "torus:1x1", "torus:1",     "torus:4x1x3",
                                      "mesh:5x4",    "mesh:1",    "hypercube:9", "mesh:1x3x1",
                                      "torus:2x2",   "mesh:2x2",  "hypercube:20"};
  static const struct platform_params params[] = {
      {0},
      {"1.1Gf", "3.3333333333333GBps", "0", "12345678901Bps", "0s", 0, NULL},
      {"0.3f", "1Gbps", "1.7us", "1e300Bps", "1w", 0, NULL},
      {"1e-300f", "1GiBps", "1e-300s", "1e-9bps", "1ps", 0, NULL},
  };
  for (size_t i = 0; i < COUNT(specs) * COUNT(params); i++) {
    struct platform *p = opened_platform_with(specs[i / COUNT(params)], &params[i % COUNT(params)]);
    struct platform *q = save_and_load(p);
    assert_string_equal(topology_spec(platform_topology(q)), topology_spec(platform_topology(p)));
    assert_true(platform_host_speed(q, 0) == platform_host_speed(p, 0));
    assert_true(platform_bandwidth(q) == platform_bandwidth(p));
    assert_true(platform_latency(q) == platform_latency(p));
    assert_true(platform_loopback_bandwidth(q) == platform_loopback_bandwidth(p));
    assert_true(platform_loopback_latency(q) == platform_loopback_latency(p));
    assert_string_equal(platform_path(q), "p.xml");
    platform_free(p);
    platform_free(q);
  }
}

static void written_factors_and_ranges_are_read_back(void **state)
{
  (void)state;
  struct platform *p = opened_platform("star:2");
  struct factors latency, bandwidth;
  struct err e;
  assert_int_equal(factors_parse(&latency, "0:1;1000:0.33333333333333331;2147483647:1e-5", &e), OK);
  assert_int_equal(factors_parse(&bandwidth, "64:1e12", &e), OK);
  platform_set_factors(p, PLATFORM_LATENCY_FACTOR, &latency);
  platform_set_factors(p, PLATFORM_BANDWIDTH_FACTOR, &bandwidth);
  platform_set_calibrated(p, &(struct calibrated){1, 4000000, true, false});
  struct platform *q = save_and_load(p);
  assert_true(platform_calibrated(q)->smallest == 1 && platform_calibrated(q)->largest == 4000000);
  assert_true(platform_calibrated(q)->within && !platform_calibrated(q)->several);
  assert_memory_equal(platform_factors(q, PLATFORM_LATENCY_FACTOR), &latency, sizeof latency);
  assert_memory_equal(platform_factors(q, PLATFORM_BANDWIDTH_FACTOR), &bandwidth, sizeof bandwidth);
  platform_free(q);
  platform_free(p);
}

static void written_names_are_read_back(void **state)
{
  (void)state;
  static const char text[] =
      "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform version='4.1'>"
      "<cluster id='a&amp;b' prefix='&lt;\"' suffix=\"'&amp;lt;\" radical='0-1' speed='1f' "
      "bw='1Bps'"
      " lat='1s' topology='TORUS' topo_parameters='2' loopback_bw='1Bps'/></platform>";
  struct platform *p = NULL;
  struct err e;
  char name[PLATFORM_NAME_SIZE];
  scratch_write_bytes("p.xml", text, sizeof text - 1);
  assert_int_equal(platform_load(&p, "p.xml", &e), OK);
  struct platform *read = save_and_load(p);
  assert_string_equal(platform_host_name(read, 1, name, sizeof name), "<\"1'&lt;");
  platform_link_name(read, 0, name, sizeof name);
  assert_string_equal(name, "a&b_link_from_0_to_1_UP");
  platform_free(p);
  platform_free(read);
}

static void hosts_are_found_by_name(void **state)
{
  (void)state;
  struct platform *p = opened_platform("mesh:4x3");
  char name[PLATFORM_NAME_SIZE];
  for (uint32_t h = 0; h < 12; h++) {
    uint32_t found = 99;
    assert_true(platform_find_host(p, platform_host_name(p, h, name, sizeof name), &found));
    assert_int_equal(found, h);
  }
  assert_string_equal(platform_host_name(p, 11, name, sizeof name), "node-17");
  static const char *const absent[] = {"node-4",   "node-35", "node-36",  "node-99999999999999999",
                                       "node-",    "node-00", "node-01",  "node--1",
                                       "node-1 ",  "Node-1",  "",         "node-4294967296",
                                       "node-1:2", "nodes",   "node-0x1", "node-1."};
  for (size_t i = 0; i < COUNT(absent); i++) {
    uint32_t h;
    if (platform_find_host(p, absent[i], &h))
      fail_msg("'%s' is host %u", absent[i], h);
  }
  platform_free(p);
}

static void links_have_simgrids_names(void **state)
{
  (void)state;
  static const struct {
    const char *spec;
    uint32_t link;
    const char *name;
  } rows[] = {
      {"torus:4", 0, "haichi_link_from_0_to_1_UP"},
      {"torus:4", 3, "haichi_link_from_0_to_1_DOWN"},
      {"torus:4", 1, "haichi_link_from_3_to_0_DOWN"},
      {"torus:4", 6, "haichi_link_from_3_to_0_UP"},
      {"torus:4x3", (11 * 2 + 1) * 2, "haichi_link_from_11_to_3_UP"},
      {"mesh:2x2", (0 * 2 + 1) * 2, "haichi_link_from_0_to_3_UP"},
      {"hypercube:2", (3 * 2 + 1) * 2 + 1, "haichi_link_from_1_to_3_DOWN"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct platform *p = opened_platform(rows[i].spec);
    char name[PLATFORM_NAME_SIZE];
    platform_link_name(p, rows[i].link, name, sizeof name);
    assert_string_equal(name, rows[i].name);
    platform_free(p);
  }
}

static void opaque_platforms_accept_a_list_of_hosts(void **state)
{
  (void)state;
  static const struct platform_host hosts[] = {{"zoe", 2e9, 4}, {"adam", 1e9, 1}, {"mia", 1e9, 1}};
  static const struct platform_host twice[] = {{"a", 1, 1}, {"b", 1, 1}, {"a", 1, 1}};
  struct platform *p = opaque("p.xml");
  const struct topology *t = NULL;
  struct err e;
  uint32_t h = 99;
  char name[PLATFORM_NAME_SIZE];
  assert_null(platform_topology(p));
  assert_int_equal(platform_hosts(p), 0);
  assert_false(platform_find_host(p, "zoe", &h));
  assert_int_equal(platform_set_hosts(p, hosts, 3, &e), OK);
  assert_int_equal(platform_set_hosts(p, twice, 3, &e), FAIL);
  assert_string_equal(e.text, "two hosts are named 'a'");
  assert_int_equal(platform_hosts(p), 3);
  for (uint32_t i = 0; i < 3; i++) {
    assert_true(platform_find_host(p, hosts[i].name, &h));
    assert_int_equal(h, i);
    assert_string_equal(platform_host_name(p, i, name, sizeof name), hosts[i].name);
    assert_true(platform_host_speed(p, i) == hosts[i].speed);
    assert_true(platform_full_speed(p, i) == hosts[i].speed);
    assert_int_equal(platform_host_cores(p, i), hosts[i].cores);
  }
  assert_false(platform_find_host(p, "bob", &h));
  assert_int_equal(platform_set_hosts(p, hosts, 1, &e), OK);
  assert_int_equal(platform_hosts(p), 1);
  assert_int_equal(platform_need_grid(p, "mapper 'xyz'", &t, &e), FAIL);
  assert_non_null(strstr(e.text, "p.xml: mapper 'xyz' needs a torus, mesh or hypercube"));
  assert_null(t);
  unlink("p.xml");
  assert_int_equal(platform_save(p, "p.xml", &e), FAIL);
  assert_int_equal(access("p.xml", F_OK), -1);
  platform_free(p);
}

/* Names that do not fit leave the hosts as they were. */
static void opaque_platforms_refuse_names_that_do_not_fit(void **state)
{
  (void)state;
  static const struct platform_host hosts[] = {{"a", 1, 1}, {"b", 1, 1}, {"c", 1, 1}};
  struct platform *p = opaque("p.xml,names=n[0-1]");
  struct err e;
  uint32_t h;
  assert_int_equal(platform_set_hosts(p, hosts, 2, &e), OK);
  assert_int_equal(platform_set_hosts(p, hosts, 3, &e), FAIL);
  assert_string_equal(e.text, "names: 2 names for 3 hosts");
  assert_int_equal(platform_hosts(p), 2);
  assert_true(platform_find_host(p, "n1", &h) && h == 1);
  platform_free(p);
}

static void known_platforms_keep_their_own_hosts(void **state)
{
  (void)state;
  static const struct platform_host hosts[] = {{"a", 1, 1}};
  struct platform *p = opened_platform("torus:3");
  const struct topology *t = NULL;
  struct err e;
  assert_int_equal(platform_set_hosts(p, hosts, 1, &e), FAIL);
  assert_int_equal(platform_hosts(p), 3);
  assert_int_equal(platform_need_grid(p, "a test", &t, &e), OK);
  assert_ptr_equal(t, platform_topology(p));
  assert_int_equal(platform_save(p, "no/such/folder.xml", &e), FAIL);
  platform_free(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(specs_are_distinguished_from_files),
      cmocka_unit_test(defaults_are_as_documented),
      IN_FOLDER(bad_parameters_are_refused),
      IN_FOLDER(bad_speed_files_are_refused_with_the_line),
      IN_FOLDER(speeds_are_dealt_in_turn),
      IN_FOLDER(written_platforms_are_read_back),
      IN_FOLDER(written_factors_and_ranges_are_read_back),
      IN_FOLDER(written_names_are_read_back),
      cmocka_unit_test(hosts_are_found_by_name),
      cmocka_unit_test(links_have_simgrids_names),
      IN_FOLDER(opaque_platforms_accept_a_list_of_hosts),
      IN_FOLDER(opaque_platforms_refuse_names_that_do_not_fit),
      cmocka_unit_test(known_platforms_keep_their_own_hosts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

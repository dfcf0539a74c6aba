/** @file fabric_case.h
 *  Shared by the tests of networks that are read from files.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "platforms/host_groups.h"
#include "platforms/platform.h"
#include "tests/unit/opened.h"

static inline void must_refuse(const char *spec, const char *sentence)
{
  struct platform *p = NULL;
  struct err e = {.text = ""};
  assert_int_equal(platform_from_spec(&p, spec, NULL, &e), FAIL);
  assert_string_equal(e.text, sentence);
  assert_null(p);
}

/** The names of the links of the route between two named hosts, with a blank after each. */
static inline void check_route(const struct platform *p, const char *src, const char *dst,
                               const char *want)
{
  struct platform_finder *f;
  struct platform_route r;
  struct err e;
  uint32_t a = 0, b = 0;
  char text[512] = "", name[PLATFORM_NAME_SIZE];
  size_t n = 0;
  assert_true(platform_find_host(p, src, &a) && platform_find_host(p, dst, &b));
  assert_int_equal(platform_finder_new(&f, p, &e), OK);
  assert_int_equal(platform_route(f, a, b, &r, &e), OK);
  for (uint32_t i = 0; i < r.links; i++)
    n += (size_t)snprintf(text + n, sizeof text - n, "%s ",
                          platform_link_name(p, r.link[i], name, sizeof name));
  assert_string_equal(text, want);
  platform_finder_free(f);
}

/** Checks that each route has topology_hops() links and that the longest one has
 *  topology_diameter() links. */
static inline void check_hops(const struct platform *p)
{
  const struct topology *t = platform_topology(p);
  const uint32_t n = topology_hosts(t);
  uint32_t *links = malloc(topology_diameter(t) * sizeof *links + 1), longest = 0;
  assert_non_null(links);
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = 0; b < n; b++) {
      const uint32_t hops = topology_hops(t, a, b);
      assert_int_equal(topology_route(t, a, b, links), hops);
      assert_true((hops == 0) == (a == b));
      longest = hops > longest ? hops : longest;
    }
  assert_int_equal(longest, topology_diameter(t));
  free(links);
}

static inline uint32_t count_groups(const struct platform *p)
{
  struct host_groups g;
  struct err e;
  assert_int_equal(host_groups_alike(&g, p, &e), OK);
  const uint32_t n = g.count;
  host_groups_clear(&g);
  return n;
}

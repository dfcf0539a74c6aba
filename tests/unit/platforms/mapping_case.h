/** @file mapping_case.h
 *  Shared by the tests of mapping files: a separate folder for each test, platforms (the hosts
 *  of mesh:2x2 are node-0, node-1, node-3, node-4), and tables of texts that are read or
 *  refused.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "platforms/mapping/mapping.h"
#include "tests/unit/opened.h"
#include "tests/unit/scratch.h"

extern const struct mapping_format mapping_hostfile, mapping_rankfile, mapping_coordinates,
    mapping_vcoordfile, mapping_slurm, mapping_rank_order;

/** An opaque platform with the hosts @p names; NULL if they are refused. */
static inline struct platform *opaque(const char *const *names, uint32_t n)
{
  struct platform_host hosts[16];
  struct err e;
  assert_true(n <= 16);
  scratch_write("p.xml", "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                         "<platform version=\"4.1\"/>");
  struct platform *p = opened_platform("p.xml");
  for (uint32_t h = 0; h < n; h++)
    hosts[h] = (struct platform_host){names[h], 1e9, 1};
  return platform_set_hosts(p, hosts, n, &e) == OK ? p : NULL;
}

struct good_case {
  const char *text; /**< mapping of @p ranks ranks */
  uint32_t ranks, host[4];
};

static inline void check_good(const struct good_case *rows, size_t n, const struct platform *p)
{
  for (size_t i = 0; i < n; i++) {
    struct mapping m;
    struct err e;
    scratch_write_bytes("h", rows[i].text, strlen(rows[i].text));
    if (mapping_load(&m, "h", p, rows[i].ranks, &e) != OK)
      fail_msg("row %zu: %s", i, e.text);
    assert_memory_equal(m.host, rows[i].host, m.ranks * sizeof *m.host);
    mapping_clear(&m);
  }
}

struct bad_case {
  const char *text, *sentence;
};

static inline void check_bad(const struct bad_case *rows, size_t n, const struct platform *p)
{
  uint32_t host[1] = {7};
  for (size_t i = 0; i < n; i++) {
    struct mapping m = {.ranks = 1, .host = host};
    struct err e = {.text = ""};
    scratch_write_bytes("h", rows[i].text, strlen(rows[i].text));
    assert_int_equal(mapping_load(&m, "h", p, 2, &e), FAIL);
    assert_string_equal(e.text, rows[i].sentence);
    assert_true(m.ranks == 1 && m.host == host);
  }
}

/** Saves 5 ranks on hosts 3 0 0 2 1; checks the text and reads it back. */
static inline void check_saved(const struct mapping_format *format, const struct platform *p,
                               const char *want)
{
  const struct mapping m = {.ranks = 5, .host = (uint32_t[]){3, 0, 0, 2, 1}};
  struct mapping read = {0};
  struct err e;
  char text[256] = "";
  assert_int_equal(mapping_save(&m, p, format, "h", &e), OK);
  FILE *f = fopen("h", "r");
  assert_int_equal(fread(text, 1, sizeof text, f), strlen(want));
  fclose(f);
  assert_string_equal(text, want);
  assert_int_equal(mapping_load(&read, "h", p, 5, &e), OK);
  assert_memory_equal(read.host, m.host, 5 * sizeof *m.host);
  mapping_clear(&read);
  assert_int_equal(mapping_save(&m, p, format, "no/such/folder", &e), FAIL);
}

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "mappers/mapper.h"
#include "tests/unit/opened.h"
#include "tests/unit/scratch.h"

/* A name with all special characters of a spec. */
#define NAME "a,path=b:c.map"

static void files_of_any_format_are_mappings(void **state)
{
  (void)state;
  static const char *const texts[] = {
      "node-3\nnode-0\nnode-1\n", "1 1\n0 0\n1 0\n",
      "rank 2=node-1 slot=0\nrank 1=node-0 slot=0\nrank 0=node-3 slot=0\n"};
  static const uint32_t want[] = {3, 0, 1};
  struct err e;
  struct platform *p = opened_platform("torus:2x2");
  const struct mapper_input in = {.platform = p, .ranks = 3, .ranks_per_host = 1};
  for (size_t i = 0; i < COUNT(texts); i++) {
    struct mapping m = {0};
    scratch_write(NAME, texts[i]);
    assert_int_equal(mapper_run("file:path=" NAME, &in, &m, &e), OK);
    assert_int_equal(m.ranks, 3);
    assert_memory_equal(m.host, want, sizeof want);
    mapping_clear(&m);
  }
  platform_free(p);
}

static void bad_files_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *spec, *text, *why;
  } rows[] = {
      {"file:path=" NAME, "node-0\nnode-9\n", NAME ":2: no host 'node-9' on the platform"},
      {"file:path=" NAME, "node-0\nnode-0\n",
       NAME ": rank 1 is on host node-0, which already has 1 rank, the maximum per host"},
      {"file:path=none", "", "none: cannot read: No such file or directory"},
      {"file", "", "mapper 'file': option 'path' is missing"},
  };
  struct err e;
  struct platform *p = opened_platform("torus:2x2");
  const struct mapper_input in = {.platform = p, .ranks = 2, .ranks_per_host = 1};
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct mapping m = {.ranks = 99};
    scratch_write(NAME, rows[i].text);
    assert_int_equal(mapper_run(rows[i].spec, &in, &m, &e), FAIL);
    assert_string_equal(e.text, rows[i].why);
    assert_int_equal(m.ranks, 99);
  }
  platform_free(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(files_of_any_format_are_mappings),
      IN_FOLDER(bad_files_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

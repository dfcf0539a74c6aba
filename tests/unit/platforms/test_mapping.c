#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "platforms/mapping.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Each test works in a folder of its own, on a mesh of 2x2: node-0, node-1, node-3, node-4. */
static int enter(void **state)
{
  char *dir = strdup("/tmp/haichi-test.XXXXXX");
  *state = dir;
  return dir == NULL || mkdtemp(dir) == NULL || chdir(dir) != 0;
}

static int leave(void **state)
{
  unlink("h");
  unlink("p.xml");
  const int failed = chdir("/") != 0 || rmdir(*state) != 0;
  free(*state);
  return failed;
}

static void write_file(const char *path, const char *text, size_t length)
{
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fwrite(text, 1, length, f);
  fclose(f);
}

static struct platform *mesh(void)
{
  struct platform *p = NULL;
  struct err e;
  assert_int_equal(platform_from_spec(&p, "mesh:2x2", NULL, &e), OK);
  return p;
}

static void hostfiles_are_read_as_smpirun_does(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    uint32_t ranks, host[4];
  } rows[] = {
      {"node-0\nnode-1\nnode-3\nnode-4\n", 4, {0, 1, 2, 3}},
      {"node-4\nnode-4\nnode-0", 3, {3, 3, 0}},
      {"node-1:2\nnode-0\nnode-3:1\n", 4, {1, 1, 0, 2}},
      {"\n\nnode-1\n\nnode-0\n\n", 2, {1, 0}},
      {"node-1:0\nnode-3:3\n", 3, {2, 2, 2}},
      {"node-1:4294967295\n", 4, {1, 1, 1, 1}},
      {"node-1\nnode-0\nnode-0\n", 1, {1}},
      {"", 0, {0}},
  };
  struct platform *p = mesh();
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct mapping m = {0};
    struct err e;
    write_file("h", rows[i].text, strlen(rows[i].text));
    if (mapping_load(&m, "h", p, rows[i].ranks, &e) != OK)
      fail_msg("row %zu: %s", i, e.text);
    assert_int_equal(m.ranks, rows[i].ranks);
    assert_memory_equal(m.host, rows[i].host, m.ranks * sizeof *m.host);
    mapping_clear(&m);
  }
  platform_free(p);
}

static void bad_hostfiles_are_refused_with_the_line(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    size_t length;
    const char *sentence;
  } rows[] = {
      {"node-0\nnode-2\n", 14, "h:2: no host 'node-2' on the platform"},
      {"node-0\nnode-1\nnode-5\n", 21, "h:3: no host 'node-5' on the platform"},
      {"node-0\r\n", 8, "h:1: a line that ends in CR LF; it must end in LF alone"},
      {"node-0\n\r\n", 9, "h:2: a line that ends in CR LF; it must end in LF alone"},
      {"node-0 \n", 8, "h:1: no host 'node-0 ' on the platform"},
      {" \n", 2, "h:1: no host ' ' on the platform"},
      {"node-0:\n", 8, "h:1: '' is not a whole number"},
      {"node-0:-1\n", 10, "h:1: '-1' is not a whole number"},
      {"node-0:4294967296\n", 18, "h:1: 4294967296 is above the maximum of 4294967295"},
      {"node-0:1:1\n", 11, "h:1: no host 'node-0:1' on the platform"},
      {":2\n", 3, "h:1: no host '' on the platform"},
      {"node-0\n", 7, "h:1: the file ends with 1 slots for 2 ranks"},
      {"node-0:1\nnode-1:0\n\n", 19, "h:3: the file ends with 1 slots for 2 ranks"},
      {"", 0, "h:1: the file ends with 0 slots for 2 ranks"},
      {"node-0\nno\0de-0\n", 15, "h:2: a NUL character"},
  };
  struct platform *p = mesh();
  uint32_t host[1] = {7};
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct mapping m = {1, host};
    struct err e = {.text = ""};
    write_file("h", rows[i].text, rows[i].length);
    assert_int_equal(mapping_load(&m, "h", p, 2, &e), FAIL);
    assert_string_equal(e.text, rows[i].sentence);
    assert_int_equal(m.ranks, 1);
    assert_ptr_equal(m.host, host);
  }
  struct mapping m = {0};
  struct err e;
  assert_int_equal(mapping_load(&m, "none", p, 2, &e), FAIL);
  assert_string_equal(e.text, "none: cannot read: No such file or directory");
  assert_int_equal(mapping_load(&m, ".", p, 2, &e), FAIL);
  assert_string_equal(e.text, ".: cannot read: Is a directory");
  platform_free(p);
}

static void what_is_written_reads_back_the_same(void **state)
{
  (void)state;
  static const uint32_t hosts[] = {3, 0, 0, 2, 1};
  struct platform *p = mesh();
  struct mapping m = {0}, read = {0};
  struct err e;
  char text[64] = "";
  assert_int_equal(mapping_new(&m, 5, &e), OK);
  memcpy(m.host, hosts, sizeof hosts);
  assert_int_equal(mapping_save(&m, p, &mapping_hostfile, "h", &e), OK);
  FILE *f = fopen("h", "r");
  assert_int_equal(fread(text, 1, sizeof text - 1, f), 35);
  fclose(f);
  assert_string_equal(text, "node-4\nnode-0\nnode-0\nnode-3\nnode-1\n");
  assert_int_equal(mapping_load(&read, "h", p, 5, &e), OK);
  assert_memory_equal(read.host, hosts, sizeof hosts);
  assert_int_equal(mapping_save(&m, p, &mapping_hostfile, "no/such/folder", &e), FAIL);
  mapping_clear(&m);
  mapping_clear(&m);
  mapping_clear(&read);
  platform_free(p);
}

static void names_that_a_hostfile_cannot_hold_are_refused(void **state)
{
  (void)state;
  static const char text[] = "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                             "<platform version=\"4.1\"/>";
  static const char *const names[] = {"fine", "a:1", "a b", "a\nb", ""};
  struct platform *p = NULL;
  struct mapping m = {0};
  struct err e;
  write_file("p.xml", text, sizeof text - 1);
  assert_int_equal(platform_load(&p, "p.xml", &e), OK);
  assert_int_equal(platform_set_hosts(p, names, COUNT(names), &e), OK);
  assert_int_equal(mapping_new(&m, 2, &e), OK);
  assert_int_equal(mapping_save(&m, p, &mapping_hostfile, "h", &e), OK);
  unlink("h");
  for (m.host[1] = 1; m.host[1] < COUNT(names); m.host[1]++) {
    assert_int_equal(mapping_save(&m, p, &mapping_hostfile, "h", &e), FAIL);
    assert_int_equal(access("h", F_OK), -1);
  }
  mapping_clear(&m);
  platform_free(p);
}

static void crowded_hosts_are_refused(void **state)
{
  (void)state;
  static const struct {
    uint32_t host[4], limit;
    const char *sentence;
  } rows[] = {
      {{0, 1, 2, 3}, 1, NULL},
      {{1, 1, 2, 2}, 2, NULL},
      {{1, 2, 1, 3}, 1, "rank 2 is the 2. on host node-1; at most 1 may share a host"},
      {{3, 3, 3, 0}, 2, "rank 2 is the 3. on host node-4; at most 2 may share a host"},
      {{0, 1, 2, 4}, 4, "rank 3 is on host 4, but the platform has 4 hosts"},
  };
  struct platform *p = mesh();
  struct mapping m = {0};
  struct err e;
  assert_int_equal(mapping_new(&m, 4, &e), OK);
  for (size_t i = 0; i < COUNT(rows); i++) {
    memcpy(m.host, rows[i].host, sizeof rows[i].host);
    const enum status want = rows[i].sentence == NULL ? OK : FAIL;
    assert_int_equal(mapping_check(&m, p, rows[i].limit, &e), want);
    if (want == FAIL)
      assert_string_equal(e.text, rows[i].sentence);
  }
  mapping_clear(&m);
  platform_free(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(hostfiles_are_read_as_smpirun_does, enter, leave),
      cmocka_unit_test_setup_teardown(bad_hostfiles_are_refused_with_the_line, enter, leave),
      cmocka_unit_test_setup_teardown(what_is_written_reads_back_the_same, enter, leave),
      cmocka_unit_test_setup_teardown(names_that_a_hostfile_cannot_hold_are_refused, enter, leave),
      cmocka_unit_test(crowded_hosts_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "tests/unit/platforms/mapping_case.h"

static void the_first_line_with_content_decides_the_format(void **state)
{
  (void)state;
  static const struct good_case rows[] = {
      {"\n\nnode-1\n", 1, {1}},
      {" \n# comment\n\n0 1\n", 1, {2}},
      {"# comment\nrank 0=node-1 slot=0\n", 1, {1}},
      {"// comment\nrank 0=node-1 slot=0\n", 1, {1}},
      {"/* 0 1\nnode-3 */\nrank 0=node-1 slot=0\n", 1, {1}},
      {"1,1\n0,0\n", 2, {3, 0}},
  };
  static const struct bad_case bad[] = {
      {"# comment\nnode-0\n", "h:2: the file has only 1 slot for 2 ranks"},
      {"# comment\n", "h:1: the file has only 0 slots for 2 ranks"},
      {"1.5 2\n", "h:1: no host '1.5 2' on the platform"},
      {"- 1\n", "h:1: no host '- 1' on the platform"},
      {"rank 0 node-1\n", "h:1: no host 'rank 0 node-1' on the platform"},
      {"node-0\nrank 1=node-1 slot=0\n", "h:2: no host 'rank 1=node-1 slot=0' on the platform"},
      {"0 1\nnode-1\n", "h:2: coordinate 1 on mesh:2x2: 'node-1' is not a whole number"},
  };
  struct platform *p = opened_platform("mesh:2x2");
  check_good(rows, COUNT(rows), p);
  check_bad(bad, COUNT(bad), p);
  platform_free(p);
}

static void a_line_with_the_name_of_a_host_is_a_hostfile(void **state)
{
  (void)state;
  static const char *const names[] = {"7", "8", "1 0", "rank 0=x slot=0", "#z"};
  static const struct good_case rows[] = {
      {"7\n7:2\n8\n", 4, {0, 0, 0, 1}},
      {"1 0\n7\n", 2, {2, 0}},
      {"rank 0=x slot=0\n8\n", 2, {3, 1}},
      {"#z\n7\n", 2, {4, 0}},
  };
  struct platform *p = opaque(names, COUNT(names));
  check_good(rows, COUNT(rows), p);
  platform_free(p);
}

static void formats_are_found_by_name(void **state)
{
  (void)state;
  static const struct {
    const char *name;
    const struct mapping_format *format;
  } rows[] = {{"hostfile", &mapping_hostfile},
              {"rankfile", &mapping_rankfile},
              {"coordinates", &mapping_coordinates}};
  struct err e;
  for (size_t i = 0; i < COUNT(rows); i++)
    assert_ptr_equal(registry_get(&mapping_formats, rows[i].name, &e), rows[i].format);
  assert_null(registry_get(&mapping_formats, "host", &e));
  assert_string_equal(e.text, "unknown format 'host'; expected hostfile, rankfile, coordinates, "
                              "vcoordfile, slurm or rank-order");
}

static void unreadable_files_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    size_t length;
    const char *sentence;
  } rows[] = {
      {"node-0\nno\0de-0\n", 15, "h:2: a NUL character"},
      {"0 0\n\0", 5, "h:2: a NUL character"},
  };
  struct platform *p = opened_platform("mesh:2x2");
  struct mapping m = {0};
  struct err e;
  for (size_t i = 0; i < COUNT(rows); i++) {
    scratch_write_bytes("h", rows[i].text, rows[i].length);
    assert_int_equal(mapping_load(&m, "h", p, 1, &e), FAIL);
    assert_string_equal(e.text, rows[i].sentence);
  }
  assert_int_equal(mapping_load(&m, "none", p, 2, &e), FAIL);
  assert_string_equal(e.text, "none: cannot read: No such file or directory");
  assert_int_equal(mapping_load(&m, ".", p, 2, &e), FAIL);
  assert_string_equal(e.text, ".: cannot read: Is a directory");
  platform_free(p);
}

static void lines_may_end_in_cr_lf_or_not_at_all(void **state)
{
  (void)state;
  static const char *const texts[] = {"node-4\r\nnode-1\r\n", "node-4\nnode-1",
                                      "node-4\r\nnode-1\r", "1 1\r\n1 0\r\n",
                                      " \tnode-4 \r\n\tnode-1\t"};
  struct platform *p = opened_platform("mesh:2x2");
  for (size_t i = 0; i < COUNT(texts); i++) {
    struct mapping m = {0};
    struct err e = {""};
    scratch_write_bytes("h", texts[i], strlen(texts[i]));
    if (mapping_load(&m, "h", p, 2, &e) != OK)
      fail_msg("text %zu: %s", i, e.text);
    assert_int_equal(m.host[0], 3);
    assert_int_equal(m.host[1], 1);
    mapping_clear(&m);
  }
  platform_free(p);
}

/* A file larger than one read buffer. */
static void long_files_are_read_whole(void **state)
{
  (void)state;
  enum { RANKS = 20000 };
  struct platform *p = opened_platform("torus:32768");
  struct mapping m = {0}, read = {0};
  struct err e;
  assert_int_equal(mapping_new(&m, RANKS, &e), OK);
  for (uint32_t r = 0; r < RANKS; r++)
    m.host[r] = r * 7u % 32768u;
  assert_int_equal(mapping_save(&m, p, &mapping_hostfile, "h", &e), OK);
  assert_int_equal(mapping_load(&read, "h", p, RANKS, &e), OK);
  assert_memory_equal(m.host, read.host, RANKS * sizeof *m.host);
  mapping_clear(&m);
  mapping_clear(&m);
  mapping_clear(&read);
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
      {{1, 2, 1, 3}, 1, "rank 2 is on host node-1, which already has 1 rank, the maximum per host"},
      {{3, 3, 3, 0},
       2,
       "rank 2 is on host node-4, which already has 2 ranks, the maximum per host"},
      {{0, 1, 2, 4}, 4, "rank 3 is on host 4, but the platform has 4 hosts"},
  };
  struct platform *p = opened_platform("mesh:2x2");
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
      IN_FOLDER(the_first_line_with_content_decides_the_format),
      IN_FOLDER(a_line_with_the_name_of_a_host_is_a_hostfile),
      cmocka_unit_test(formats_are_found_by_name),
      IN_FOLDER(unreadable_files_are_refused),
      IN_FOLDER(lines_may_end_in_cr_lf_or_not_at_all),
      IN_FOLDER(long_files_are_read_whole),
      cmocka_unit_test(crowded_hosts_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

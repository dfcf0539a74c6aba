#include "tests/unit/platforms/mapping_case.h"

static void hostfiles_are_read_as_smpirun_does(void **state)
{
  (void)state;
  static const struct good_case rows[] = {
      {"node-0\nnode-1\nnode-3\nnode-4\n", 4, {0, 1, 2, 3}},
      {"node-4\nnode-4\nnode-0", 3, {3, 3, 0}},
      {"node-1:2\nnode-0\nnode-3:1\n", 4, {1, 1, 0, 2}},
      {"\n\nnode-1\n\nnode-0\n\n", 2, {1, 0}},
      {"node-1:0\nnode-3:3\n", 3, {2, 2, 2}},
      {"node-1:4294967295\n", 4, {1, 1, 1, 1}},
      {"node-1\nnode-0\nnode-0\n", 1, {1}},
      {"# Open MPI's\nnode-1 slots=2\nnode-0\tslots=1  max_slots=4\n\nnode-3 max-slots=1 # one\n",
       4,
       {1, 1, 0, 2}},
      {"", 0, {0}},
  };
  struct platform *p = opened_platform("mesh:2x2");
  check_good(rows, COUNT(rows), p);
  platform_free(p);
}

static void bad_hostfiles_are_refused_with_the_line(void **state)
{
  (void)state;
  static const struct bad_case rows[] = {
      {"node-0\nnode-2\n", "h:2: no host 'node-2' on the platform"},
      {"node-0\nnode-1\nnode-5\n", "h:3: no host 'node-5' on the platform"},
      {"node-0 x\n", "h:1: no host 'node-0 x' on the platform"},
      {"node-0:\n", "h:1: '' is not a whole number"},
      {"node-0:-1\n", "h:1: '-1' is not a whole number"},
      {"node-0:4294967296\n", "h:1: 4294967296 is above the maximum of 4294967295"},
      {"node-0:1:1\n", "h:1: no host 'node-0:1' on the platform"},
      {"node-0 slots=two\n", "h:1: 'two' is not a whole number"},
      {"node-0 slot=2\n", "h:1: no host 'node-0 slot=2' on the platform"},
      {"node-0 x slots=2\n", "h:1: 'x' after a host's name is neither slots=N nor max_slots=N"},
      {"node-9 slots=2\n", "h:1: no host 'node-9' on the platform"},
      {":2\n", "h:1: no host '' on the platform"},
      {"node-0\n", "h:1: the file has only 1 slot for 2 ranks"},
      {"node-0:1\nnode-1:0\n\n", "h:3: the file has only 1 slot for 2 ranks"},
      {"", "h:1: the file has only 0 slots for 2 ranks"},
  };
  struct platform *p = opened_platform("mesh:2x2");
  check_bad(rows, COUNT(rows), p);
  platform_free(p);
}

static void written_mappings_are_read_back(void **state)
{
  (void)state;
  struct platform *p = opened_platform("mesh:2x2");
  check_saved(&mapping_hostfile, p, "node-4\nnode-0\nnode-0\nnode-3\nnode-1\n");
  platform_free(p);
}

static void names_that_a_hostfile_cannot_hold_are_refused(void **state)
{
  (void)state;
  static const char *const names[] = {"fine", "a:1", "a b", "a\nb", ""};
  struct platform *p = opaque(names, COUNT(names));
  struct mapping m = {0};
  struct err e;
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

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(hostfiles_are_read_as_smpirun_does),
      IN_FOLDER(bad_hostfiles_are_refused_with_the_line),
      IN_FOLDER(written_mappings_are_read_back),
      IN_FOLDER(names_that_a_hostfile_cannot_hold_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

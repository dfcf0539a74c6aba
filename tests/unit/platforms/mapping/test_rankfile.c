#include "tests/unit/platforms/mapping_case.h"

static void rankfiles_are_read_as_open_mpi_does(void **state)
{
  (void)state;
  static const struct good_case rows[] = {
      {"rank 0=node-0 slot=0\nrank 1=node-1 slot=0\n", 2, {0, 1}},
      {"rank 1=node-4 slot=1\nrank 0=node-4 slot=0", 2, {3, 3}},
      {"\n \t\nrank  0 = node-3  slots = 0:1,2\n", 1, {2}},
      {"rank 0=node-0 slot=0:0-3\nrank 2=node-1 slot=p1:2\nrank 1=node-3 slot=*\n", 3, {0, 2, 1}},
      {"rank 0=me@node-1 slot=0:0;1:0-1\n", 1, {1}},
      {"rank 00=node-1 slot=s0 # rank 1=node-0 slot=0\n", 1, {1}},
      {"rank 0=node-1 slot=0 // rank 1=node-0 slot=0\n", 1, {1}},
      {"rank 0=node-1 slot=0 /* rank 1 */ /* again */ # and so on /*\n", 1, {1}},
      {"/* a\n**\n */ rank 0=node-1 slot=0\n/**/rank 1=node-0 slot=0\n", 2, {1, 0}},
  };
  struct platform *p = opened_platform("mesh:2x2");
  check_good(rows, COUNT(rows), p);
  platform_free(p);
}

static void bad_rankfiles_are_refused_with_the_line(void **state)
{
  (void)state;
#define SHAPE "'rank N=HOST slot=SLOTS'"
  static const struct bad_case rows[] = {
      {"rank 0=node-0 slot=0\nrank 0=node-1 slot=0\n", "h:2: a second line for rank 0"},
      {"rank 1=node-0 slot=0\n\n", "h:2: the file ends without rank 0 of 2"},
      {"rank 0=node-0 slot=0\n", "h:1: the file ends without rank 1 of 2"},
      {"// none\n", "h:1: the file ends without rank 0 of 2"},
      {"rank 2=node-0 slot=0\n", "h:1: rank 2, but there are 2 ranks"},
      {"rank 4294967296=node-0 slot=0\n", "h:1: 4294967296 is above the maximum of 4294967295"},
      {"rank -1=node-0 slot=0\n", "h:1: '-1' is not a whole number"},
      {"rank 0=+n0 slot=0\n",
       "h:1: host '+n0' is relative to Open MPI's allocation; name the host"},
      {"rank 0=node-2 slot=0\n", "h:1: no host 'node-2' on the platform"},
      {"rank 0=me@node-2 slot=0\n", "h:1: no host 'me@node-2' on the platform"},
      {"rank 0=node-0\n", "h:1: rank 0: expected " SHAPE},
      {"rank 0=node-0 slot\n", "h:1: rank 0: expected " SHAPE},
      {"rank0=node-0 slot=0\n", "h:1: expected " SHAPE ", not 'rank0'"},
      {"rank 0=node-0 slot=0\nrunk 1=node-0 slot=0\n", "h:2: expected 'rank', not 'runk'"},
      {"rank 0=node-0 slot=0\nnode-0\n", "h:2: expected " SHAPE ", not 'node-0'"},
      {"rank 0 1=node-0 slot=0\n", "h:1: expected " SHAPE ", not 'rank 0 1'"},
      {"rank 0=node-0 slat=0\n", "h:1: expected 'slot', not 'slat'"},
      {"rank 0=slot=0\n", "h:1: expected 'HOST slot=SLOTS', not 'slot'"},
      {"rank 0=node-0 slot=\n", "h:1: '' are not slots such as 0, 0-3, 0:1 or p2"},
      {"rank 0=node-0 slot=,1\n", "h:1: ',1' are not slots such as 0, 0-3, 0:1 or p2"},
      {"rank 0=node-0 slot=1:\n", "h:1: '1:' are not slots such as 0, 0-3, 0:1 or p2"},
      {"rank 0=node-0 slot=0 1\n", "h:1: '0 1' are not slots such as 0, 0-3, 0:1 or p2"},
      {"rank 0=node-0 slot=x\n", "h:1: 'x' are not slots such as 0, 0-3, 0:1 or p2"},
      {"rank 0=node-0 slot=0=1\n", "h:1: '0=1' are not slots such as 0, 0-3, 0:1 or p2"},
      {"\n/* rank 0=node-0 slot=0\n\n", "h:3: the comment that begins in line 2 does not end"},
  };
  struct platform *p = opened_platform("mesh:2x2");
  check_bad(rows, COUNT(rows), p);
  platform_free(p);
}

static void the_ranks_of_a_host_have_its_slots_in_order(void **state)
{
  (void)state;
  struct platform *p = opened_platform("mesh:2x2");
  check_saved(&mapping_rankfile, p,
              "rank 0=node-4 slot=0\nrank 1=node-0 slot=0\nrank 2=node-0 slot=1\n"
              "rank 3=node-3 slot=0\nrank 4=node-1 slot=0\n");
  platform_free(p);
}

static void names_that_a_rankfile_cannot_hold_are_refused(void **state)
{
  (void)state;
  static const char *const names[] = {
      "fine-1.example.org", "a:1", "1a", "a_b", "a/b", "a b", "", "rank", "slots"};
  struct platform *p = opaque(names, COUNT(names));
  struct mapping m = {0};
  struct err e;
  assert_int_equal(mapping_new(&m, 2, &e), OK);
  assert_int_equal(mapping_save(&m, p, &mapping_rankfile, "h", &e), OK);
  unlink("h");
  for (m.host[1] = 1; m.host[1] < COUNT(names); m.host[1]++) {
    assert_int_equal(mapping_save(&m, p, &mapping_rankfile, "h", &e), FAIL);
    assert_int_equal(access("h", F_OK), -1);
  }
  mapping_clear(&m);
  platform_free(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(rankfiles_are_read_as_open_mpi_does),
      IN_FOLDER(bad_rankfiles_are_refused_with_the_line),
      IN_FOLDER(the_ranks_of_a_host_have_its_slots_in_order),
      IN_FOLDER(names_that_a_rankfile_cannot_hold_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

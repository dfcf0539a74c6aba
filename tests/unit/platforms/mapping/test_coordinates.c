#include "tests/unit/platforms/mapping_case.h"

static void coordinates_are_read_by_line(void **state)
{
  (void)state;
  static const struct good_case rows[] = {
      {"0 0 0\n1 0 0\n0 1 0\n0 0 1\n", 4, {0, 1, 4, 12}},
      {"3 2 1\n3,2,1\n 3 , 2,1\t\n3\t2  1", 4, {23, 23, 23, 23}},
      {"# X Y Z\n\n1 1 1 # the middle\n  \n#\n0 0 0\n", 2, {17, 0}},
      {"0 0 0\n1 0 0\n2 0 0\n", 2, {0, 1}},
  };
  static const struct good_case line[] = {{"5\n0\n7\n", 3, {5, 0, 7}}};
  static const struct good_case cube[] = {{"1 0 1\n0 1 1\n", 2, {5, 6}}};
  struct platform *p = opened_platform("torus:4x3x2"), *mesh = opened_platform("mesh:8"),
                  *hypercube = opened_platform("hypercube:3");
  check_good(rows, COUNT(rows), p);
  check_good(line, COUNT(line), mesh);
  check_good(cube, COUNT(cube), hypercube);
  platform_free(p);
  platform_free(mesh);
  platform_free(hypercube);
}

static void bad_coordinates_are_refused_with_the_line(void **state)
{
  (void)state;
  static const struct bad_case rows[] = {
      {"0 0\n0 2\n", "h:2: coordinate 2 on mesh:2x2: 2 is above the maximum of 1"},
      {"2 0\n", "h:1: coordinate 1 on mesh:2x2: 2 is above the maximum of 1"},
      {"0 0\n0 0\n9 0\n", "h:3: coordinate 1 on mesh:2x2: 9 is above the maximum of 1"},
      {"-1 0\n", "h:1: coordinate 1 on mesh:2x2: '-1' is not a whole number"},
      {"0 0\n0.5 0\n", "h:2: coordinate 1 on mesh:2x2: '0.5' is not a whole number"},
      {"0\n", "h:1: expected 2 coordinates on mesh:2x2, not 1"},
      {"0 0 0\n", "h:1: expected 2 coordinates on mesh:2x2, not 3"},
      {"0 0,\n", "h:1: expected 2 coordinates on mesh:2x2, not 3"},
      {"0,\n", "h:1: coordinate 2 on mesh:2x2: '' is not a whole number"},
      {"0,,0\n", "h:1: coordinate 2 on mesh:2x2: '' is not a whole number"},
      {"0 0\n,0\n", "h:2: coordinate 1 on mesh:2x2: '' is not a whole number"},
      {"0 0\n\n", "h:2: the file has the coordinates of only 1 of 2 ranks"},
  };
  struct platform *p = opened_platform("mesh:2x2");
  check_bad(rows, COUNT(rows), p);
  platform_free(p);
}

static void coordinates_need_a_topology(void **state)
{
  (void)state;
#define WHY                                                                                        \
  "p.xml: a list of coordinates needs a torus, mesh or hypercube, and this platform is not a "     \
  "single cluster"
  static const char *const names[] = {"a", "b"};
  static const struct bad_case rows[] = {{"0 0\n0 1\n", "h:1: " WHY}};
  struct platform *p = opaque(names, COUNT(names));
  uint32_t hosts[] = {0, 1};
  const struct mapping m = {.ranks = 2, .host = hosts};
  struct err e;
  check_bad(rows, COUNT(rows), p);
  unlink("h");
  assert_int_equal(mapping_save(&m, p, &mapping_coordinates, "h", &e), FAIL);
  assert_string_equal(e.text, WHY);
  assert_int_equal(access("h", F_OK), -1);
  platform_free(p);
}

static void written_mappings_are_read_back(void **state)
{
  (void)state;
  struct platform *p = opened_platform("mesh:2x2"), *line = opened_platform("torus:4");
  check_saved(&mapping_coordinates, p, "1 1\n0 0\n0 0\n0 1\n1 0\n");
  check_saved(&mapping_coordinates, line, "3\n0\n0\n2\n1\n");
  platform_free(p);
  platform_free(line);
}

static void vcoordfiles_are_read_by_line(void **state)
{
  (void)state;
  static const struct good_case rows[] = {
      {"(0,0,0)\n(1,0,0)\n(0,1,0)\n(0,0,1)\n", 4, {0, 1, 4, 12}},
      {"# ours\n\n ( 3 , 2,1 )\t\n(3 2 1) # the last one\n", 2, {23, 23}},
  };
  static const struct bad_case bad[] = {
      {"(0,0,2)\n", "h:1: coordinate 3 on torus:4x3x2: 2 is above the maximum of 1"},
      {"(0,0)\n", "h:1: expected 3 coordinates on torus:4x3x2, not 2"},
      {"(0,0,0)\n0,0,0\n", "h:2: expected coordinates as (1,0,2), not '0,0,0'"},
      {"(0,0,0\n", "h:1: expected coordinates as (1,0,2), not '(0,0,0'"},
      {"(0,0,0) core=1\n", "h:1: expected coordinates as (1,0,2), not '(0,0,0) core=1'"},
      {"()\n", "h:1: coordinate 1 on torus:4x3x2: '' is not a whole number"},
      {"(0,0,0)\n", "h:1: the file has the coordinates of only 1 of 2 ranks"},
  };
  struct platform *p = opened_platform("torus:4x3x2"), *mesh = opened_platform("mesh:2x2"),
                  *four = opened_platform("torus:2x2x2x2");
  struct mapping m = {.ranks = 1, .host = (uint32_t[]){0}};
  struct err e;
  check_good(rows, COUNT(rows), p);
  check_bad(bad, COUNT(bad), p);
  check_saved(&mapping_vcoordfile, mesh, "(1,1)\n(0,0)\n(0,0)\n(0,1)\n(1,0)\n");
  assert_int_equal(mapping_save(&m, four, &mapping_vcoordfile, "h", &e), FAIL);
  assert_string_equal(e.text,
                      "a vcoordfile has up to 3 coordinates per rank, but torus:2x2x2x2 has 4");
  platform_free(p);
  platform_free(mesh);
  platform_free(four);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(coordinates_are_read_by_line), IN_FOLDER(bad_coordinates_are_refused_with_the_line),
      IN_FOLDER(coordinates_need_a_topology),  IN_FOLDER(written_mappings_are_read_back),
      IN_FOLDER(vcoordfiles_are_read_by_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

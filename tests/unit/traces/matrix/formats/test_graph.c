#include "tests/unit/traces/matrix_case.h"

#define PATH "3: 0>1 1x1 1>0 1x1 1>2 1x1 2>1 1x1"

static void metis_graphs_are_read(void **state)
{
  (void)state;
  static const struct matrix_case GOOD[] = {
      {"3 2\n2\n1 3\n2\n", PATH},
      {"% a path\n 3 2 0\n2\n% the middle\n1 3\n2\n\n% end\n", PATH},
      {"3 2 000\r\n2\r\n3 1\r\n2", PATH},
      {"3 1 1\n2 7\n1 7\n\n", "3: 0>1 1x7 1>0 1x7"},
      {"3 1 001\n\n3 7\n2 7\n", "3: 1>2 1x7 2>1 1x7"},
      {"3 2 10\n9 2\n8 1 3\n7 2\n", PATH},
      {"3 2 010 2\n9 9 2\n8 8 1 3\n0 0 2\n", PATH},
      {"3 2 100\n9 2\n8 1 3\n7 2\n", PATH},
      {"3 2 111 2\n1 9 9 2 5\n1 8 8 1 5 3 6\n1 0 0 2 6\n", "3: 0>1 1x5 1>0 1x5 1>2 1x6 2>1 1x6"},
      /* Rings: all lines are as long as the header. */
      {"4 4\n2 4\n1 3\n2 4\n1 3\n",
       "4: 0>1 1x1 0>3 1x1 1>0 1x1 1>2 1x1 2>1 1x1 2>3 1x1 3>0 1x1 3>2 1x1"},
      {"3 3 10\n1 2 3\n1 1 3\n1 1 2\n", "3: 0>1 1x1 0>2 1x1 1>0 1x1 1>2 1x1 2>0 1x1 2>1 1x1"},
  };
  matrix_case_good(GOOD, COUNT(GOOD), "metis", NULL);
}

static void bad_metis_graphs_are_refused(void **state)
{
  (void)state;
  static const struct matrix_case BAD[] = {
      {"", ":1: no header VERTICES EDGES"},
      {"% only\n", ":1: no header VERTICES EDGES"},
      {"3\n", ":1: 1 number instead of VERTICES EDGES"},
      {"0 0\n", ":1: 0 vertices"},
      {"1048577 0\n", ":1: vertices: 1048577 is above the maximum of 1048576"},
      {"3 x\n", ":1: edges: 'x' is not a whole number"},
      {"3 2 2\n", ":1: the format '2' is not up to three digits 0 and 1"},
      {"3 2 0001\n", ":1: the format '0001' is not up to three digits 0 and 1"},
      {"3 2 10 1025\n", ":1: weights of a vertex: 1025 is above the maximum of 1024"},
      {"3 2 0 1 1\n", ":1: '1' after VERTICES EDGES FORMAT WEIGHTS"},
      {"3 2\n2\n1 3\n", ":3: 2 lists instead of 3"},
      {"3 2\n2\n1 3\n2\n1\n", ":5: a line after 3 lists"},
      {"3 1\n2\n1 3\n2\n", ":4: the lists have 4 neighbours instead of 2"},
      {"3 2\n2\n1 4\n2\n", ":3: neighbour: 4 is above the maximum of 3"},
      {"3 2\n2\n0 3\n2\n", ":3: neighbour: 0 is below the minimum of 1"},
      {"3 2\n2\n1 a\n2\n", ":3: neighbour: 'a' is not a whole number"},
      {"3 2\n2\n1 2\n2\n", ":3: vertex 2 is its own neighbour"},
      {"3 2\n2\n1 1\n2\n", ":3: vertex 2 has the neighbour 1 twice"},
      {"3 2\n2 3\n1\n2\n", ":2: vertex 1 has the neighbour 3, but 3 does not have 1"},
      {"3 1 1\n2 7\n1 8\n\n", ":2: the edge 1 2 has 7 bytes, and 8 in the list of 2"},
      {"3 1 1\n2\n1 7\n\n", ":2: no weight after the neighbour 2"},
      {"3 1 1\n2 0\n1 0\n\n", ":2: the weight of an edge is 0, not above 0"},
      {"3 1 1\n2 -7\n1 -7\n\n", ":2: -7 is outside 0.."},
      {"3 2 10 2\n1\n", ":2: 1 number instead of at least 2 weights"},
      {"3 2 10\nx 2\n", ":2: weight of the vertex: 'x' is not a whole number"},
      {"3 1 1\n2 1.5\n1 1.5\n\n", ":2: '1.5' is a fraction of a byte"},
  };
  matrix_case_bad(BAD, COUNT(BAD), "metis", NULL);
}

static void scotch_graphs_are_read(void **state)
{
  (void)state;
  static const struct matrix_case GOOD[] = {
      {"0\n3 4\n0 000\n1 1\n2 0 2\n1 1\n", PATH},
      {"0\r\n3\t4\r\n1\t000\r\n1\t2\r\n2\t3\t1\r\n1\t2\r\n", PATH},
      {"0\n3 4\n0 010\n1 5 1\n2 5 0 6 2\n1 6 1", "3: 0>1 1x5 1>0 1x5 1>2 1x6 2>1 1x6"},
      {"0\n3 4\n0 001\n9 1 1\n8 2 0 2\n7 1 1\n", PATH},
      {"0\n3 4\n1 100\n2 2 1 3\n3 1 2\n1 1 2\n", PATH},
      {"0\n3 2\n5 111\n7 9 1 4 5\n6 9 0\n5 9 1 4 7\n", "3: 0>2 1x4 2>0 1x4"},
      {"0\n2 2\n0 000\n1\n1\n1\n0\n", "2: 0>1 1x1 1>0 1x1"},
  };
  matrix_case_good(GOOD, COUNT(GOOD), "scotch", NULL);
}

static void bad_scotch_graphs_are_refused(void **state)
{
  (void)state;
  static const struct matrix_case BAD[] = {
      {"", ":1: the file ends before the version"},
      {"1\n", ":1: version: 1 is above the maximum of 0"},
      {"0\n", ":1: the file ends before the vertices"},
      {"0\n3\n", ":2: the file ends before the arcs"},
      {"0\n3 4\n0\n", ":3: the file ends before the flags"},
      {"0\n0 0\n", ":2: vertices: 0 is below the minimum of 1"},
      {"0\n1048577 0\n", ":2: vertices: 1048577 is above the maximum of 1048576"},
      {"0\n3 x\n", ":2: arcs: 'x' is not a whole number"},
      {"0\n3 4\n-1 000\n", ":3: base: '-1' is not a whole number"},
      {"0\n3 4\n0 1000\n", ":3: flags: 1000 is above the maximum of 999"},
      {"0\n3 4\n0 000\n1 1\n2 0\n", ":5: the file ends before a neighbour of vertex 1"},
      {"0\n3 4\n0 000\n1 1\n2 0 2\n", ":5: the file ends before the number of neighbours"},
      {"0\n3 4\n0 000\n1 1\n2 0 3\n1 1\n", ":5: neighbour: 3 is above the maximum of 2"},
      {"0\n3 4\n1 000\n1 0\n", ":4: neighbour: 0 is below the minimum of 1"},
      {"0\n3 4\n0 000\n3 1\n", ":4: number of neighbours: 3 is above the maximum of 2"},
      {"0\n3 4\n0 000\n1 0\n", ":4: vertex 0 is its own neighbour"},
      {"0\n3 4\n0 000\n1 1\n2 0 0\n", ":5: vertex 1 has the neighbour 0 twice"},
      {"0\n3 4\n0 000\n2 1 2\n1 0\n1 1\n", ":4: vertex 0 has the neighbour 2, but 2 does not have"},
      {"0\n3 2\n0 000\n1 1\n2 0 2\n1 1\n", ":6: the lists have 4 neighbours instead of 2"},
      {"0\n3 4\n0 000\n1 1\n2 0 2\n1 1\n7\n", ":7: '7' after 3 vertices"},
      {"0\n3 2\n0 010\n1 4 1\n1 5 0\n0\n", ":4: the edge 0 1 has 4 bytes, and 5 in the list of 1"},
      {"0\n3 2\n0 010\n1 0 1\n1 0 0\n0\n", ":4: load of an edge: 0 is below the minimum of 1"},
      {"0\n3 2\n0 100\n0 1 1\n0 1 1\n", ":5: a second list of vertex 0"},
      {"0\n3 2\n0 100\n3 1 1\n", ":4: label of a vertex: 3 is above the maximum of 2"},
      {"0\n3 2\n0 001\nx 1 1\n", ":4: load of a vertex: 'x' is not a whole number"},
  };
  matrix_case_bad(BAD, COUNT(BAD), "scotch", NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(metis_graphs_are_read),
      cmocka_unit_test(bad_metis_graphs_are_refused),
      cmocka_unit_test(scotch_graphs_are_read),
      cmocka_unit_test(bad_scotch_graphs_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

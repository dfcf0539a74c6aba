#include "mappers/graph.h"
#include "tests/unit/count.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void both_ways_add_up_sorted(void **state)
{
  (void)state;
  /* 0-1 both ways, 0-3 and 2-0 one way, a rank with itself, a pair without bytes. */
  struct matrix_entry entry[] = {{0, 1, 1, 5}, {0, 3, 1, 2}, {1, 0, 2, 7}, {1, 1, 1, 99},
                                 {2, 0, 1, 4}, {2, 3, 1, 0}, {3, 2, 1, 0}};
  static const struct {
    uint32_t rank;
    uint64_t bytes;
  } want[] = {{1, 12}, {2, 4}, {3, 2}, {0, 12}, {0, 4}, {0, 2}};
  static const uint32_t first[] = {0, 3, 4, 5, 6, 6};
  const struct matrix m = {.ranks = 4, .count = COUNT(entry), .entry = entry};
  struct graph p = {0};
  struct err e;
  ARENA(mem, &e);
  assert_int_equal(graph_new(&p, &m, 4, 5, &mem), OK);
  assert_int_equal(p.n, 5);
  assert_memory_equal(p.first, first, sizeof first);
  for (size_t i = 0; i < COUNT(want); i++) {
    assert_int_equal(p.to[i], want[i].rank);
    assert_int_equal(p.bytes[i], want[i].bytes);
  }
}

static void no_traffic_gives_no_arcs(void **state)
{
  (void)state;
  const struct matrix m = {.ranks = 2};
  struct graph p = {0};
  struct err e;
  ARENA(mem, &e);
  assert_int_equal(graph_new(&p, &m, 2, 2, &mem), OK);
  assert_int_equal(p.first[2], 0);
}

static void ranks_out_of_range_are_refused(void **state)
{
  (void)state;
  struct matrix_entry entry[] = {{0, 4, 1, 5}};
  const struct matrix m = {.ranks = 5, .count = 1, .entry = entry};
  struct graph p = {.n = 99};
  struct err e;
  ARENA(mem, &e);
  assert_int_equal(graph_new(&p, &m, 4, 9, &mem), FAIL);
  assert_string_equal(e.text, "traffic between ranks 0 and 4, but there are 4 ranks");
  entry[0] = (struct matrix_entry){4, 0, 1, 5};
  assert_int_equal(graph_new(&p, &m, 4, 9, &mem), FAIL);
  assert_string_equal(e.text, "traffic between ranks 4 and 0, but there are 4 ranks");
  assert_int_equal(p.n, 99);
}

/* Tasks 0 and 3 become part 1; tasks 1, 2 and 4 become part 0. */
static void parts_add_up(void **state)
{
  (void)state;
  struct matrix_entry entry[] = {
      {0, 1, 1, 5}, {0, 3, 1, 2}, {1, 2, 1, 7}, {3, 4, 1, 9}, {4, 0, 1, 1}};
  static const uint32_t part[] = {1, 0, 0, 1, 0};
  const struct matrix m = {.ranks = 5, .count = COUNT(entry), .entry = entry};
  struct graph g, of_parts;
  struct err e;
  ARENA(mem, &e);
  assert_int_equal(graph_new(&g, &m, 5, 5, &mem), OK);
  assert_int_equal(graph_contract(&of_parts, &g, part, 3, &mem), OK);
  static const uint32_t first[] = {0, 1, 2, 2};
  assert_memory_equal(of_parts.first, first, sizeof first);
  assert_int_equal(of_parts.to[0], 1);
  assert_int_equal(of_parts.to[1], 0);
  assert_int_equal(of_parts.bytes[0], 15);
  assert_int_equal(of_parts.bytes[1], 15);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_ways_add_up_sorted),
      cmocka_unit_test(no_traffic_gives_no_arcs),
      cmocka_unit_test(ranks_out_of_range_are_refused),
      cmocka_unit_test(parts_add_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

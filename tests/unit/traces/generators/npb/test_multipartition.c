#include "tests/unit/count.h"
#include "traces/generators/npb/multipartition.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static const struct {
  uint32_t points, ranks;
} CUBES[] = {{12, 1}, {12, 4}, {13, 9}, {12, 16}, {64, 25}, {102, 484}};

static bool same_cell(const struct multipartition_cell *a, const struct multipartition_cell *b)
{
  return a->at[0] == b->at[0] && a->at[1] == b->at[1] && a->at[2] == b->at[2];
}

/* Each cell belongs to one rank, and each rank has one cell in each slice of each axis. */
static void cells_fill_the_cube(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(CUBES); i++) {
    const struct multipartition m = multipartition_of(CUBES[i].points, CUBES[i].ranks);
    const uint32_t p = m.side;
    bool *seen = calloc((size_t)p * p * p, sizeof *seen);
    int64_t points = 0;
    assert_non_null(seen);
    for (uint32_t rank = 0; rank < CUBES[i].ranks; rank++)
      for (uint32_t slice = 0; slice < p; slice++) {
        const struct multipartition_cell c = multipartition_cell(&m, rank, 2, slice);
        const size_t number = c.at[0] + p * (c.at[1] + (size_t)p * c.at[2]);
        assert_int_equal(c.at[2], slice);
        assert_false(seen[number]);
        seen[number] = true;
        points += c.size[0] * c.size[1] * c.size[2];
        for (int axis = 0; axis < 2; axis++) {
          const struct multipartition_cell same = multipartition_cell(&m, rank, axis, c.at[axis]);
          assert_true(same_cell(&same, &c));
        }
      }
    assert_int_equal(points, (int64_t)CUBES[i].points * CUBES[i].points * CUBES[i].points);
    free(seen);
  }
}

/* The neighbour along an axis has the next cell along this axis, for each cell of the rank. */
static void neighbours_have_the_next_cell(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(CUBES); i++) {
    const struct multipartition m = multipartition_of(CUBES[i].points, CUBES[i].ranks);
    for (uint32_t rank = 0; rank < CUBES[i].ranks; rank++)
      for (int axis = 0; axis < MULTIPARTITION_AXES; axis++) {
        const uint32_t up = multipartition_neighbour(&m, rank, axis, +1);
        assert_int_equal(multipartition_neighbour(&m, up, axis, -1), rank);
        for (uint32_t slice = 0; slice + 1 < m.side; slice++) {
          struct multipartition_cell c = multipartition_cell(&m, rank, axis, slice);
          const struct multipartition_cell next = multipartition_cell(&m, up, axis, slice + 1);
          c.at[axis]++;
          assert_true(same_cell(&c, &next));
        }
      }
  }
}

/* The halo that a rank sends has the size that its neighbour receives. */
static void halos_agree(void **state)
{
  (void)state;
  enum { MESSAGES = 13 };
  for (size_t i = 0; i < COUNT(CUBES); i++) {
    const struct multipartition m = multipartition_of(CUBES[i].points, CUBES[i].ranks);
    struct err e;
    for (uint32_t rank = 0; rank < CUBES[i].ranks; rank++) {
      struct emit mine = {.rank = rank, .err = &e};
      multipartition_halo(&m, &mine);
      assert_int_equal(mine.count, m.side == 1 ? 0 : MESSAGES);
      for (size_t k = 6; m.side > 1 && k < 12; k++) {
        const struct action *send = &mine.action[k];
        struct emit theirs = {.rank = (uint32_t)send->partner, .err = &e};
        size_t found = 0;
        multipartition_halo(&m, &theirs);
        for (size_t r = 0; r < 6; r++)
          found += theirs.action[r].partner == (int32_t)rank && theirs.action[r].tag == send->tag &&
                   theirs.action[r].count == send->count;
        assert_int_equal(found, 1);
        emit_clear(&theirs);
      }
      emit_clear(&mine);
    }
  }
}

static void shares_add_up(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(CUBES); i++) {
    const struct multipartition m = multipartition_of(CUBES[i].points, CUBES[i].ranks);
    double share = 0;
    for (uint32_t rank = 0; rank < CUBES[i].ranks; rank++)
      share += multipartition_rank_share(&m, rank);
    assert_true(share > 1 - 1e-12 && share < 1 + 1e-12);
  }
}

/* The inner points of a slice exclude the surface of the cube. */
static void the_surface_is_left_out(void **state)
{
  (void)state;
  const struct multipartition m = multipartition_of(13, 9); /* slices of 5, 4, 4 */
  static const int64_t INNER[3] = {4, 4, 3};
  for (uint32_t slice = 0; slice < 3; slice++) {
    const struct multipartition_cell c = multipartition_cell(&m, 5, 1, slice);
    assert_int_equal(multipartition_inner(&m, &c, 1), INNER[slice]);
  }
  const struct multipartition whole = multipartition_of(12, 1);
  const struct multipartition_cell c = multipartition_cell(&whole, 0, 0, 0);
  assert_int_equal(multipartition_inner(&whole, &c, 0), 10);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cells_fill_the_cube),
      cmocka_unit_test(neighbours_have_the_next_cell),
      cmocka_unit_test(halos_agree),
      cmocka_unit_test(shares_add_up),
      cmocka_unit_test(the_surface_is_left_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

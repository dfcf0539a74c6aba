#include "tests/unit/count.h"
#include "traces/matrix/spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct matrix must_make(const char *spec)
{
  struct matrix m;
  struct err e;
  if (matrix_spec_open(&m, spec, NULL, &e) != OK)
    fail_msg("%s", e.text);
  for (size_t i = 0; i < m.count; i++) {
    const struct matrix_entry x = matrix_at(&m, i), before = matrix_at(&m, i == 0 ? 0 : i - 1);
    assert_true(x.src < m.ranks && x.dst < m.ranks && x.src != x.dst);
    assert_true(x.messages == 1 && x.bytes >= 1 && x.bytes <= 1u << 20);
    assert_true(i == 0 || before.src < x.src || (before.src == x.src && before.dst < x.dst));
    assert_true(m.dense == NULL || matrix_dense(&m, x.src, x.dst) == x.bytes);
  }
  return m;
}

static void dense_has_every_pair(void **state)
{
  (void)state;
  struct matrix m = must_make("dense:50"), same = must_make("dense:50:seed=1"),
                other = must_make("dense:50:seed=2");
  assert_int_equal(m.ranks, 50);
  assert_int_equal(m.count, 50 * 49);
  assert_null(m.entry);
  assert_memory_equal(m.dense, same.dense, m.count * sizeof *m.dense);
  assert_memory_not_equal(m.dense, other.dense, m.count * sizeof *m.dense);
  matrix_clear(&m);
  matrix_clear(&same);
  matrix_clear(&other);
}

/* Each link of the mesh gives two neighbours, one per direction, but not in the order of the
 * mesh. */
static void grid_has_every_neighbour(void **state)
{
  (void)state;
  static const struct {
    const char *spec;
    uint32_t ranks;
    size_t count;
  } rows[] = {{"grid:2", 2, 2},
              {"grid:4x3", 12, 34},
              {"grid:4x4x4:seed=9", 64, 288},
              {"grid:1x5x1", 5, 8},
              {"grid:2x2x2x2x2x2x2x2", 256, 2048}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct matrix m = must_make(rows[i].spec);
    assert_int_equal(m.ranks, rows[i].ranks);
    assert_int_equal(m.count, rows[i].count);
    size_t answered = 0;
    for (size_t a = 0; a < m.count; a++)
      for (size_t b = 0; b < m.count; b++)
        answered += m.entry[a].src == m.entry[b].dst && m.entry[a].dst == m.entry[b].src;
    assert_int_equal(answered, m.count);
    matrix_clear(&m);
  }
  struct matrix m = must_make("grid:64"), other = must_make("grid:64:seed=2");
  size_t straight = 0;
  for (size_t i = 0; i < m.count; i++)
    straight += m.entry[i].dst == m.entry[i].src + 1;
  assert_true(straight < 16);
  assert_memory_not_equal(m.entry, other.entry, m.count * sizeof *m.entry);
  matrix_clear(&m);
  matrix_clear(&other);
}

static void bad_specs_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *spec, *why;
  } rows[] = {
      {"dense:", "matrix 'dense:': 'ranks' is missing"},
      {"dense:1", "matrix 'dense:1': ranks: 1 is below the minimum of 2"},
      {"dense:16385",
       "matrix 'dense:16385': 268451840 pairs of ranks are more than a matrix keeps, "
       "268435456"},
      {"dense:1048577", "matrix 'dense:1048577': ranks: 1048577 is above the maximum of 1048576"},
      {"dense:4:sede=1", "matrix 'dense:4:sede=1': no option 'sede'; options: seed"},
      {"dense:4:seed=-1", "matrix 'dense:4:seed=-1': seed: '-1' is not a whole number"},
      {"dense:4:", "matrix 'dense:4:': no option ''; options: seed"},
      {"grid:4x", "matrix 'grid:4x': sides: '' is not a whole number"},
      {"grid:4x0", "matrix 'grid:4x0': sides: 0 is below the minimum of 1"},
      {"grid:1x1", "matrix 'grid:1x1': 1 rank has no neighbour"},
      {"grid:1024x1025", "matrix 'grid:1024x1025': more than 1048576 ranks"},
      {"grid:1x1x1x1x1x1x1x1x2", "matrix 'grid:1x1x1x1x1x1x1x1x2': more than 8 sides"},
      {"grind:4", "matrix 'grind:4': expected dense:N or grid:AxBx..."},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct matrix m = {.ranks = 99};
    struct err e;
    assert_int_equal(matrix_spec_make(&m, rows[i].spec, &e), FAIL);
    assert_string_equal(e.text, rows[i].why);
    assert_int_equal(m.ranks, 99);
  }
  assert_false(matrix_spec_is("dense"));
  assert_false(matrix_spec_is("./grid:4"));
  struct matrix m;
  struct err e;
  assert_int_equal(matrix_spec_open(&m, "no.tsv", NULL, &e), FAIL);
  assert_string_equal(e.text, "no.tsv: cannot read: No such file or directory");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dense_has_every_pair),
      cmocka_unit_test(grid_has_every_neighbour),
      cmocka_unit_test(bad_specs_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "common/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void arrays_are_zeroed_and_never_null(void **state)
{
  (void)state;
  struct err e;
  uint64_t *v = mem_array(1000, sizeof *v, &e);
  assert_non_null(v);
  for (int i = 0; i < 1000; i++)
    assert_int_equal(v[i], 0);
  free(v);
  void *empty = mem_array(0, 8, &e);
  assert_non_null(empty);
  free(empty);
}

static void lines_begin_with_a_line_of_the_cache(void **state)
{
  (void)state;
  struct err e;
  for (size_t lines = 0; lines <= 4096; lines = 2 * lines + 1) {
    unsigned char *v = mem_lines(lines, 64, &e);
    assert_non_null(v);
    assert_int_equal((uintptr_t)v % 64, 0);
    for (size_t i = 0; i < 64 * lines; i++)
      assert_int_equal(v[i], 0);
    free(v);
  }
}

static void sizes_that_overflow_are_refused(void **state)
{
  (void)state;
  struct err e;
  volatile size_t many = SIZE_MAX / 4;
  assert_null(mem_array(many, 8, &e));
  assert_non_null(strstr(e.text, "do not fit into three quarters of the memory"));
  assert_null(mem_lines(many, 64, &e));

  size_t capacity = 0;
  void *array = NULL;
  assert_int_equal(mem_enlarge(&array, &capacity, 3, 8, &e), OK);
  void *const before = array;
  assert_int_equal(mem_enlarge(&array, &capacity, SIZE_MAX, 1, &e), FAIL);
  assert_int_equal(mem_enlarge(&array, &capacity, many, 8, &e), FAIL);
  assert_ptr_equal(array, before);
  assert_int_equal(capacity, 8);
  free(array);
}

static void growing_keeps_the_elements(void **state)
{
  (void)state;
  struct err e;
  uint32_t *v = NULL;
  size_t capacity = 0;
  for (uint32_t i = 0; i < 5000; i++) {
    assert_int_equal(MEM_GROW(v, capacity, i + 1, &e), OK);
    assert_true(capacity > i);
    v[i] = i;
  }
  for (uint32_t i = 0; i < 5000; i++)
    assert_int_equal(v[i], i);
  free(v);
}

static void huge_arrays_do_not_fit(void **state)
{
  (void)state;
  struct err e;
  assert_int_equal(mem_fits(1, 1, &e), OK);
  assert_int_equal(mem_fits(UINT64_MAX, 0, &e), OK);
  assert_int_equal(mem_fits(UINT64_MAX / 8 + 1, 8, &e), FAIL);
  assert_string_equal(e.text,
                      "2305843009213693952 elements of 8 bytes do not fit into three quarters "
                      "of the memory");
}

/* mem_fits() refuses to double the array.  It allows one more element, because it counts added
 * elements only; the allocation of that size then fails. */
static void growing_needs_memory_for_new_elements_only(void **state)
{
  (void)state;
  struct err e;
  void *array = NULL;
  size_t capacity = (size_t)1 << 46;
  assert_int_equal(mem_enlarge(&array, &capacity, capacity + 1, 1, &e), FAIL);
  assert_string_equal(e.text, "out of memory for 70368744177665 elements of 1 bytes");
}

static void strings_are_copied(void **state)
{
  (void)state;
  struct err e;
  char text[] = "abc";
  char *copy = mem_strdup(text, &e);
  text[0] = 'x';
  assert_string_equal(copy, "abc");
  free(copy);
}

/* Preparing the heap affects time only.  Allocations must still work, even after preparing
 * twice. */
static void a_prepared_heap_serves_all_sizes(void **state)
{
  (void)state;
  struct err e;
  mem_prepare_heap();
  mem_prepare_heap();
  for (size_t size = 1; size < (size_t)1 << 28; size *= 5) {
    char *bytes = mem_array(size, 1, &e);
    assert_non_null(bytes);
    assert_int_equal(bytes[0] | bytes[size - 1], 0);
    bytes[0] = bytes[size - 1] = 1;
    free(bytes);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arrays_are_zeroed_and_never_null),
      cmocka_unit_test(lines_begin_with_a_line_of_the_cache),
      cmocka_unit_test(sizes_that_overflow_are_refused),
      cmocka_unit_test(growing_keeps_the_elements),
      cmocka_unit_test(huge_arrays_do_not_fit),
      cmocka_unit_test(growing_needs_memory_for_new_elements_only),
      cmocka_unit_test(strings_are_copied),
      cmocka_unit_test(a_prepared_heap_serves_all_sizes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mappers/qap/qaplib.h"
#include "tests/unit/scratch.h"

static void matrices_are_read_wherever_lines_end(void **state)
{
  (void)state;
  static const char *const texts[] = {"2\n\n0 1\n2 3\n\n4 5\n6 -7\n", "2 0 1 2 3 4 5 6 -7",
                                      "  2\t0\r\n1 2\r\n\r\n3 4 5\r\n6\r\n\f-7\r\n\r\n \n",
                                      "2\n0 1 2 3 4 5 6 -7.0"};
  static const int64_t flow[] = {0, 1, 2, 3}, distance[] = {4, 5, 6, -7};
  for (size_t i = 0; i < COUNT(texts); i++) {
    struct qap q;
    struct err e;
    scratch_write("q.dat", texts[i]);
    if (qaplib_load(&q, "q.dat", &e) != OK)
      fail_msg("%s", e.text);
    assert_int_equal(q.n, 2);
    assert_memory_equal(q.flow, flow, sizeof flow);
    assert_memory_equal(q.distance, distance, sizeof distance);
    qap_clear(&q);
  }
}

static void bad_files_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"", "q.dat: no size: the file is empty"},
      {"\n\n", "q.dat:2: no size: the file is empty"},
      {"0\n", "q.dat:1: the size: 0 facilities are outside 1..4096"},
      {"4097\n", "q.dat:1: the size: 4097 facilities are outside 1..4096"},
      {"-3\n", "q.dat:1: the size: '-3' is not a whole number"},
      {"x\n", "q.dat:1: the size: 'x' is not a whole number"},
      {"99999999999999999999\n", "q.dat:1: the size: '99999999999999999999' is out of range"},
      {"2\n0 1\n1 0\n0 1\n1\n", "q.dat:5: the file ends after 7 of 8 entries"},
      {"2\n", "q.dat:1: the file ends after 0 of 8 entries"},
      {"1\n1\n1\n\n1 2\n", "q.dat:5: '1' after two matrices of 1 x 1"},
      {"1\n1\n1\nbest known\n", "q.dat:4: 'best' after two matrices of 1 x 1"},
      {"1\n1\nnan\n", "q.dat:3: 'nan' is not a whole number"},
      {"1\n1\n1.5\n", "q.dat:3: '1.5' is not a whole number"},
      {"1\n0x10\n1\n", "q.dat:2: '0x10' is not a whole number"},
      {"1\n4294967296\n\n4294967296\n",
       "q.dat:4: the sum of the flows, 4294967296, the largest distance, 4294967296, or their "
       "product reaches 2^58"},
      {"1\n9223372036854775807\n0\n",
       "q.dat:3: the sum of the flows, 9223372036854775807, the largest distance, 0, or their "
       "product reaches 2^58"},
      {"1\n-9223372036854775808\n0\n", "q.dat:2: -9223372036854775808 is outside "
                                       "-9223372036854775807..9223372036854775807"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    struct qap q = {.n = 77};
    struct err e;
    scratch_write("q.dat", cases[i].text);
    assert_int_equal(qaplib_load(&q, "q.dat", &e), FAIL);
    assert_string_equal(e.text, cases[i].message);
    assert_int_equal(q.n, 77);
  }
  struct qap q;
  struct err e;
  assert_int_equal(qaplib_load(&q, "no.dat", &e), FAIL);
  assert_string_equal(e.text, "no.dat: cannot read: No such file or directory");
}

/* The objective as QAPLIB defines it, for an asymmetric problem.  With exchanged matrices, the
 * inverse permutation has the same value. */
static void values_are_defined_as_in_qaplib(void **state)
{
  (void)state;
  struct qap a, b;
  struct err e;
  const uint32_t at[] = {1, 2, 0}, inverse[] = {2, 0, 1};
  scratch_write("q.dat", "3  0 1 2  3 0 4  5 6 0   0 10 20  30 0 40  50 60 0");
  assert_int_equal(qaplib_load(&a, "q.dat", &e), OK);
  scratch_write("q.dat", "3  0 10 20  30 0 40  50 60 0   0 1 2  3 0 4  5 6 0");
  assert_int_equal(qaplib_load(&b, "q.dat", &e), OK);
  /* 1 x 40 + 2 x 30 + 3 x 60 + 4 x 50 + 5 x 10 + 6 x 20 */
  assert_int_equal(qap_value(&a, at), 650);
  assert_int_equal(qap_value(&b, inverse), 650);
  qap_clear(&a);
  qap_clear(&b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(matrices_are_read_wherever_lines_end, scratch_enter,
                                      scratch_leave),
      cmocka_unit_test_setup_teardown(bad_files_are_refused, scratch_enter, scratch_leave),
      cmocka_unit_test_setup_teardown(values_are_defined_as_in_qaplib, scratch_enter,
                                      scratch_leave),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "tests/unit/traces/matrix_case.h"

static void squares_of_numbers_are_matrices(void **state)
{
  (void)state;
  static const struct matrix_case GOOD[] = {
      {"0 5 0 0\n7 0 0 0\n0 0 0 1\n0 0 2 3\n", "4: 0>1 1x5 1>0 1x7 2>3 1x1 3>2 1x2 3>3 1x3"},
      {"# numpy\n0.0 1.5e+01 0 0\n\n0 0 0 0\n0\t0\t0\t0\n-0.0 0 0 2.0", "4: 0>1 1x15 3>3 1x2"},
      {"0 0 0 0\r\n0 0 0 0\r\n0 0 0 0\r\n0 0 9223372036854775807 0\r\n",
       "4: 3>2 1x9223372036854775807"},
      {"5\n", "1: 0>0 1x5"},
  };
  matrix_case_good(GOOD, COUNT(GOOD), "dense", NULL);
}

static void bad_matrices_are_refused(void **state)
{
  (void)state;
  static const struct matrix_case BAD[] = {
      {"", ":1: no numbers"},
      {"# only\n", ":1: no numbers"},
      {"0 1 2 3\n", ":1: 1 row of 4 numbers: not a square"},
      {"0 1 2 3\n0 1 2\n", ":2: 3 numbers instead of 4"},
      {"0 1 2 3\n0 1 2 3 4\n", ":2: '4' after 4 numbers"},
      {"0 1\n1 0\n1 1\n", ":3: a row after 2 rows of 2 numbers"},
      {"0 1\n1 0\n\n# end\n1 1\n", ":5: a row after 2 rows of 2 numbers"},
      {"0 1 x 3\n", ":1: 'x' is not a number"},
      {"0 1 nan 3\n", ":1: 'nan' is not a number"},
      {"0 1 inf 3\n", ":1: 'inf' is not a number"},
      {"0 1 0x10 3\n", ":1: '0x10' is not a number"},
      {"0 -1\n1 0\n", ":1: -1 is outside 0.."},
      {"0 0.5\n1 0\n", ":1: '0.5' is a fraction of a byte"},
      {"0 1e19\n1 0\n", ":1: 1e19 is outside 0.."},
      {"0 1e400\n1 0\n", ":1: '1e400' is not a number"},
      {"0 9223372036854775807\n1 0\n", ":2: the bytes exceed 9223372036854775807 in all"},
      {"0 1,\n1 0\n", ":1: '1,' is not a number"},
      {"0 1\n1 0 %\n", ":2: '%' after 2 numbers"},
      {"0 1\n1\n", ":2: 1 number instead of 2"},
      {"1 2 3\n4 5 6\n", ":2: 2 rows of 3 numbers: not a square"},
      {"0 1 - 3\n", ":1: '-' is not a number"},
      {"0 ---1\n", ":1: '---1' is not a number"},
  };
  matrix_case_bad(BAD, COUNT(BAD), "dense", NULL);
}

static void lines_of_two_or_three_words_are_edges(void **state)
{
  (void)state;
  static const struct matrix_case GOOD[] = {
      {"0 1\n", "2: 0>1 1x1"},
      {"# SNAP\n0\t1\n1\t2\n2\t0\n0\t1\n", "3: 0>1 2x2 1>2 1x1 2>0 1x1"},
      {"% KONECT\n5 0 100\n0 5 1e3\n", "6: 0>5 1x1000 5>0 1x100"},
      {"3 1 7\n\n1 3 0\n", "4: 3>1 1x7"},
      {"0 7 0\n", "8:"},
      {"1048575 0 1\n", "1048576: 1048575>0 1x1"},
  };
  matrix_case_good(GOOD, COUNT(GOOD), "edges", NULL);
}

static void bad_edges_are_refused(void **state)
{
  (void)state;
  static const struct matrix_case BAD[] = {
      {"", ":1: no edges"},
      {"# nothing\n\n", ":2: no edges"},
      {"0\n", ":1: 1 word, not 2 or 3: SRC DST [BYTES]"},
      {"0 1 2 3\n", ":1: '3' after SRC DST BYTES"},
      {"0 1\n1 2 3\n", ":2: 3 words, not 2 as in the first line"},
      {"0 1 5\n1 2\n", ":2: 2 words, not 3 as in the first line"},
      {"0 1 5\n1\n", ":2: 1 word, not 3 as in the first line"},
      {"-1 0 5\n", ":1: src: '-1' is not a whole number"},
      {"0 -1 5\n", ":1: dst: '-1' is not a whole number"},
      {"a b 5\n", ":1: src: 'a' is not a whole number"},
      {"0.0 1.0 5\n", ":1: src: '0.0' is not a whole number"},
      {"1048576 0 5\n", ":1: src: 1048576 is above the maximum of 1048575"},
      {"0 1048576 5\n", ":1: dst: 1048576 is above the maximum of 1048575"},
      {"0 18446744073709551616 5\n", ":1: dst: '18446744073709551616' is out of range"},
      {"0 1 -5\n", ":1: -5 is outside 0.."},
      {"0 1 5\n1 2 x\n", ":2: 'x' is not a number"},
      {"0 1 2.5\n", ":1: '2.5' is a fraction of a byte"},
      {"0,1,5\n", ":1: 1 word, not 2 or 3"},
      {"0 1 9223372036854775807\n# \n1 0 1\n", ":3: the bytes exceed"},
      {"0 1 9223372036854775808\n", ":1: 9223372036854775808 is outside"},
      {"{} 1 5\n", ":1: src: '{}' is not a whole number"},
  };
  matrix_case_bad(BAD, COUNT(BAD), "edges", NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(squares_of_numbers_are_matrices),
      cmocka_unit_test(bad_matrices_are_refused),
      cmocka_unit_test(lines_of_two_or_three_words_are_edges),
      cmocka_unit_test(bad_edges_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

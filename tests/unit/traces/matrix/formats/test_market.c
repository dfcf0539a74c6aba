#include "tests/unit/traces/matrix_case.h"

#define GENERAL "%%MatrixMarket matrix coordinate real general\n"

static void every_kind_of_matrix_is_read(void **state)
{
  (void)state;
  static const struct matrix_case GOOD[] = {
      {GENERAL "% from scipy\n\n3 3 3\n1 2 5.0\n3 1 1e3\n2 2 0\n", "3: 0>1 1x5 2>0 1x1000"},
      {"%%matrixmarket MATRIX Coordinate Integer General\r\n2 2 1\r\n2 1 7\r\n", "2: 1>0 1x7"},
      {"%%MatrixMarket matrix coordinate double general\n2 2 2\n1 2 5\n1 2 6\n", "2: 0>1 2x11"},
      {"%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n2 1\n3 3\n3 1\n",
       "3: 0>1 1x1 0>2 1x1 1>0 1x1 2>0 1x1 2>2 1x1"},
      {"%%MatrixMarket matrix coordinate unsigned-integer symmetric\n"
       "%%GraphBLAS type uint64_t\n2 2 1\n2 1 9223\n",
       "2: 0>1 1x9223 1>0 1x9223"},
      {"%%MatrixMarket matrix array real general\n% column by column\n2 2\n0\n7\n5.0\n0\n",
       "2: 0>1 1x5 1>0 1x7"},
      {"%%MatrixMarket matrix array integer symmetric\n2 2\n1 7\n0\n",
       "2: 0>0 1x1 0>1 1x7 1>0 1x7"},
      {GENERAL "4 4 0\n", "4:"},
      {GENERAL "100 100 11\n1 2 1\n1 3 1\n1 4 1\n1 5 1\n1 6 1\n1 7 1\n1 8 1\n1 9 1\n2 1 1\n3 1 1\n"
               "100 1 1\n",
       "100: 0>1 1x1 0>2 1x1 0>3 1x1 0>4 1x1 0>5 1x1 0>6 1x1 0>7 1x1 0>8 1x1 1>0 1x1 2>0 1x1 "
       "99>0 1x1"},
  };
  matrix_case_good(GOOD, COUNT(GOOD), "matrixmarket", NULL);
}

static void bad_headers_are_refused(void **state)
{
  (void)state;
  static const struct matrix_case BAD[] = {
      {"", ":1: no header %%MatrixMarket"},
      {"% a comment\n" GENERAL, ":1: the header '%' is none of %%MatrixMarket"},
      {"%%MatrixMarket\n", ":1: the object '' is none of matrix"},
      {"%%MatrixMarket vector coordinate real general\n", ":1: the object 'vector' is none of"},
      {"%%MatrixMarket matrix sparse real general\n",
       ":1: the format 'sparse' is none of coordinate, array"},
      {"%%MatrixMarket matrix coordinate complex general\n", ":1: the field 'complex' is none of"},
      {"%%MatrixMarket matrix coordinate real\n", ":1: the symmetry '' is none of general, symm"},
      {"%%MatrixMarket matrix coordinate real skew-symmetric\n",
       ":1: the symmetry 'skew-symmetric' is none of general, symmetric"},
      {"%%MatrixMarket matrix coordinate real hermitian\n", ":1: the symmetry 'hermitian' is"},
      {"%%MatrixMarket matrix array pattern general\n2 2\n",
       ":1: an array cannot have the field 'pattern'"},
      {GENERAL, ":1: no line with the size"},
      {GENERAL "%\n\n", ":3: no line with the size"},
      {GENERAL "3 3\n", ":2: the size is not ROWS COLUMNS ENTRIES"},
      {GENERAL "3 3 1 1\n", ":2: the size is not ROWS COLUMNS ENTRIES"},
      {"%%MatrixMarket matrix array real general\n3 3 1\n", ":2: the size is not ROWS COLUMNS"},
      {GENERAL "3 4 1\n", ":2: 3 rows and 4 columns: not square"},
      {GENERAL "0 0 0\n", ":2: rows: 0 is below the minimum of 1"},
      {GENERAL "1048577 1048577 0\n", ":2: rows: 1048577 is above the maximum of 1048576"},
      {GENERAL "3 x 1\n", ":2: columns: 'x' is not a whole number"},
      {GENERAL "3 3 -1\n", ":2: entries: '-1' is not a whole number"},
  };
  matrix_case_bad(BAD, COUNT(BAD), "matrixmarket", NULL);
}

#define ARRAY     "%%MatrixMarket matrix array real general\n2 2\n"
#define SYMMETRIC "%%MatrixMarket matrix coordinate integer symmetric\n3 3 1\n"

static void bad_entries_are_refused(void **state)
{
  (void)state;
  static const struct matrix_case BAD[] = {
      {GENERAL "3 3 1\n", ":2: 0 entries instead of 1"},
      {GENERAL "3 3 2\n1 1 1\n%\n", ":4: 1 entry instead of 2"},
      {GENERAL "3 3 1\n1 1 1\n\n2 2 2\n", ":5: a line after 1 entry"},
      {GENERAL "3 3 1\n1 1\n", ":3: fewer words than ROW COLUMN VALUE"},
      {GENERAL "3 3 1\n1\n", ":3: fewer words than ROW COLUMN VALUE"},
      {GENERAL "3 3 1\n1 1 1 1\n", ":3: '1' after ROW COLUMN VALUE"},
      {"%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 1 1\n",
       ":3: '1' after ROW COLUMN"},
      {GENERAL "3 3 1\n0 1 1\n", ":3: row: 0 is below the minimum of 1"},
      {GENERAL "3 3 1\n1 4 1\n", ":3: column: 4 is above the maximum of 3"},
      {GENERAL "3 3 1\n1.0 1 1\n", ":3: row: '1.0' is not a whole number"},
      {GENERAL "3 3 1\n1 2 -1\n", ":3: -1 is outside 0.."},
      {GENERAL "3 3 1\n1 2 1,5\n", ":3: '1,5' is not a number"},
      {GENERAL "3 3 1\n1 2 .5\n", ":3: '.5' is a fraction of a byte"},
      {GENERAL "3 3 1\n1 2 1d3\n", ":3: '1d3' is not a number"},
      {SYMMETRIC "1 2 5\n", ":3: row 1, column 2: above the diagonal of a symmetric matrix"},
      {SYMMETRIC "2 1 9223372036854775807\n", ":3: the bytes exceed"},
      {ARRAY "1\n2\n3\n", ":5: the file ends before row 2, column 2"},
      {ARRAY "1 2\n3 4\n5\n", ":5: '5' after all values of 2 columns"},
      {ARRAY "1\n2\nx\n", ":5: 'x' is not a number"},
      {"%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n",
       ":4: the file ends before row 2, column 2"},
  };
  matrix_case_bad(BAD, COUNT(BAD), "matrixmarket", NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_of_matrix_is_read),
      cmocka_unit_test(bad_headers_are_refused),
      cmocka_unit_test(bad_entries_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "tests/unit/traces/matrix_case.h"

static void dense_tables_are_read(void **state)
{
  (void)state;
  static const struct matrix_case GOOD[] = {
      {"0,5\n7,0\n", "2: 0>1 1x5 1>0 1x7"},
      {"0;5\n7;0\n", "2: 0>1 1x5 1>0 1x7"},
      {"# a comment\n 0 , 5.0 \n\n7,0", "2: 0>1 1x5 1>0 1x7"},
      /* pandas, with and without names of rows */
      {",0,1\n0,0.0,5.0\n1,7.0,0.0\n", "2: 0>1 1x5 1>0 1x7"},
      {"\t0\t1\n0\t0\t5\n1\t7\t0\n", "2: 0>1 1x5 1>0 1x7"},
      {"a,b\n0,5\n7,0\n", "2: 0>1 1x5 1>0 1x7"},
      {"rank,0,1\n0,0,5\n1,7,0\n", "2: 0>1 1x5 1>0 1x7"},
      {"rank,a,b\na,0,5\nb,7,0\n", "2: 0>1 1x5 1>0 1x7"},
      /* R: write.csv(), write.table(sep = "\t"), row.names = FALSE */
      {"\"\",\"V1\",\"V2\"\n\"1\",0,5\n\"2\",7,0\n", "2: 0>1 1x5 1>0 1x7"},
      {"\"V1\"\t\"V2\"\n\"1\"\t0\t5\n\"2\"\t7\t0\n", "2: 0>1 1x5 1>0 1x7"},
      {"\"V1\",\"V2\"\n0,5\n7,0\n", "2: 0>1 1x5 1>0 1x7"},
      {"\"a \"\"x\"\", b\",c\n0,5\n7,0\n", "2: 0>1 1x5 1>0 1x7"},
  };
  matrix_case_good(GOOD, COUNT(GOOD), "csv", NULL);
}

static void lists_with_a_header_are_read(void **state)
{
  (void)state;
  static const struct matrix_case GOOD[] = {
      {"src,dst,bytes\n0,1,5\n1,0,7\n0,1,5\n", "2: 0>1 2x10 1>0 1x7"},
      {"Source,Target,Weight\n3,0,1e3\n0,3,0\n", "4: 3>0 1x1000"},
      {"dst;src;count;volume\n1;0;4;100\n0;1;2;0\n0;0;0;0\n", "2: 0>1 4x100 1>0 2x0"},
      {"from\tto\tvalue\n0\t1\t5\n", "2: 0>1 1x5"},
      {"src,dst,bytes_per_s\n0,1,1000.4\n", "2: 0>1 1x1000"},
  };
  matrix_case_good(GOOD, COUNT(GOOD), "csv", NULL);
}

static void bad_tables_are_refused(void **state)
{
  (void)state;
  static const struct matrix_case BAD[] = {
      {"", ":1: the table has no lines"},
      {"# nothing\n", ":1: the table has no lines"},
      {"0,5\n7\n", ":2: 1 number instead of 2"},
      {"0,5\n7,0,1\n", ":2: '1' after 2 numbers"},
      {"0,5\n", ":1: 1 row of 2 numbers: not a square"},
      {"0,5\n7,0\n1,1\n", ":3: a row after 2 rows of 2 numbers"},
      {"a,b\n", ":1: no numbers"},
      {"a,b\n0\n", ":2: 1 field under a header of 2"},
      {"a,b\n0,1,2,3\n", ":2: 4 fields under a header of 2"},
      {"a,b\n0,x\n", ":2: 'x' is not a number"},
      {"0,5\nx,0\n", ":2: 'x' is not a number"},
      {"0,\n,0\n", ":1: field 2 is empty"},
      {"0,5,\n7,0,\n", ":1: field 3 is empty"},
      {"0,5\n7,\n", ":2: '' is not a number"},
      {",a,b\nb,0,1\na,1,0\n", ":2: row 1 is named 'b', as column 2: rows and columns differ"},
      {"\"a,b\n0,1\n", ":1: field 1 has no end of its quotes"},
      {"a,\"b\"c\n0,1\n", ":1: field 2 has no end of its quotes"},
      {"0,-5\n7,0\n", ":1: -5 is outside 0.."},
      {"0;1,5\n7;0\n", ":2: 1 field under a header of 2"},
      {"0,0.25\n7,0\n", ":1: '0.25' is a fraction of a byte"},
      {"0,1e30\n7,0\n", ":1: 1e30 is outside"},
  };
  matrix_case_bad(BAD, COUNT(BAD), "csv", NULL);
}

static void bad_lists_are_refused(void **state)
{
  (void)state;
  static const struct matrix_case BAD[] = {
      {"src,bytes\n0,1\n", ":1: the header has 'src', but not the columns src and dst of a list"},
      {"link,bytes\na,1\n", ":1: the header has 'bytes', but not the columns src and dst"},
      {"src,dst\n0,1\n", ":1: none of the columns bytes and bytes_per_s"},
      {"src,dst,bytes,Bps\n0,1,5,5\n", ":1: both of the columns bytes and bytes_per_s"},
      {"src,dst,bytes,weight\n0,1,5,5\n", ":1: a second column for bytes: 'weight'"},
      {"src,src,dst,bytes\n", ":1: a second column for src: 'src'"},
      {"src,dst,bytes,time\n", ":1: the column 'time' is none of src, dst, messages, bytes"},
      {"src,dst,bytes\n", ":1: no edges"},
      {"src,dst,bytes\n0,1\n", ":2: 2 fields instead of 3"},
      {"src,dst,bytes\n0,1,5,6\n", ":2: 4 fields instead of 3"},
      {"src,dst,bytes\n0,1,\n", ":2: '' is not a number"},
      {"src,dst,bytes\n,1,5\n", ":2: src: '' is not a whole number"},
      {"src,dst,bytes\n0,b,5\n", ":2: dst: 'b' is not a whole number"},
      {"src,dst,bytes\n0,1048576,5\n", ":2: dst: 1048576 is above the maximum of 1048575"},
      {"src,dst,bytes\n-1,1,5\n", ":2: src: '-1' is not a whole number"},
      {"src,dst,bytes\n0,1,0.5\n", ":2: '0.5' is a fraction of a byte"},
      {"src,dst,bytes_per_s\n0,1,0.3\n",
       ": whole bytes per second would change the rates by 100 %"},
      {"src,dst,messages,bytes\n0,1,0,5\n", ":2: 5 bytes in 0 messages"},
      {"src,dst,messages,bytes\n0,1,1.5,5\n", ":2: messages: '1.5' is not a whole number"},
      {"src,dst,messages,bytes\n0,1,9223372036854775808,5\n", ":2: messages: 9223372036854775808"},
      {"src,dst,messages,bytes\n0,1,9223372036854775807,5\n1,0,1,1\n", ":3: the messages exceed"},
      {"src,dst,bytes\n0,1,9223372036854775807\n\n1,0,1\n", ":4: the bytes exceed"},
      {"src,dst,bytes\n0,\"1,5\n", ":2: field 2 has no end of its quotes"},
  };
  matrix_case_bad(BAD, COUNT(BAD), "csv", NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dense_tables_are_read),
      cmocka_unit_test(lists_with_a_header_are_read),
      cmocka_unit_test(bad_tables_are_refused),
      cmocka_unit_test(bad_lists_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

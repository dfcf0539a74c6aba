#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/column.h"

struct record {
  double time_s;
  uint32_t hops;
  uint64_t bytes;
};

static const struct column COLUMNS[] = {
    {"bytes", COLUMN_U64, offsetof(struct record, bytes)},
    {"hops", COLUMN_U32, offsetof(struct record, hops)},
    {"time_s", COLUMN_DOUBLE, offsetof(struct record, time_s)},
    {.name = NULL},
};

static const struct record RECORD = {0.1 + 0.2, UINT32_MAX, UINT64_MAX};

static void printed_records_are_read_back(void **state)
{
  (void)state;
  struct record read = {0};
  struct err e;
  for (const struct column *c = COLUMNS; c->name != NULL; c++) {
    char text[64] = "";
    FILE *f = fmemopen(text, sizeof text, "w");
    column_print(c, &RECORD, f);
    fclose(f);
    assert_int_equal(column_read(c, &read, text, &e), OK);
  }
  assert_true(read.time_s == RECORD.time_s);
  assert_int_equal(read.hops, RECORD.hops);
  assert_true(read.bytes == RECORD.bytes);
}

static void bad_rows_are_refused(void **state)
{
  (void)state;
  struct record r = {.hops = 7};
  struct err e;
  assert_int_equal(column_read(&COLUMNS[1], &r, "4294967296", &e), FAIL);
  assert_int_equal(column_read(&COLUMNS[1], &r, "-1", &e), FAIL);
  assert_int_equal(column_read(&COLUMNS[2], &r, "inf", &e), FAIL);
  assert_int_equal(column_read(&COLUMNS[2], &r, "", &e), FAIL);
  assert_int_equal(r.hops, 7);
}

static void values_are_read_and_set_as_numbers(void **state)
{
  (void)state;
  struct record r = {.time_s = 0.5, .hops = 3, .bytes = 7};
  assert_true(column_value(&COLUMNS[0], &r) == 7);
  assert_true(column_value(&COLUMNS[1], &r) == 3);
  assert_true(column_value(&COLUMNS[2], &r) == 0.5);
  for (const struct column *c = COLUMNS; c->name != NULL; c++)
    column_set(c, &r, 2.5);
  assert_int_equal(r.bytes, 3);
  assert_int_equal(r.hops, 3);
  assert_true(r.time_s == 2.5);
  column_set(&COLUMNS[1], &r, 2.4);
  assert_int_equal(r.hops, 2);
}

static void a_report_has_all_in_order(void **state)
{
  (void)state;
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  struct report r;
  report_begin(&r, f, NULL);
  column_report(COLUMNS, &RECORD, &r);
  report_end(&r);
  fclose(f);
  assert_string_equal(text, "bytes\t18446744073709551615\nhops\t4294967295\n"
                            "time_s\t0.30000000000000004\n");
  free(text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(printed_records_are_read_back),
      cmocka_unit_test(bad_rows_are_refused),
      cmocka_unit_test(values_are_read_and_set_as_numbers),
      cmocka_unit_test(a_report_has_all_in_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

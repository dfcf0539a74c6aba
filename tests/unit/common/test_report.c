#include "common/report.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static char *print_all(const struct report_format *format)
{
  char *text;
  size_t size;
  struct report r;
  FILE *f = open_memstream(&text, &size);
  assert_non_null(f);
  report_begin(&r, f, format);
  report_u64(&r, "ranks", UINT64_MAX);
  report_double(&r, "time_s", 0.1);
  report_text(&r, "name", "a\"b\\c\td");
  report_double(&r, "bad", NAN);
  report_end(&r);
  fclose(f);
  return text;
}

static void both_formats_hold_the_same(void **state)
{
  (void)state;
  char *tsv = print_all(&report_tsv), *json = print_all(&report_json);
  assert_string_equal(tsv, "ranks\t18446744073709551615\ntime_s\t0.1\n"
                           "name\ta\"b\\c?d\nbad\tnan\n");
  assert_string_equal(json, "{\n  \"ranks\": 18446744073709551615,\n  \"time_s\": 0.1,\n"
                            "  \"name\": \"a\\\"b\\\\c\\u0009d\",\n  \"bad\": null\n}\n");
  free(tsv);
  free(json);
}

static void doubles_are_short_and_exact(void **state)
{
  (void)state;
  static const struct {
    double value;
    const char *want;
  } rows[] = {
      {0, "x\t0\n"},
      {1.0 / 3, "x\t0.3333333333333333\n"},
      {0.1 + 0.2, "x\t0.30000000000000004\n"},
      {1e-9, "x\t1e-09\n"},
      {-DBL_MAX, "x\t-1.7976931348623157e+308\n"},
      {0x1p-1022, "x\t2.2250738585072014e-308\n"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char *text;
    size_t size;
    struct report r;
    FILE *f = open_memstream(&text, &size);
    report_begin(&r, f, &report_tsv);
    report_double(&r, "x", rows[i].value);
    report_end(&r);
    fclose(f);
    assert_string_equal(text, rows[i].want);
    free(text);
  }
}

static void formats_have_names(void **state)
{
  (void)state;
  struct err e;
  assert_ptr_equal(registry_get(&report_formats, "json", &e), &report_json);
  assert_ptr_equal(registry_get(&report_formats, "tsv", &e), &report_tsv);
  assert_null(registry_get(&report_formats, "xml", &e));
  assert_string_equal(e.text, "unknown format 'xml'; expected tsv or json");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_formats_hold_the_same),
      cmocka_unit_test(doubles_are_short_and_exact),
      cmocka_unit_test(formats_have_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

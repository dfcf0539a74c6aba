#include "common/num.h"
#include "tests/unit/count.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void whole_numbers(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    uint64_t max, value;
  } good[] = {
      {"0", 0, 0},
      {"007", 9, 7},
      {"42", 42, 42},
      {"18446744073709551615", UINT64_MAX, UINT64_MAX},
  };
  static const struct {
    const char *text;
    uint64_t max;
    const char *why;
  } bad[] = {
      {"", 9, "'' is not a whole number"},
      {"-1", 9, "'-1' is not"},
      {"+1", 9, "'+1' is not"},
      {" 1", 9, "' 1' is not"},
      {"1 ", 9, "'1 ' is not"},
      {"1e3", 9999, "'1e3' is not"},
      {"0x10", 99, "'0x10' is not"},
      {"43", 42, "43 is above the maximum of 42"},
      {"18446744073709551616", UINT64_MAX, "out of range"},
      {"99999999999999999999999", UINT64_MAX, "out of range"},
  };
  struct err e;
  for (size_t i = 0; i < COUNT(good); i++) {
    uint64_t v = 99;
    assert_int_equal(num_u64(good[i].text, good[i].max, &v, &e), OK);
    assert_int_equal(v, good[i].value);
  }
  for (size_t i = 0; i < COUNT(bad); i++) {
    uint64_t v = 99;
    assert_int_equal(num_u64(bad[i].text, bad[i].max, &v, &e), FAIL);
    assert_non_null(strstr(e.text, bad[i].why));
    assert_int_equal(v, 99);
  }
}

static void short_numbers(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    uint32_t value;
  } good[] = {{"0", 0}, {"007", 7}, {"65536", 65536}, {"999999999", 999999999}};
  static const char *const OTHERS[] = {"", "-1", "1 ", " 1", "1x", "1e3", "0x1", "1000000000"};
  uint32_t v;
  for (size_t i = 0; i < COUNT(good); i++) {
    assert_true(num_short(good[i].text, &v));
    assert_int_equal(v, good[i].value);
  }
  for (size_t i = 0; i < COUNT(OTHERS); i++)
    assert_false(num_short(OTHERS[i], &v));
}

static const struct {
  const char *text, *why;
} BAD_SIGNED[] = {
    {"", "'' is not a whole number"},
    {"-", "'-' is not"},
    {"1.5", "'1.5' is not"},
    {"--1", "'--1' is not"},
    {"1x", "'1x' is not"},
    {"0x10", "'0x10' is not"},
    {"nan", "'nan' is not"},
    {"inf", "'inf' is not"},
    {"1e17", "'1e17' is not"},
    {"9223372036854775808", "out of range"},
    {" 1.0", "' 1.0' is not"},
    {"1e999", "'1e999' is not"},
};

static void signed_numbers(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    int64_t value;
  } good[] = {
      {"-0", 0},
      {"-333", -333},
      {"1e+06", 1000000},
      {"-1.5e1", -15},
      {"9223372036854775807", INT64_MAX},
      {"-9223372036854775808", INT64_MIN},
      {"9007199254740992.0", 9007199254740992},
  };
  struct err e;
  for (size_t i = 0; i < COUNT(good); i++) {
    int64_t v = 99;
    assert_int_equal(num_i64(good[i].text, INT64_MIN, INT64_MAX, &v, &e), OK);
    assert_int_equal(v, good[i].value);
  }
  for (size_t i = 0; i < COUNT(BAD_SIGNED); i++) {
    int64_t v = 99;
    assert_int_equal(num_i64(BAD_SIGNED[i].text, INT64_MIN, INT64_MAX, &v, &e), FAIL);
    assert_non_null(strstr(e.text, BAD_SIGNED[i].why));
    assert_int_equal(v, 99);
  }
  int64_t v;
  assert_int_equal(num_i64("-2", -1, 5, &v, &e), FAIL);
  assert_string_equal(e.text, "-2 is outside -1..5");
  assert_int_equal(num_i64("6", -1, 5, &v, &e), FAIL);
  assert_int_equal(num_i64("6.0", -1, 5, &v, &e), FAIL);
}

static void decimal_numbers(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    double value;
  } good[] = {{"0", 0}, {"-1.5", -1.5}, {".5", .5}, {"+2", 2}, {"9.32766e+06", 9327660}};
  static const char *const bad[] = {"",    "nan", "-inf", "0x1p3", "-0x1", "1e999",
                                    "1,5", "1 ",  " 1",   "e5",    "-",    "1e"};
  struct err e;
  double v;
  for (size_t i = 0; i < COUNT(good); i++) {
    assert_int_equal(num_double(good[i].text, -DBL_MAX, DBL_MAX, &v, &e), OK);
    assert_true(v == good[i].value);
  }
  for (size_t i = 0; i < COUNT(bad); i++) {
    v = 99;
    assert_int_equal(num_double(bad[i], -DBL_MAX, DBL_MAX, &v, &e), FAIL);
    assert_non_null(strstr(e.text, "is not a number"));
    assert_true(v == 99);
  }
  assert_int_equal(num_double("-1", 0, 10, &v, &e), FAIL);
  assert_string_equal(e.text, "-1 is outside 0..10");
  assert_int_equal(num_double("10.5", 0, 10, &v, &e), FAIL);
}

static const struct {
  const char *text;
  enum num_unit unit;
  const char *why;
} BAD_QUANTITIES[] = {
    {"", NUM_SPEED, "'' is not a speed"},         {"1G", NUM_SPEED, "'1G' is not a speed"},
    {"1GBps", NUM_SPEED, "is not a speed"},       {"1Xf", NUM_SPEED, "is not a speed"},
    {"-1f", NUM_SPEED, "out of range"},           {"0f", NUM_SPEED, "out of range"},
    {"1e308Gf", NUM_SPEED, "out of range"},       {"1.01e300s", NUM_TIME, "out of range"},
    {"4GiBps", NUM_SIZE, "is not a size"},        {"0", NUM_SIZE, "out of range"},
    {"1ns", NUM_BANDWIDTH, "is not a bandwidth"}, {"0Bps", NUM_BANDWIDTH, "out of range"},
    {"-1ns", NUM_TIME, "out of range"},           {"1 ns", NUM_TIME, "is not a time"},
    {"nan", NUM_TIME, "is not a time"},           {"1nss", NUM_TIME, "is not a time"},
    {"1Gflops", NUM_SPEED, "is not a speed"},     {"1Kif", NUM_SPEED, "is not a speed"},
    {"1e-310f", NUM_SPEED, "is not a speed"},
};

static void quantities(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    enum num_unit unit;
    double value;
  } good[] = {
      {"1Gf", NUM_SPEED, 1e9},
      {"500Mf", NUM_SPEED, 5e8},
      {"2.5e9f", NUM_SPEED, 2.5e9},
      {"7f", NUM_SPEED, 7},
      {"1kiloflops", NUM_SPEED, 1e3},
      {"2flops", NUM_SPEED, 2},
      {"1Yf", NUM_SPEED, 1e24},
      {"1Kibps", NUM_BANDWIDTH, 128},
      {"1.25GBps", NUM_BANDWIDTH, 1.25e9},
      {"10Gbps", NUM_BANDWIDTH, 1.25e9},
      {"1GiBps", NUM_BANDWIDTH, 1073741824},
      {"8bps", NUM_BANDWIDTH, 1},
      {"4GiB", NUM_SIZE, 4294967296},
      {"1.5MB", NUM_SIZE, 1.5e6},
      {"7B", NUM_SIZE, 7},
      {"100ns", NUM_TIME, 100 * 1e-9},
      {"1.5us", NUM_TIME, 1.5 * 1e-6},
      {"2ms", NUM_TIME, 2 * 1e-3},
      {"1m", NUM_TIME, 60},
      {"1w", NUM_TIME, 604800},
      {"0", NUM_TIME, 0},
  };
  struct err e;
  double v;
  for (size_t i = 0; i < COUNT(good); i++) {
    assert_int_equal(num_quantity(good[i].text, good[i].unit, &v, &e), OK);
    assert_true(v == good[i].value);
  }
  for (size_t i = 0; i < COUNT(BAD_QUANTITIES); i++) {
    v = 99;
    assert_int_equal(num_quantity(BAD_QUANTITIES[i].text, BAD_QUANTITIES[i].unit, &v, &e), FAIL);
    assert_non_null(strstr(e.text, BAD_QUANTITIES[i].why));
    assert_true(v == 99);
  }
}

static void a_quantity_without_its_unit_is_refused(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    enum num_unit unit;
    const char *why;
  } bare[] = {
      {"7", NUM_SPEED, "'7' has no unit; a speed (as 1Gf) is in f, kf, Mf, Gf"},
      {"100", NUM_BANDWIDTH, "'100' has no unit; a bandwidth (as 1.25GBps) is in Bps, kBps"},
      {"7e3", NUM_SIZE, "'7e3' has no unit; a size (as 4GiB) is in B, kB"},
      {"3", NUM_TIME, "'3' has no unit; a time (as 100ns) is in ps, ns, us, ms, s, m, h, d, w"},
  };
  static const struct {
    const char *text;
    enum num_unit unit;
    const char *perhaps;
  } other[] = {
      {"10GB/s", NUM_BANDWIDTH, "'10GB/s' is not a bandwidth (as 1.25GBps), perhaps '10GBps'"},
      {"8Gbit/s", NUM_BANDWIDTH, "'8Gbit/s' is not a bandwidth (as 1.25GBps), perhaps '8Gbps'"},
      {"10Gflops", NUM_SPEED, "'10Gflops' is not a speed (as 1Gf), perhaps '10Gf'"},
      {"2.5GFlop/s", NUM_SPEED, "'2.5GFlop/s' is not a speed (as 1Gf), perhaps '2.5Gf'"},
      {"3sec", NUM_TIME, "'3sec' is not a time (as 100ns), perhaps '3s'"},
      {"3seconds", NUM_SPEED, "'3seconds' is not a speed (as 1Gf)"},
      {"4MBytes", NUM_SIZE, "'4MBytes' is not a size (as 4GiB), perhaps '4MB'"},
  };
  struct err e;
  double v;
  for (size_t i = 0; i < COUNT(bare); i++) {
    assert_int_equal(num_quantity(bare[i].text, bare[i].unit, &v, &e), FAIL);
    assert_non_null(strstr(e.text, bare[i].why));
    assert_int_equal(num_quantity_bare(bare[i].text, bare[i].unit, &v, &e), OK);
    assert_true(v == strtod(bare[i].text, NULL));
  }
  for (size_t i = 0; i < COUNT(other); i++) {
    assert_int_equal(num_quantity(other[i].text, other[i].unit, &v, &e), FAIL);
    assert_string_equal(e.text, other[i].perhaps);
  }
}

static void shares(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    double value; /* negative: refused */
    const char *why;
  } ROWS[] = {
      {"0.01", 0.01, ""},
      {"1%", 0.01, ""},
      {"0", 0, ""},
      {"200%", 2, ""},
      {"2", 2, ""},
      {"201%", -1, "201 is outside 0..200"},
      {"2.1", -1, "2.1 is outside 0..2"},
      {"-1%", -1, "-1 is outside 0..200"},
      {"1x%", -1, "'1x' is not a number"},
      {"%", -1, "'' is not a number"},
      {"", -1, "'' is not a number"},
      {"1%%", -1, "'1%' is not a number"},
      {"1111111111111111111111111111111111111111111111111111111111111111%", -1, "is too long"},
  };
  for (size_t i = 0; i < COUNT(ROWS); i++) {
    struct err e;
    double v = 9;
    assert_int_equal(num_share(ROWS[i].text, 2, &v, &e), ROWS[i].value < 0 ? FAIL : OK);
    assert_true(v == (ROWS[i].value < 0 ? 9 : ROWS[i].value));
    if (ROWS[i].value < 0)
      assert_non_null(strstr(e.text, ROWS[i].why));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(whole_numbers),  cmocka_unit_test(short_numbers),
      cmocka_unit_test(signed_numbers), cmocka_unit_test(decimal_numbers),
      cmocka_unit_test(quantities),     cmocka_unit_test(a_quantity_without_its_unit_is_refused),
      cmocka_unit_test(shares),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

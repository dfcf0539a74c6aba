#include "tests/unit/traces/matrix_case.h"

#define HEADER "src\tdst\tmessages\tbytes\n"

static struct matrix_reading tsv(void)
{
  struct err e;
  return (struct matrix_reading){.format = registry_get(&matrix_formats, "tsv", &e)};
}

static void good_files_load(void **state)
{
  (void)state;
  const struct matrix_reading how = tsv();
  static const struct {
    const char *text;
    uint32_t ranks;
    size_t count;
  } rows[] = {
      {HEADER, 0, 0},
      {HEADER "0\t0\t1\t0\n", 1, 1},
      {HEADER "0\t1048575\t9223372036854775807\t9223372036854775807\n", 1048576, 1},
      {HEADER "0\t1\t1\t5\n0\t3\t1\t5\n2\t0\t1\t5\n", 4, 3},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    const struct scratch_file f = scratch_file(rows[i].text, strlen(rows[i].text));
    struct matrix m;
    struct err e;
    assert_int_equal(matrix_load(&m, f.path, &how, &e), OK);
    scratch_close(&f);
    assert_int_equal(m.ranks, rows[i].ranks);
    assert_int_equal(m.count, rows[i].count);
    matrix_clear(&m);
  }
}

#define ROW(text, why)                                                                             \
  {                                                                                                \
    text, sizeof text - 1, why                                                                     \
  }
static const struct {
  const char *text;
  size_t size;
  const char *why; /* the error after the file name */
} BAD_FILES[] = {
    ROW("", ":1: the header is '' instead of 'src dst messages bytes'"),
    ROW("src dst bytes messages\n", ":1: the header is 'src dst bytes messages' instead"),
    ROW("src dst messages\n", ":1: the header is 'src dst messages' instead"),
    ROW("src dst messages bytes hops\n", ":1: the header is 'src dst messages bytes hops' instead"),
    ROW("0\t1\t1\t1\n", ":1: the header is"),
    ROW(HEADER "0\t1\t1\n", ":2: 3 fields instead of 4"),
    ROW(HEADER "\n", ":2: 0 fields instead of 4"),
    ROW(HEADER "0\t1\t1\t1\t9\n", ":2: more than 4 fields: '9'"),
    ROW(HEADER "0,1,1,1\n", ":2: src: '0,1,1,1' is not a whole number"),
    ROW(HEADER "1048576\t1\t1\t1\n", ":2: src: 1048576 is above the maximum of 1048575"),
    ROW(HEADER "0\t1048576\t1\t1\n", ":2: dst: 1048576 is above the maximum of 1048575"),
    ROW(HEADER "0\t1\t-1\t1\n", ":2: messages: '-1' is not a whole number"),
    ROW(HEADER "0\t1\t0\t1\n", ":2: 0 messages"),
    ROW(HEADER "0\t1\t1\t9223372036854775808\n", ":2: bytes: 9223372036854775808 is above"),
    ROW(HEADER "0\t1\t1\t1\n0\t1\t1\t1\n", ":3: the pair 0 1 is not above"),
    ROW(HEADER "0\t1\t1\t1\n0\t0\t1\t1\n", ":3: the pair 0 0 is not above"),
    ROW(HEADER "1\t0\t1\t1\n0\t1\t1\t1\n", ":3: the pair 0 1 is not above"),
    ROW(HEADER "0\t0\t1\t1\n0\t1\t1\t9223372036854775807\n", ":3: the bytes exceed"),
    ROW(HEADER "0\t0\t1\t1\n0\t1\t9223372036854775807\t1\n", ":3: the messages exceed"),
    ROW(HEADER "0\t0\t1\t1\0\n", ":2: a NUL character"),
};

static void bad_files_are_refused(void **state)
{
  (void)state;
  const struct matrix_reading how = tsv();
  for (size_t i = 0; i < COUNT(BAD_FILES); i++) {
    const struct scratch_file f = scratch_file(BAD_FILES[i].text, BAD_FILES[i].size);
    struct matrix m = {.ranks = 99};
    struct err e;
    assert_int_equal(matrix_load(&m, f.path, &how, &e), FAIL);
    scratch_close(&f);
    assert_int_equal(m.ranks, 99);
    assert_memory_equal(e.text, f.path, strlen(f.path));
    if (strncmp(e.text + strlen(f.path), BAD_FILES[i].why, strlen(BAD_FILES[i].why)) != 0)
      fail_msg("row %zu says '%s', not '%s'", i, e.text, BAD_FILES[i].why);
  }
}

static void unreadable_files_are_refused(void **state)
{
  (void)state;
  struct matrix m;
  struct err e;
  assert_int_equal(matrix_load(&m, "no/such/file", NULL, &e), FAIL);
  assert_string_equal(e.text, "no/such/file: cannot read: No such file or directory");
  assert_int_equal(matrix_load(&m, "/tmp", NULL, &e), FAIL);
  assert_string_equal(e.text, "/tmp: cannot read: Is a directory");
}

static void a_file_that_fits_none_or_several_is_refused(void **state)
{
  (void)state;
  static const struct matrix_case BAD[] = {
      {"", ":1: the file is empty: no matrix in tsv, csv, dense, edges, matrixmarket, metis,"},
      {"hello world\n", ":1: begins like no format of matrices: tsv, csv, dense, edges, matrixm"},
      {"\n\n", ":1: begins like no format of matrices"},
      {"# only a comment\n", ":1: begins like no format of matrices"},
      {"1\n2\n3\n", ":1: begins like no format of matrices"},
      {"src dst bytes\n0 1 5\n", ":1: begins like no format of matrices"},
      {"0 1\n1 0\n", ": may be dense, edges: choose one with --matrix-format"},
      {"0 5 7\n5 0 2\n7 2 0\n", ": may be dense, edges: choose one with --matrix-format"},
      {"0,5\n7,0,1\n", ":2: '1' after 2 numbers"},
      {"3 2\n2\n1 4\n2\n", ":3: neighbour: 4 is above the maximum of 3"},
      {"0\n3 4\n0 000\n1 3\n", ":4: neighbour: 3 is above the maximum of 2"},
  };
  matrix_case_bad(BAD, COUNT(BAD), NULL, NULL);
}

/* More than the beginning from which formats are detected. */
static void long_files_are_recognised(void **state)
{
  (void)state;
  enum { RANKS = 20000 };
  static const char *const KIND[] = {"metis", "edges", "dense"};
  for (size_t k = 0; k < COUNT(KIND); k++) {
    char *text;
    size_t size;
    struct matrix m;
    struct err e;
    FILE *out = open_memstream(&text, &size);
    const uint32_t n = k == 2 ? 400 : RANKS;
    if (k == 0)
      fprintf(out, "%d %d\n", RANKS, RANKS);
    for (uint32_t r = 0; r < n; r++)
      if (k == 0)
        fprintf(out, "%u %u\n", (r + n - 1) % n + 1, (r + 1) % n + 1);
      else if (k == 1)
        fprintf(out, "%u %u\n%u %u\n", r, (r + n - 1) % n, r, (r + 1) % n);
      else
        for (uint32_t d = 0; d < n; d++)
          fprintf(out, "%d%c", d == (r + 1) % n || r == (d + 1) % n, d + 1 < n ? ' ' : '\n');
    fclose(out);
    if (matrix_case_load(&m, text, NULL, NULL, &e) != OK)
      fail_msg("%s: %s", KIND[k], e.text);
    free(text);
    assert_int_equal(m.ranks, n);
    assert_int_equal(m.count, 2 * n);
    for (uint32_t r = 0; r < n; r++) {
      assert_int_equal(m.entry[2 * r].src, r);
      assert_int_equal(m.entry[2 * r].bytes, 1);
    }
    matrix_clear(&m);
  }
}

static void units_scale_the_numbers(void **state)
{
  (void)state;
  static const struct {
    const char *unit;
    struct matrix_case c;
  } GOOD[] = {
      {"kB", {"0 1 1.5\n", "2: 0>1 1x1500"}},
      {"B", {"0 1 5\n", "2: 0>1 1x5"}},
      {"KiB", {"0 1 0.5\n", "2: 0>1 1x512"}},
      {"64KiB", {"0 1\n1 0\n0 1\n", "2: 0>1 2x131072 1>0 1x65536"}},
      {"Bps", {"0 1 1000.25\n1 0 0.5\n0 2 0.2\n2 1 0\n", "3: 0>1 1x1000 1>0 1x1"}},
      {"Mbps", {"0 1 8.5\n", "2: 0>1 1x1062500"}},
      {"kB", {"0 1 0.57\n1 0 1.1\n2 0 0.001\n0 2 0\n", "3: 0>1 1x570 1>0 1x1100 2>0 1x1"}},
      {"64KiB", {"3 2\n2\n1 3\n2\n", "3: 0>1 1x65536 1>0 1x65536 1>2 1x65536 2>1 1x65536"}},
  };
  for (size_t i = 0; i < COUNT(GOOD); i++)
    matrix_case_good(&GOOD[i].c, 1, i == COUNT(GOOD) - 1 ? "metis" : "edges", GOOD[i].unit);
  static const struct matrix_case BAD[] = {
      {"0 1 0.0001\n", ":1: '0.0001' is a fraction of a byte; rates may be fractions"},
      {"0 1 4611686018427387904\n", ":1: '4611686018427387904' is 4.61169e+21 bytes, above"},
      {HEADER, ": format tsv is in bytes: --matrix-unit does not apply"},
  };
  matrix_case_bad(BAD, COUNT(BAD), NULL, "kB");
  static const struct matrix_case RATES[] = {
      {"0 1 0.5\n1 0 0.25\n", ": whole bytes per second would change the rates by 100 %: with a"},
      {"0 1 10.2\n", ": whole bytes per second would change the rates by 1.96 %"},
  };
  matrix_case_bad(RATES, COUNT(RATES), "edges", "Bps");
}

static void bad_units_are_refused(void **state)
{
  (void)state;
  static const char *const BAD[] = {"", "kilo", "5", "-1kB", "0kB", "GHz", "1e300B", "k B", "B/s"};
  for (size_t i = 0; i < COUNT(BAD); i++) {
    struct matrix_reading r = {.unit = 7};
    struct err e;
    if (matrix_reading_unit(&r, BAD[i], &e) == OK)
      fail_msg("'%s' is accepted", BAD[i]);
    assert_non_null(strstr(e.text, "is not a unit of bytes (as B, kB, 64KiB)"));
    assert_true(r.unit == 7 && !r.rate);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(good_files_load),
      cmocka_unit_test(bad_files_are_refused),
      cmocka_unit_test(unreadable_files_are_refused),
      cmocka_unit_test(a_file_that_fits_none_or_several_is_refused),
      cmocka_unit_test(long_files_are_recognised),
      cmocka_unit_test(units_scale_the_numbers),
      cmocka_unit_test(bad_units_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

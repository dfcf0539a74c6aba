#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "campaign/results/results.h"
#include "tests/unit/scratch.h"

#define HEADER "trace\tmapper\tstatus\ttime_s\thops\n"

static const char *const NUMBERS[] = {"time_s", "hops", NULL};

/* Reads the rows of a machine of a file with this text.  In the error message, "FILE" replaces the
 * path. */
static enum status load_on(struct results *r, const char *text, size_t size, const char *machine,
                           struct err *e)
{
  const struct scratch_file f = scratch_file(text, size);
  const enum status s = results_load(r, f.path, machine, NUMBERS, e);
  scratch_close(&f);
  const size_t n = strlen(f.path);
  if (s != OK && strncmp(e->text, f.path, n) == 0) {
    memcpy(e->text, "FILE", 4);
    memmove(e->text + 4, e->text + n, strlen(e->text + n) + 1);
  }
  return s;
}

static enum status load(struct results *r, const char *text, size_t size, struct err *e)
{
  return load_on(r, text, size, NULL, e);
}

static const char GOOD[] = "# haichi\n" HEADER "b\txyz\tok\t4\t100\n"
                           "b\trandom\tok\t8\t300\n# a comment\n"
                           "b\trandom\tok\t2\t-\n"
                           "b\trandom\tfailed\t-\t-\n"
                           "a\txyz\ttimeout\t-\t-\n"
                           "a\trandom\tok\t1e-3\t0\n"
                           "c\txyz\tok\t0\t0\n"
                           "c\trandom\tok\t5\t7\n";

static void rows_are_grouped(void **state)
{
  (void)state;
  struct results r;
  struct err e;
  assert_int_equal(load(&r, GOOD, sizeof GOOD - 1, &e), OK);
  assert_int_equal(r.rows, 6);
  assert_int_equal(r.failed, 1);
  assert_int_equal(r.timeouts, 1);
  assert_int_equal(r.trace.count, 3);
  assert_string_equal(r.trace.name[0], "b");
  assert_string_equal(r.trace.name[1], "a");
  assert_string_equal(r.mapper.name[1], "random");
  const struct results_spread time = results_spread(&r, 0, 1, 0),
                              hops = results_spread(&r, 0, 1, 1);
  assert_true(time.count == 2 && time.mean == 5 && time.min == 2 && time.max == 8);
  assert_true(hops.count == 1 && hops.mean == 300 && hops.min == 300 && hops.max == 300);
  assert_int_equal(results_spread(&r, 1, 0, 0).count, 0);
  results_clear(&r);
}

static void values_become_relative(void **state)
{
  (void)state;
  struct results r;
  struct err e;
  uint32_t baseline;
  assert_int_equal(load(&r, GOOD, sizeof GOOD - 1, &e), OK);
  assert_int_equal(results_find_mapper(&r, "xyz", &baseline, &e), OK);
  results_relative(&r, baseline, 0);
  assert_true(r.row[0].value[0] == 1 && r.row[1].value[0] == 2 && r.row[2].value[0] == 0.5);
  assert_true(isnan(r.row[3].value[0])); /* no baseline for this trace */
  assert_true(isnan(r.row[5].value[0])); /* the baseline is 0 */
  assert_true(r.row[1].value[1] == 300); /* other columns are unchanged */
  assert_int_equal(results_find_mapper(&r, "nosuch", &baseline, &e), FAIL);
  assert_string_equal(
      e.text, "mapper 'nosuch' has no row with status ok; mappers with such rows: xyz, random");
  results_clear(&r);
  /* The baseline has several seeds: their mean counts. */
  assert_int_equal(load(&r, GOOD, sizeof GOOD - 1, &e), OK);
  results_relative(&r, 1, 0);
  assert_true(r.row[0].value[0] == 0.8 && r.row[1].value[0] == 1.6);
  results_clear(&r);
}

static void means(void **state)
{
  (void)state;
  static const double V[] = {1, 4, 2};
  assert_true(fabs(results_geometric_mean(V, 3) - 2) < 1e-12);
  assert_true(fabs(results_geometric_mean(V + 1, 1) - 4) < 1e-12);
}

static void refusals(void **state)
{
  (void)state;
#define ROW(text, error)                                                                           \
  {                                                                                                \
    text, sizeof text - 1, error                                                                   \
  }
  static const struct {
    const char *text;
    size_t size;
    const char *error;
  } ROWS[] = {
      ROW("", "FILE: no header row"),
      ROW("# only this\n", "FILE: no header row"),
      ROW("trace\tmapper\tstatus\ttime_s\n", "FILE: no column 'hops' in the header"),
      ROW("mapper\tstatus\ttime_s\thops\n", "FILE: no column 'trace' in the header"),
      ROW("trace\tstatus\ttime_s\thops\n", "FILE: no column 'mapper' in the header"),
      ROW("trace\tmapper\ttime_s\thops\n", "FILE: no column 'status' in the header"),
      ROW(HEADER, "FILE: no row has status ok"),
      ROW(HEADER "a\txyz\tfailed\t-\t-\n", "FILE: no row has status ok"),
      ROW(HEADER "a\txyz\tok\t1\n", "FILE:2: 4 fields instead of 5"),
      ROW(HEADER "a\txyz\tok\t1\t2\t3\n", "FILE:2: 6 fields instead of 5"),
      ROW(HEADER "\n", "FILE:2: 1 field instead of 5"),
      ROW(HEADER "a\txyz\tOK\t1\t2\n", "FILE:2: status 'OK' is not ok, failed or timeout"),
      ROW("# one\n" HEADER "a\txyz\tok\t1\t2\na\txyz\tok\tx\t2\n",
          "FILE:4: time_s: 'x' is not a number"),
      ROW(HEADER "a\txyz\tok\t1\t-2\n", "FILE:2: hops: -2 is outside 0..1.79769e+308"),
      ROW(HEADER "a\txyz\tok\t1\t\n", "FILE:2: hops: '' is not a number"),
      ROW(HEADER "a\txyz\0\tok\t1\t2\n", "FILE:2: a NUL character"),
  };
  for (size_t i = 0; i < COUNT(ROWS); i++) {
    struct results r = {.rows = 77};
    struct err e;
    assert_int_equal(load(&r, ROWS[i].text, ROWS[i].size, &e), FAIL);
    assert_string_equal(e.text, ROWS[i].error);
    assert_int_equal(r.rows, 77);
  }
}

static const char MACHINES[] = "platform\tcores\t" HEADER "torus:4\t1\ta\txyz\tok\t4\t1\n"
                               "torus:4\t1\ta\trandom\tok\t2\t1\n"
                               "torus:4\t2\ta\txyz\tok\t8\t1\n"
                               "torus:4\t2\ta\trandom\tok\t2\t1\n"
                               "torus:4\t2\tb\txyz\tok\t1\t1\n";

/* A trace on two machines is two traces, so that times are relative on the same machine. */
static void machines_are_kept_apart(void **state)
{
  (void)state;
  struct results r;
  struct err e;
  assert_int_equal(load(&r, MACHINES, sizeof MACHINES - 1, &e), OK);
  assert_int_equal(r.trace.count, 3);
  assert_int_equal(r.machine.count, 2);
  assert_string_equal(r.trace.name[1], "a on torus:4, 2 cores");
  assert_int_equal(r.machine_of[0], 0);
  assert_int_equal(r.machine_of[2], 1);
  results_relative(&r, 0, 0);
  assert_true(results_spread(&r, 0, 1, 0).mean == 0.5);
  assert_true(results_spread(&r, 1, 1, 0).mean == 0.25);
  results_clear(&r);
  assert_int_equal(load_on(&r, MACHINES, sizeof MACHINES - 1, "torus:4, 2 cores", &e), OK);
  assert_int_equal(r.rows, 3);
  assert_string_equal(r.trace.name[0], "a");
  results_clear(&r);
  assert_int_equal(load_on(&r, MACHINES, sizeof MACHINES - 1, "torus:4", &e), FAIL);
  assert_string_equal(e.text, "FILE: no row on platform 'torus:4' has status ok (the first row is "
                              "on 'torus:4, 1 cores')");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_grouped),
      cmocka_unit_test(values_become_relative),
      cmocka_unit_test(means),
      cmocka_unit_test(refusals),
      cmocka_unit_test(machines_are_kept_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Changes between two campaigns: pairs, tests, verdicts, and the rate of false alarms. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "campaign/analysis/change.h"
#include "common/numeric/rng.h"
#include "tests/unit/scratch.h"

#define HEADER    "trace\tmapper\tseed\tstatus\tsimulated_time_s\n"
#define TOLERANCE 0.01

static void write_file(const char *path, const char *head, const char *rows)
{
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fprintf(f, "%s%s", head, rows);
  assert_int_equal(fclose(f), 0);
}

/* Compares two tables of results without repetitions. */
static void compare(struct changes *c, const char *before, const char *after)
{
  struct err e;
  mkdir("a", 0777);
  mkdir("b", 0777);
  write_file("a/results.tsv", HEADER, before);
  write_file("b/results.tsv", HEADER, after);
  if (change_find(c, "a", "b", TOLERANCE, &e) != OK)
    fail_msg("%s", e.text);
}

static void each_cell_has_its_verdict(void **state)
{
  (void)state;
  static const struct {
    const char *before, *after;
    enum change_verdict verdict;
    enum change_test test;
    double ratio;
  } ROWS[] = {
      {"t\tm\t-\tok\t1\n", "t\tm\t-\tok\t1\n", CHANGE_SAME, CHANGE_NONE, 1},
      {"t\tm\t-\tok\t1\n", "t\tm\t-\tok\t1.02\n", CHANGE_WORSE, CHANGE_NONE, 1.02},
      {"t\tm\t-\tok\t1\n", "t\tm\t-\tok\t1.009\n", CHANGE_UNCLEAR, CHANGE_NONE, 1.009},
      {"t\tm\t-\tok\t1\n", "t\tm\t-\tok\t0.98\n", CHANGE_BETTER, CHANGE_NONE, 0.98},
      {"t\tm\t-\tok\t1\n", "", CHANGE_GONE, CHANGE_NONE, NAN},
      {"t\tm\t-\tok\t1\n", "t\tm\t-\tfailed\t-\n", CHANGE_GONE, CHANGE_NONE, NAN},
      {"", "t\tm\t-\tok\t1\n", CHANGE_NEW, CHANGE_NONE, NAN},
      {"t\tm\t-\tok\t0\n", "t\tm\t-\tok\t1\n", CHANGE_UNCLEAR, CHANGE_NONE, NAN},
      /* Pairs: the seeds differ widely, but each one is 10 % slower. */
      {"t\tm\t1\tok\t1\nt\tm\t2\tok\t5\nt\tm\t3\tok\t9\n",
       "t\tm\t3\tok\t9.9\nt\tm\t1\tok\t1.1\nt\tm\t2\tok\t5.5\n", CHANGE_WORSE, CHANGE_PAIRED, 1.1},
      /* The same times, but of other seeds, show nothing. */
      {"t\tm\t1\tok\t1\nt\tm\t2\tok\t5\nt\tm\t3\tok\t9\n",
       "t\tm\t4\tok\t1.1\nt\tm\t5\tok\t5.5\nt\tm\t6\tok\t9.9\n", CHANGE_UNCLEAR, CHANGE_WELCH, 1.1},
      {"t\tm\t1\tok\t1\nt\tm\t2\tok\t1.01\nt\tm\t3\tok\t0.99\n",
       "t\tm\t4\tok\t0.5\nt\tm\t5\tok\t0.51\n", CHANGE_BETTER, CHANGE_WELCH, NAN},
      /* Significant, but below the tolerance. */
      {"t\tm\t1\tok\t1\nt\tm\t2\tok\t2\n", "t\tm\t1\tok\t1.001\nt\tm\t2\tok\t2.002\n",
       CHANGE_UNCLEAR, CHANGE_PAIRED, 1.001},
  };
  for (size_t i = 0; i < COUNT(ROWS); i++) {
    struct changes c;
    compare(&c, ROWS[i].before, ROWS[i].after);
    assert_int_equal(c.cells, 1);
    if (c.cell[0].verdict != ROWS[i].verdict || c.cell[0].test != ROWS[i].test)
      fail_msg("row %zu: %s by %s, p %g", i, change_verdict_name(c.cell[0].verdict),
               change_test_name(c.cell[0].test), c.cell[0].p);
    if (!isnan(ROWS[i].ratio) && !(fabs(c.cell[0].ratio / ROWS[i].ratio - 1) < 1e-12))
      fail_msg("row %zu: ratio %.17g", i, c.cell[0].ratio);
    assert_int_equal(c.verdict[ROWS[i].verdict], 1);
    change_clear(&c);
  }
}

/* With one seed the values of a cell are its single runs; with several seeds, the means of the
 * seeds. */
static void repetitions_count_if_there_is_one_seed(void **state)
{
  (void)state;
  static const char HEAD[] = "trace\tmapper\tseed\trepetition\tstatus\tsimulated_time_s\n";
  struct changes c;
  struct err e;
  compare(&c, "t\tone\t-\tok\t2\nt\ttwo\t1\tok\t2\nt\ttwo\t2\tok\t3\n",
          "t\tone\t-\tok\t3\nt\ttwo\t1\tok\t2\nt\ttwo\t2\tok\t3\n");
  assert_int_equal(c.cell[0].values[0], 1);
  change_clear(&c);
  static const char RUNS[] = "t\tone\t-\t0\tok\t1\nt\tone\t-\t1\tok\t3\n"
                             "t\ttwo\t1\t0\tok\t1\nt\ttwo\t1\t1\tok\t3\n"
                             "t\ttwo\t2\t0\tok\t3\nt\ttwo\t2\t1\tfailed\t-\n";
  write_file("a/repeats.tsv", HEAD, RUNS);
  write_file("b/repeats.tsv", HEAD, "t\tone\t-\t0\tok\t1.5\nt\tone\t-\t1\tok\t4.5\n");
  assert_int_equal(change_find(&c, "a", "b", TOLERANCE, &e), OK);
  assert_int_equal(c.cells, 2);
  assert_true(c.cell[0].values[0] == 2 && c.cell[0].values[1] == 2);
  assert_int_equal(c.cell[0].test, CHANGE_PAIRED);
  assert_int_equal(c.cell[0].verdict, CHANGE_WORSE);
  assert_true(c.cell[1].values[0] == 2 && c.cell[1].verdict == CHANGE_SAME);
  change_clear(&c);
}

static void mappers_are_summed_up(void **state)
{
  (void)state;
  struct changes c;
  compare(&c, "t\tx\t-\tok\t1\nu\tx\t-\tok\t1\nu\ty\t-\tok\t1\n",
          "u\tx\t-\tok\t0.5\nt\tx\t-\tok\t2\nt\ty\t-\tok\t1\n");
  assert_int_equal(c.mapper.count, 2);
  assert_string_equal(c.mapper.name[1], "y");
  const struct change_mapper *x = &c.mappers[0], *y = &c.mappers[1];
  assert_true(x->cells == 2 && fabs(x->ratio - 1) < 1e-12 && x->p > 0.99);
  assert_true(x->verdict[CHANGE_WORSE] == 1 && x->verdict[CHANGE_BETTER] == 1);
  assert_true(y->cells == 0 && isnan(y->ratio) && isnan(y->p));
  assert_true(y->verdict[CHANGE_GONE] == 1 && y->verdict[CHANGE_NEW] == 1);
  change_clear(&c);
}

/* The same campaign twice with different noise and one slower cell, 200 times with 8 cells each.
 * At a significance level of 5 %, fewer than 21 pairs show another change with a probability of
 * 99.9 %. */
static void noise_is_not_reported_as_a_change(void **state)
{
  (void)state;
  struct rng r = rng_new(1, 0);
  size_t found = 0, shifted = 0;
  for (int round = 0; round < 200; round++) {
    char text[2][4096] = {"", ""};
    for (int side = 0; side < 2; side++)
      for (int i = 0; i < 8 * 6; i++) {
        const size_t n = strlen(text[side]);
        const double time = (1 + 0.2 * rng_double(&r)) * (side == 1 && i < 6 ? 1.5 : 1);
        snprintf(text[side] + n, sizeof text[side] - n, "t\tm%d\t%d\tok\t%.17g\n", i / 6,
                 side * 100 + i % 6, time);
      }
    struct changes c;
    compare(&c, text[0], text[1]);
    shifted += c.cell[0].verdict == CHANGE_WORSE;
    found += c.verdict[CHANGE_BETTER] + c.verdict[CHANGE_WORSE] > 1;
    change_clear(&c);
  }
  assert_true(found <= 20);
  assert_int_equal(shifted, 200);
}

/* A network under a different load is a different cell. */
static void networks_have_a_load_each(void **state)
{
  (void)state;
  static const char NETWORKS[] = "network\tload\tscheduler\tstatus\tmakespan_s\n";
  struct changes c;
  struct err e;
  assert_int_equal(mkdir("a", 0777), 0);
  assert_int_equal(mkdir("b", 0777), 0);
  write_file("a/results.tsv", NETWORKS, "n.xml\tnone\theft\tok\t2\nn.xml\ttasks:9\theft\tok\t8\n");
  write_file("b/results.tsv", NETWORKS, "n.xml\tnone\theft\tok\t2\nn.xml\ttasks:9\theft\tok\t4\n");
  assert_int_equal(change_find(&c, "a", "b", TOLERANCE, &e), OK);
  assert_int_equal(c.cells, 2);
  assert_string_equal(c.trace.name[1], "n.xml, tasks:9");
  assert_int_equal(c.cell[0].verdict, CHANGE_SAME);
  assert_int_equal(c.cell[1].verdict, CHANGE_BETTER);
  assert_true(c.cell[1].ratio > 0.4999 && c.cell[1].ratio < 0.5001);
  change_clear(&c);
}

static void bad_tables_are_refused(void **state)
{
  (void)state;
  struct changes c;
  struct err e;
  assert_int_equal(mkdir("a", 0777), 0);
  assert_int_equal(change_find(&c, "a", "a", TOLERANCE, &e), FAIL);
  assert_string_equal(e.text, "a/results.tsv: cannot read: No such file or directory");
  write_file("a/results.tsv", HEADER, "t\tm\t-\tok\t-1\n");
  assert_int_equal(change_find(&c, "a", "a", TOLERANCE, &e), FAIL);
  assert_string_equal(e.text, "a/results.tsv:2: simulated_time_s: -1 is outside 0..1.79769e+308");
  write_file("a/results.tsv", "trace\tmapper\n", "");
  assert_int_equal(change_find(&c, "a", "a", TOLERANCE, &e), FAIL);
  assert_string_equal(e.text, "a/results.tsv: no column 'status' in the header");
  write_file("a/results.tsv", HEADER, "");
  assert_int_equal(change_find(&c, "a", "a", TOLERANCE, &e), OK);
  assert_int_equal(c.cells, 0);
  change_clear(&c);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(each_cell_has_its_verdict), IN_FOLDER(repetitions_count_if_there_is_one_seed),
      IN_FOLDER(mappers_are_summed_up),     IN_FOLDER(noise_is_not_reported_as_a_change),
      IN_FOLDER(networks_have_a_load_each), IN_FOLDER(bad_tables_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

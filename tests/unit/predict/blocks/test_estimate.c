/* Times of blocks from handwritten tables: two slow executions, then executions of 1 s.  Without
 * computation, the message takes half the time. */
#include <math.h>
#include <string.h>

#include "predict/blocks/estimate.h"
#include "tests/unit/scratch.h"

static void put_all(void)
{
  scratch_write("blocks.tsv", "block\tkind\tfunction\tfile\tline\tlast_line\tloops\tcall\n"
                              "0\tcomputation\tmain\ta.c\t3\t5\ta.c:2\t-\n"
                              "1\tcommunication\tmain\ta.c\t6\t6\ta.c:2\tMPI_Send\n");
  scratch_write("timing.0.tsv",
                "block\texecution\texecutions\tseconds\n"
                "0\t1\t1\t4\n0\t2\t1\t4\n0\t3\t1\t1\n0\t4\t1\t1\n0\t5\t1\t1\n0\t6\t1\t1\n"
                "1\t1\t2\t2\n1\t3\t2\t2\n1\t5\t1\t2\n");
  scratch_write("apart.0.tsv", "block\texecution\texecutions\tseconds\n0\t1\t1\t0\n1\t1\t4\t1\n");
  scratch_write("counts.0.tsv", "block\tcount\n0\t100\n1\t10\n");
  scratch_write("full.0.tsv",
                "block\texecution\texecutions\tseconds\n0\t1\t100\t1.06\n1\t1\t10\t2\n");
}

static void each_method_has_its_means(void **state)
{
  (void)state;
  static const struct {
    const char *method;
    double computation, communication;
  } CASES[] = {{"settled", 106, 20}, {"joint", 200, 20}, {"separate", 200, 10}};
  put_all();
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    struct estimate x;
    struct err e;
    const struct estimate_method *m = registry_get(&estimate_methods, CASES[i].method, &e);
    assert_non_null(m);
    assert_int_equal(estimate_load(&x, ".", m, &e), OK);
    assert_int_equal(x.ranks, 1);
    assert_true(fabs(x.rank[0].computation - CASES[i].computation) < 1e-9);
    assert_true(fabs(x.rank[0].communication - CASES[i].communication) < 1e-9);
    assert_true(fabs(x.rank[0].measured - 126) < 1e-9);
    assert_true(fabs(estimate_error(&x) - (x.rank[0].total / 126 - 1)) < 1e-12);
    assert_int_equal(x.block[0].start, m->settled ? 2 : 0);
    assert_true(m->settled ? x.rank[0].half < 1e-9 : x.rank[0].half > 1);
    assert_int_equal(x.counted, 110);
    assert_int_equal(x.untimed, 0);
    estimate_clear(&x);
  }
}

/* A block that runs in the real run but not in the timing run is reported and counts as 0 s. */
static void untimed_blocks_are_counted(void **state)
{
  (void)state;
  struct estimate x;
  struct err e;
  put_all();
  scratch_write("timing.0.tsv", "block\texecution\texecutions\tseconds\n0\t1\t1\t2\n");
  assert_int_equal(estimate_load(&x, ".", registry_at(&estimate_methods, 0), &e), OK);
  assert_int_equal(x.untimed, 1);
  assert_true(x.rank[0].total == 200);
  estimate_clear(&x);
}

static void broken_tables_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *file, *text, *words;
  } CASES[] = {
      {"timing.0.tsv", "", "timing.0.tsv:1: expected the header"},
      {"timing.0.tsv", "block\texecution\texecutions\tseconds\n9\t1\t1\t1\n", "block 9, but there"},
      {"timing.0.tsv", "block\texecution\texecutions\tseconds\n0\t1\t0\t1\n", "execution 1, but"},
      {"timing.0.tsv", "block\texecution\texecutions\tseconds\n0\t1\t2\t1\n0\t3\t4\t1\n",
       "4 executions, but only the last"},
      {"timing.0.tsv", "block\texecution\texecutions\tseconds\n0\t1\t1\tnan\n", "seconds: 'nan'"},
      {"timing.0.tsv", "block\texecution\texecutions\tseconds\n0\t1\t1\t1", "timing.0.tsv:2"},
      {"counts.0.tsv", "block\tcount\n0\t1\n0\t2\n", "counts.0.tsv:3: block 0 is given twice"},
      {"counts.0.tsv", "block\tcount\n0\t-1\n", "counts.0.tsv:2: count: '-1'"},
      {"blocks.tsv", "block\tkind\tfunction\tfile\tline\tlast_line\tloops\tcall\n", "no blocks"},
      {"full.1.tsv", "", "files full.RANK.tsv of 2 ranks, but timing.RANK.tsv of 1"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    struct estimate x;
    struct err e;
    put_all();
    scratch_write(CASES[i].file, CASES[i].text);
    assert_int_equal(estimate_load(&x, ".", registry_at(&estimate_methods, 0), &e), FAIL);
    if (strstr(e.text, CASES[i].words) == NULL)
      fail_msg("'%s' has no '%s'", e.text, CASES[i].words);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(each_method_has_its_means),
      IN_FOLDER(untimed_blocks_are_counted),
      IN_FOLDER(broken_tables_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

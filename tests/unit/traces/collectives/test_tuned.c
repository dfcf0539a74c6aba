/* Files of tuned algorithms: reading, errors and look-up. */
#include "traces/collectives/tuned.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/scratch.h"
#include "traces/collectives/call.h"
#include "traces/datatype.h"

#define HEADER "collective\tranks\tfrom_bytes\talgorithm\n"

static enum status load(struct tuned *t, const char *text, struct err *e)
{
  struct scratch_file f = scratch_file(text, strlen(text));
  const enum status s = tuned_load(t, f.path, e);
  scratch_close(&f);
  return s;
}

static void bad_files_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *text, *error;
  } CASES[] = {
      {"", ": the selection has no rows"},
      {"# made by hand\n" HEADER, ": the selection has no rows"},
      {"collective\tranks\tbytes\talgorithm\n", ":1: column 3 is 'bytes', not 'from_bytes'"},
      {"collective\tranks\n", ":1: 2 fields instead of 4"},
      {HEADER "bcast\t4\t0\n", ":2: 3 fields instead of 4"},
      {HEADER "bcast\t4\t0\tflattree\t1\n", ":2: 5 fields instead of 4"},
      {HEADER "cast\t4\t0\tflattree\n",
       ":2: 'cast' is not a collective; see 'haichi list collectives'"},
      {HEADER "bcast\t4\t0\trdb\n",
       ":2: bcast has no algorithm 'rdb'; see 'haichi list collectives'"},
      {HEADER "bcast\t0\t0\tflattree\n", ":2: ranks: 0 is below the minimum of 1"},
      {HEADER "bcast\t-4\t0\tflattree\n", ":2: ranks: '-4' is not"},
      {HEADER "bcast\t4\t1.5\tflattree\n", ":2: from_bytes: '1.5' is not"},
      {HEADER "bcast\t4\t8\tflattree\n",
       ":2: the first row of bcast on 4 ranks is from 8 bytes, not 0"},
      {HEADER "bcast\t4\t0\tflattree\nbcast\t4\t0\tflattree\n",
       ":3: bcast on 4 ranks from 0 bytes is out of order"},
      {HEADER "bcast\t8\t0\tflattree\nbcast\t4\t0\tflattree\n",
       ":3: bcast on 4 ranks from 0 bytes is out of order"},
      {HEADER "allreduce\t8\t0\trdb\nbcast\t8\t0\tflattree\n",
       ":3: bcast on 8 ranks from 0 bytes is out of order"},
      {HEADER "alltoallv\t4\t0\tpair\nalltoallv\t4\t8\tring\n",
       ":3: ranks choose the algorithm of alltoallv before they know the bytes: from_bytes must be "
       "0"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    struct tuned t = {.rows = 77};
    struct err e = {""};
    assert_int_equal(load(&t, CASES[i].text, &e), FAIL);
    if (strstr(e.text, CASES[i].error) == NULL)
      fail_msg("case %zu: '%s', not '%s'", i, e.text, CASES[i].error);
    assert_int_equal(t.rows, 77);
  }
}

static void too_many_rows_are_refused(void **state)
{
  (void)state;
  struct tuned t = {.rows = 0};
  struct err e;
  for (uint64_t i = 0; i < TUNED_MOST; i++)
    assert_int_equal(tuned_add(&t, &(struct tuned_row){i, 4, 1, 0}, &e), OK);
  assert_int_equal(tuned_add(&t, &(struct tuned_row){TUNED_MOST, 4, 1, 0}, &e), FAIL);
  assert_string_equal(e.text, "more than 1024 rows");
}

static const char TEXT[] = "# by hand\n" HEADER "bcast\t4\t0\tflattree\n"
                           "bcast\t4\t100\tbinomial_tree\n"
                           "bcast\t16\t0\tdefault\n"
                           "bcast\t16\t1000\tflattree\n"
                           "reducescatter\t4\t0\tmpich_pair\n"
                           "reducescatter\t4\t100\tmpich_rdb\n";

static const char *name_of(enum action_kind kind, size_t i)
{
  return i == SIZE_MAX ? "-" : collective_algorithm(kind, i)->name;
}

static void the_nearest_ranks_below_count(void **state)
{
  (void)state;
  static const struct {
    enum action_kind kind;
    uint32_t ranks;
    uint64_t bytes;
    const char *name;
  } CASES[] = {
      {ACTION_BCAST, 3, 50, "-"},
      {ACTION_BCAST, 4, 0, "flattree"},
      {ACTION_BCAST, 4, 99, "flattree"},
      {ACTION_BCAST, 4, 100, "binomial_tree"},
      {ACTION_BCAST, 15, UINT64_MAX, "binomial_tree"},
      {ACTION_BCAST, 16, 999, "default"},
      {ACTION_BCAST, 4096, 1000, "flattree"},
      {ACTION_REDUCESCATTER, 4, 99, "mpich_pair"},
      {ACTION_ALLREDUCE, 4, 99, "-"},
      {ACTION_EXSCAN, 4, 99, "-"},
  };
  struct tuned t;
  struct err e;
  assert_int_equal(load(&t, TEXT, &e), OK);
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    const size_t found = tuned_find(&t, CASES[i].kind, CASES[i].ranks, CASES[i].bytes);
    assert_string_equal(name_of(CASES[i].kind, found), CASES[i].name);
  }
}

static void written_tables_are_read_back(void **state)
{
  (void)state;
  struct tuned t, again;
  struct err e;
  char *text = NULL;
  size_t size;
  assert_int_equal(load(&t, TEXT, &e), OK);
  FILE *f = open_memstream(&text, &size);
  assert_non_null(f);
  tuned_print(&t, f);
  fclose(f);
  assert_int_equal(load(&again, text, &e), OK);
  assert_int_equal(again.rows, t.rows);
  assert_memory_equal(again.row, t.row, t.rows * sizeof *t.row);
  free(text);
}

/* A named algorithm has precedence.  In reduce_scatter, the sum of all counts decides. */
static void calls_use_the_selected_algorithm(void **state)
{
  (void)state;
  static const int32_t SMALL[4] = {99, 99, 101, 100}, LARGE[4] = {0, 0, 0, 400};
  struct collectives c = {.host = NULL};
  struct err e;
  struct call call;
  struct action a = {.kind = ACTION_BCAST, .count = 100, .type = DATATYPE_BYTE};
  assert_int_equal(load(&c.tuned, TEXT, &e), OK);
  call_start(&call, &a, 0, 4, &c);
  assert_string_equal(call.whole.algorithm->row.name, "binomial_tree");
  assert_int_equal(collectives_set(&c, "bcast=flattree", &e), OK);
  call_start(&call, &a, 0, 4, &c);
  assert_string_equal(call.whole.algorithm->row.name, "flattree");
  a = (struct action){.kind = ACTION_REDUCESCATTER, .recvcounts = SMALL, .type = DATATYPE_BYTE};
  call_start(&call, &a, 0, 4, &c);
  assert_string_equal(call.whole.algorithm->row.name, "mpich_pair");
  a.recvcounts = LARGE;
  call_start(&call, &a, 1, 4, &c);
  assert_string_equal(call.whole.algorithm->row.name, "mpich_rdb");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bad_files_are_refused),
      cmocka_unit_test(too_many_rows_are_refused),
      cmocka_unit_test(the_nearest_ranks_below_count),
      cmocka_unit_test(written_tables_are_read_back),
      cmocka_unit_test(calls_use_the_selected_algorithm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

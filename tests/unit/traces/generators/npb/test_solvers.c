/* BT, SP, LU and FT: numbers of ranks, pairs of ranks, and amounts of computation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/count.h"
#include "tests/unit/traces/generated_case.h"
#include "traces/files/spool.h"
#include "traces/generators/npb/npb.h"
#include "traces/matrix/matrix.h"

extern const struct npb_benchmark npb_bt, npb_ft, npb_lu, npb_sp;

static void benchmarks_use_the_right_numbers_of_ranks(void **state)
{
  (void)state;
  static const struct {
    const struct npb_benchmark *b;
    enum npb_class class;
    uint32_t ranks, used;
  } CASES[] = {
      {&npb_bt, NPB_S, 1, 1},        {&npb_bt, NPB_S, 16, 16},
      {&npb_bt, NPB_S, 24, 16},      {&npb_bt, NPB_S, 25, 0}, /* cells of 2 points */
      {&npb_bt, NPB_W, 64, 64},      {&npb_sp, NPB_W, 143, 121},
      {&npb_sp, NPB_W, 144, 144},    {&npb_sp, NPB_W, 169, 0},
      {&npb_bt, NPB_F, 1u << 20, 0}, {&npb_lu, NPB_A, 1, 1},
      {&npb_lu, NPB_A, 2, 2},        {&npb_lu, NPB_A, 3, 0}, /* no grid */
      {&npb_lu, NPB_A, 12, 12},      {&npb_lu, NPB_A, 14, 0},
      {&npb_lu, NPB_A, 120, 120},    {&npb_lu, NPB_S, 16, 16},
      {&npb_lu, NPB_S, 25, 0}, /* sub-domains of 2 points */
      {&npb_ft, NPB_S, 1, 1},        {&npb_ft, NPB_S, 100, 64},
      {&npb_ft, NPB_S, 128, 128},    {&npb_ft, NPB_S, 4096, 4096},
      {&npb_ft, NPB_S, 8192, 0}, /* less than a line per rank */
      {&npb_ft, NPB_W, 1024, 1024},  {&npb_ft, NPB_W, 2048, 0},
      {&npb_ft, NPB_F, 8, 0}, /* counts too large for MPI */
      {&npb_ft, NPB_F, 64, 64},
  };
  for (size_t i = 0; i < COUNT(CASES); i++) {
    const uint32_t used = CASES[i].b->ranks_used(CASES[i].class, CASES[i].ranks);
    if (used != CASES[i].used)
      fail_msg("%s, class %d, of %u ranks: %u, not %u", CASES[i].b->name, CASES[i].class,
               CASES[i].ranks, used, CASES[i].used);
  }
}

static struct matrix matrix_of(const char *spec, bool p2p_only)
{
  struct collectives ring = {.host = NULL};
  struct err e;
  assert_int_equal(collectives_set(&ring, "alltoall=ring", &e), OK);
  return generated_matrix(spec, &ring, p2p_only);
}

/* Numbers from real traces of these sizes. */
static void pairs_agree_with_real_traces(void **state)
{
  (void)state;
  static const struct {
    const char *spec;
    size_t pairs;
    uint32_t of_zero[8]; /* destinations of rank 0 */
    size_t zeros;
  } CASES[] = {
      {"npb:bt.A.64@1", 384, {1, 7, 8, 15, 56, 57}, 6},
      {"npb:bt.B.256@1", 1536, {1, 15, 16, 31, 240, 241}, 6},
      {"npb:sp.B.256@1", 1536, {1, 15, 16, 31, 240, 241}, 6},
      {"npb:bt.S.4@1", 12, {1, 2, 3}, 3},
      {"npb:sp.S.1@1", 0, {0}, 0},
      {"npb:lu.A.64@1", 224, {1, 8}, 2},
      {"npb:lu.B.256@1", 960, {1, 16}, 2},
      {"npb:lu.A.32@1", 104, {1, 8}, 2},
      {"npb:lu.W.12@1", 34, {1, 4}, 2},
      {"npb:ft.S.64@1", 0, {0}, 0},
  };
  for (size_t i = 0; i < COUNT(CASES); i++) {
    struct matrix m = matrix_of(CASES[i].spec, true);
    size_t zeros = 0;
    for (size_t k = 0; k < m.count && m.entry[k].src == 0; k++)
      assert_int_equal(m.entry[k].dst, CASES[i].of_zero[zeros++]);
    if (m.count != CASES[i].pairs || zeros != CASES[i].zeros)
      fail_msg("%s: %zu pairs, %zu of rank 0", CASES[i].spec, m.count, zeros);
    matrix_clear(&m);
  }
}

/* Bytes of the messages of a pair. */
static uint64_t bytes_of(const struct matrix *m, uint32_t src, uint32_t dst)
{
  for (size_t i = 0; i < m->count; i++)
    if (m->entry[i].src == src && m->entry[i].dst == dst)
      return m->entry[i].bytes;
  return 0;
}

/* 64 rows of 2 ranks: all-to-alls of 1024 elements in a row and of 32 in a column, three times
 * each (warm-up, forth, back).  Besides these, rank 11 sends only to rank 0, in reductions. */
static void pencils_are_transposed_in_rows_and_columns(void **state)
{
  (void)state;
  struct matrix m = matrix_of("npb:ft.S.128@1", false);
  for (uint32_t dst = 1; dst < 128; dst++) {
    const bool column = dst % 2 == 1 && dst != 11;
    assert_int_equal(bytes_of(&m, 11, dst), dst == 10 ? 3 * 1024 * 16 : column ? 3 * 32 * 16 : 0);
  }
  matrix_clear(&m);
}

/* The communicators of rank 11 in this grid. */
static void pencils_state_their_communicators(void **state)
{
  (void)state;
  struct trace *t;
  const struct action *a;
  struct err e;
  uint32_t size[4], members = 0, calls = 0;
  assert_int_equal(trace_open(&t, "npb:ft.S.128@1", SPOOL_LIMIT, &e), OK);
  while (assert_int_equal(trace_next(t, 11, &a, &e), OK), a != NULL) {
    if (a->kind == ACTION_DEFINE) {
      assert_true(members < 2);
      size[members++] = comm_size(a->comm, 128);
      assert_int_equal(comm_world_rank(a->comm, 1), members == 1 ? 11 : 3);
    }
    calls += a->kind == ACTION_ALLTOALL && a->comm != NULL;
    if (a->kind != ACTION_ALLTOALL && a->kind != ACTION_DEFINE)
      assert_null(a->comm);
  }
  assert_int_equal(members, 2);
  assert_int_equal(size[0], 2);
  assert_int_equal(size[1], 64);
  assert_int_equal(calls, 6);
  trace_free(t);
}

/* NPB's formulas for Mop/s, without the time, at n = 12, 24, 36, 33 and 2^18 points. */
static void flops_agree_with_the_formulas_of_npb(void **state)
{
  (void)state;
  static const struct {
    const char *spec;
    double flops;
  } CASES[] = {
      {"npb:bt.S.1", 60 * (3478.8 * 1728 - 17655.7 * 144 + 28023.7 * 12)},
      {"npb:bt.S.9@2", 2 * (3478.8 * 1728 - 17655.7 * 144 + 28023.7 * 12)},
      {"npb:bt.W.49@1", 3478.8 * 13824 - 17655.7 * 576 + 28023.7 * 24},
      {"npb:sp.S.16@3", 3 * (881.174 * 1728 - 4683.91 * 144 + 11484.5 * 12 - 19272.4)},
      {"npb:sp.W.25@1", 881.174 * 46656 - 4683.91 * 1296 + 11484.5 * 36 - 19272.4},
      {"npb:lu.S.16@2", 2 * (1984.77 * 1728 - 10923.3 * 144 + 27770.9 * 12 - 144010)},
      {"npb:lu.W.20@1", 1984.77 * 35937 - 10923.3 * 1089 + 27770.9 * 33 - 144010},
      {"npb:ft.S.1@6", 6 * 262144. * (5.23518 + 7.21113 * 12.476649250079015)},
      {"npb:ft.S.128@1", 262144. * (5.23518 + 7.21113 * 12.476649250079015)},
  };
  for (size_t i = 0; i < COUNT(CASES); i++) {
    const double flops = generated_loop_flops(CASES[i].spec);
    if (!(flops > CASES[i].flops * (1 - 1e-9) && flops < CASES[i].flops * (1 + 1e-9)))
      fail_msg("%s: %.17g flops, not %.17g", CASES[i].spec, flops, CASES[i].flops);
  }
}

/* Blocks remain small for any class and number of iterations. */
static void blocks_are_small(void **state)
{
  (void)state;
  static const char *const SPECS[] = {"npb:bt.E.1024", "npb:sp.E.1024", "npb:lu.E.1024",
                                      "npb:ft.E.4096"};
  for (size_t i = 0; i < COUNT(SPECS); i++) {
    struct generator *g;
    struct comm_table comms = {0};
    struct err e;
    assert_int_equal(generator_open(&g, SPECS[i], &e), OK);
    struct emit out = {.rank = 33, .ranks = g->ranks, .comms = &comms, .err = &e};
    for (uint64_t block = 0; block < 10000 && block < generator_blocks(g); block++) {
      emit_reset(&out);
      generator_fill(g, block, &out);
      assert_int_equal(out.status, OK);
      assert_true(out.count <= 64);
    }
    emit_clear(&out);
    comm_table_clear(&comms);
    generator_close(g);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(benchmarks_use_the_right_numbers_of_ranks),
      cmocka_unit_test(pairs_agree_with_real_traces),
      cmocka_unit_test(pencils_are_transposed_in_rows_and_columns),
      cmocka_unit_test(pencils_state_their_communicators),
      cmocka_unit_test(flops_agree_with_the_formulas_of_npb),
      cmocka_unit_test(blocks_are_small),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

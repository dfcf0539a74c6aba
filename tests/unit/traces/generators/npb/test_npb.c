#include "traces/files/spool.h"
#include "traces/generators/npb/npb.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/numeric/rng.h"
#include "tests/unit/count.h"
#include "tests/unit/traces/generated_case.h"
#include "traces/generators/npb/adi.h"
#include "traces/matrix/matrix.h"

static void bad_specs_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *spec, *why;
  } CASES[] = {
      {"npb:", "npb:: expected BENCH.CLASS.RANKS, as in cg.C.512"},
      {"npb:cg", "npb:cg: expected BENCH.CLASS.RANKS, as in cg.C.512"},
      {"npb:cg.A", "npb:cg.A: expected BENCH.CLASS.RANKS, as in cg.C.512"},
      {"npb:cg.A.", "npb:cg.A.: 'ranks' is missing"},
      {"npb:cg.A.0", "npb:cg.A.0: ranks: 0 is below the minimum of 1"},
      {"npb:cg.A.-4", "npb:cg.A.-4: ranks: '-4' is not a whole number"},
      {"npb:cg.A.4.", "npb:cg.A.4.: ranks: '4.' is not a whole number"},
      {"npb:cg.A.3", "npb:cg.A.3: cg would use 2 of 3 ranks; ask for 2"},
      {"npb:cg.A.2097152", "npb:cg.A.2097152: ranks: 2097152 is above the maximum of "
                           "1048576"},
      {"npb:cg.a.4", "npb:cg.a.4: class: 'a' is none of S, W, A, B, C, D, E, F"},
      {"npb:cg..4", "npb:cg..4: 'class' is missing"},
      {"npb:cg.AB.4", "npb:cg.AB.4: class: 'AB' is none of S, W, A, B, C, D, E, F"},
      {"npb:cg.A.4@", "npb:cg.A.4@: 'iterations' is missing"},
      {"npb:cg.A.4@0", "npb:cg.A.4@0: iterations: 0 is below the minimum of 1"},
      {"npb:cg.A.4@1@2", "npb:cg.A.4@1@2: iterations: '1@2' is not a whole number"},
      {"npb:cg.A.4@4294967296", "npb:cg.A.4@4294967296: iterations: 4294967296 is "
                                "above the maximum of 4294967295"},
      {"npb:ep.S.4@2", "npb:ep.S.4@2: ep has no iterations to choose: its loop runs once"},
      {"npb:ep.S.257", "npb:ep.S.257: ep of class S does not run on 257 ranks; nearest: 256"},
      {"npb:is.F.4", "npb:is.F.4: is has no class F"},
      {"npb:is.D.2", "npb:is.D.2: is of class D does not run on 2 ranks; nearest: 4"},
      {"npb:is.S.256", "npb:is.S.256: is of class S does not run on 256 ranks; nearest: 128"},
      {"npb:mg.C.262144",
       "npb:mg.C.262144: mg of class C does not run on 262144 ranks; nearest: 131072"},
      {"npb:mg.S.65536",
       "npb:mg.S.65536: mg of class S does not run on 65536 ranks; nearest: 32768"},
      {"npb:ft.S.4,cache=1", "npb:ft.S.4,cache=1: ft has no model of the cache"},
  };
  for (size_t i = 0; i < COUNT(CASES); i++) {
    struct generator *g;
    struct err e;
    assert_int_equal(generator_open(&g, CASES[i].spec, &e), FAIL);
    assert_string_equal(e.text, CASES[i].why);
  }
}

/* A cache with LRU replacement: a list of lines in the order of their last use; line 0 is the head
 * of the list. */
enum { LRU_LINES = 1 << 20 };

struct lru {
  uint32_t after[LRU_LINES], before[LRU_LINES];
  bool in[LRU_LINES];
  uint32_t lines, room;
};

static void lru_remove(struct lru *c, uint32_t line)
{
  c->after[c->before[line]] = c->after[line];
  c->before[c->after[line]] = c->before[line];
  c->in[line] = false;
  c->lines--;
}

/* Uses a line, from 1; true if it was missing. */
static bool lru_use(struct lru *c, uint32_t line)
{
  const bool missing = !c->in[line];
  if (!missing)
    lru_remove(c, line);
  else if (c->lines == c->room)
    lru_remove(c, c->before[0]);
  c->after[line] = c->after[0];
  c->before[line] = 0;
  c->before[c->after[0]] = line;
  c->after[0] = line;
  c->in[line] = true;
  c->lines++;
  return missing;
}

/* Share of the gathers from a vector of @p vector lines that miss in a cache of @p room lines.
 * Meanwhile a line of the matrix is read after every 64/12 gathers. */
static double missing_share(uint32_t vector, uint32_t room)
{
  struct lru *c = calloc(1, sizeof *c);
  struct rng r = rng_new(3, 0);
  const uint32_t warm = 20 * vector, gathers = warm + 200000;
  uint32_t misses = 0, stream = vector + 1;
  assert_non_null(c);
  c->room = room;
  for (uint32_t i = 0; i < gathers; i++) {
    const bool missed = lru_use(c, 1 + (uint32_t)rng_below(&r, vector));
    misses += i >= warm && missed;
    if ((uint64_t)i * 12 / 64 != (uint64_t)(i + 1) * 12 / 64 && stream + 1 < LRU_LINES)
      lru_use(c, stream++);
  }
  assert_true(stream + 1 < LRU_LINES);
  free(c);
  return (double)misses / (gathers - warm);
}

/* CG of class W on one rank, and of class A on four, gathers from 875 lines.  The modelled traffic
 * agrees with the simulated cache. */
static void gathers_of_cg_miss_as_in_a_cache(void **state)
{
  (void)state;
  static const struct {
    const char *spec;
    uint32_t vector, room;
  } CASES[] = {{"npb:cg.W.1,bytes=12,cache=%u", 875, 100},
               {"npb:cg.W.1,bytes=12,cache=%u", 875, 500},
               {"npb:cg.W.1,bytes=12,cache=%u", 875, 900},
               {"npb:cg.W.1,bytes=12,cache=%u", 875, 2000},
               {"npb:cg.A.4,bytes=12,cache=%u", 875, 500}};
  for (size_t i = 0; i < COUNT(CASES); i++) {
    char spec[64];
    struct generator *g;
    struct err e;
    snprintf(spec, sizeof spec, CASES[i].spec, 64 * CASES[i].room);
    assert_int_equal(generator_open(&g, spec, &e), OK);
    const double want = 12 + 64 * missing_share(CASES[i].vector, CASES[i].room);
    if (fabs(g->per_flop / want - 1) > 0.02)
      fail_msg("case %zu: %g bytes, not %g", i, g->per_flop, want);
    generator_close(g);
  }
}

static void counts_of_ranks_follow_the_rules(void **state)
{
  (void)state;
  static const struct {
    uint32_t ranks, power, square;
  } CASES[] = {{1, 1, 1},    {2, 2, 1},       {3, 2, 1},
               {4, 4, 4},    {15, 8, 9},      {16, 16, 16},
               {17, 16, 16}, {500, 256, 484}, {1u << 20, 1u << 20, 1u << 20}};
  for (size_t i = 0; i < COUNT(CASES); i++) {
    assert_int_equal(npb_power_of_two(NPB_A, CASES[i].ranks), CASES[i].power);
    assert_int_equal(npb_adi_ranks_used(1u << 20, CASES[i].ranks), CASES[i].square);
    assert_int_equal(1u << npb_log2(CASES[i].ranks), CASES[i].power);
  }
}

static void iterations_depend_on_the_class(void **state)
{
  (void)state;
  static const struct {
    const char *spec;
    uint32_t iterations;
  } CASES[] = {{"npb:cg.S.4", 15}, {"npb:cg.C.4", 75},  {"npb:mg.A.4", 4},
               {"npb:mg.D.4", 50}, {"npb:mg.D.4@7", 7}, {"npb:is.W.4", 10}};
  for (size_t i = 0; i < COUNT(CASES); i++) {
    struct generator *g;
    struct err e;
    assert_int_equal(generator_open(&g, CASES[i].spec, &e), OK);
    assert_int_equal(g->iterations, CASES[i].iterations);
    generator_close(g);
  }
}

/* --- pairs of ranks --------------------------------------------------------------------------- */

static struct matrix p2p_of(const char *spec)
{
  return generated_matrix(spec, &(struct collectives){.host = NULL}, true);
}

/* The same pairs as in real traces of these sizes. */
static void pairs_agree_with_real_traces(void **state)
{
  (void)state;
  static const struct {
    const char *spec;
    size_t pairs;        /* directed, including ranks with themselves */
    uint32_t self;       /* ranks that send to themselves */
    uint32_t of_zero[8]; /* destinations of rank 0 */
    size_t zeros;
  } CASES[] = {
      {"npb:cg.A.64@1", 256, 8, {0, 1, 2, 4}, 4},
      {"npb:cg.B.256@1", 1280, 16, {0, 1, 2, 4, 8}, 5},
      {"npb:cg.A.2@1", 4, 2, {0, 1}, 2},
      {"npb:mg.A.64@1", 408, 0, {1, 3, 4, 12, 16, 48}, 6},
      {"npb:mg.B.256@1", 1944, 0, {1, 3, 4, 28, 32, 224}, 6},
      {"npb:is.S.64@1", 63, 0, {1}, 1},
      {"npb:ep.S.64", 0, 0, {0}, 0},
  };
  for (size_t i = 0; i < COUNT(CASES); i++) {
    struct matrix m = p2p_of(CASES[i].spec);
    size_t self = 0, zeros = 0;
    for (size_t k = 0; k < m.count; k++) {
      self += m.entry[k].src == m.entry[k].dst;
      if (m.entry[k].src == 0 && zeros < COUNT(CASES[i].of_zero))
        assert_int_equal(m.entry[k].dst, CASES[i].of_zero[zeros++]);
    }
    if (m.count != CASES[i].pairs || self != CASES[i].self || zeros != CASES[i].zeros)
      fail_msg("%s: %zu pairs, %zu to oneself, %zu of rank 0", CASES[i].spec, m.count, self, zeros);
    matrix_clear(&m);
  }
}

/* --- keys of IS ------------------------------------------------------------------------------- */

/* Keys that rank @p rank sends to rank @p dst in the last iteration. */
static int32_t keys_sent(const char *spec, uint32_t rank, uint32_t dst)
{
  struct trace *t;
  struct err e;
  const struct action *a;
  int32_t sent = -1;
  assert_int_equal(trace_open(&t, spec, SPOOL_LIMIT, &e), OK);
  while (assert_int_equal(trace_next(t, rank, &a, &e), OK), a != NULL)
    if (a->kind == ACTION_ALLTOALLV)
      sent = a->sendcounts[dst];
  trace_free(t);
  return sent;
}

/* The values are from a real trace of S.16. */
static void keys_agree_with_a_real_trace(void **state)
{
  (void)state;
  assert_int_equal(keys_sent("npb:is.S.16", 3, 0), 262);
  assert_int_equal(keys_sent("npb:is.S.16", 3, 5), 295);
  assert_int_equal(keys_sent("npb:is.S.16", 0, 0), 267); /* each iteration changes keys of rank 0 */
  assert_int_equal(keys_sent("npb:is.S.16", 0, 5), 280);
}

/* --- computations ----------------------------------------------------------------------------- */

/* NPB's formulas for Mop/s, without the time. */
static void flops_agree_with_the_formulas_of_npb(void **state)
{
  (void)state;
  static const struct {
    const char *spec;
    double flops;
  } CASES[] = {
      {"npb:cg.S.1", 2. * 15 * 1400 * (3 + 56 + 25 * (5. + 56) + 3)},
      {"npb:cg.S.8", 2. * 15 * 1400 * (3 + 56 + 25 * (5. + 56) + 3)},
      {"npb:cg.S.256@1", 2. * 1400 * (3 + 56 + 25 * (5. + 56) + 3)}, /* pieces of unequal sizes */
      {"npb:cg.S.512@1", 2. * 1400 * (3 + 56 + 25 * (5. + 56) + 3)},
      {"npb:cg.W.64@2", 2. * 2 * 7000 * (3 + 72 + 25 * (5. + 72) + 3)},
      {"npb:ep.S.7", 33554432},
      {"npb:is.S.16@3", 3 * 65536.},
      {"npb:mg.S.1", 58. * 4 * 32768},
      {"npb:mg.S.512@2", 58. * 2 * 32768},
      {"npb:mg.W.32@1", 58. * 2097152},
  };
  for (size_t i = 0; i < COUNT(CASES); i++) {
    const double flops = generated_loop_flops(CASES[i].spec);
    if (!(flops > CASES[i].flops * (1 - 1e-9) && flops < CASES[i].flops * (1 + 1e-9)))
      fail_msg("%s: %.17g flops, not %.17g", CASES[i].spec, flops, CASES[i].flops);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bad_specs_are_refused),
      cmocka_unit_test(gathers_of_cg_miss_as_in_a_cache),
      cmocka_unit_test(counts_of_ranks_follow_the_rules),
      cmocka_unit_test(iterations_depend_on_the_class),
      cmocka_unit_test(pairs_agree_with_real_traces),
      cmocka_unit_test(keys_agree_with_a_real_trace),
      cmocka_unit_test(flops_agree_with_the_formulas_of_npb),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

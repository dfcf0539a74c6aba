/** @file generated_case.h
 *  Common functions of the tests of generators.  They are inline, because a test may use only
 *  some of them.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

#include "traces/files/spool.h"
#include "traces/matrix/matrix.h"

static inline struct matrix generated_matrix(const char *spec, const struct collectives *c,
                                             bool p2p_only)
{
  struct trace *t;
  struct program *p;
  struct matrix m;
  struct err e;
  assert_int_equal(trace_open(&t, spec, SPOOL_LIMIT, &e), OK);
  assert_int_equal(program_new(&p, t, c, &e), OK);
  assert_int_equal(matrix_from_program(&m, p, p2p_only, &e), OK);
  program_free(p);
  trace_free(t);
  return m;
}

/** The flops of all ranks from the mark of the first iteration to the end mark. */
static inline double generated_loop_flops(const char *spec)
{
  struct trace *t;
  struct err e;
  const struct action *a;
  double sum = 0;
  assert_int_equal(trace_open(&t, spec, SPOOL_LIMIT, &e), OK);
  for (uint32_t rank = 0; rank < trace_ranks(t); rank++) {
    bool loop = false;
    while (assert_int_equal(trace_next(t, rank, &a, &e), OK), a != NULL) {
      if (a->kind == ACTION_MARK)
        loop = a->count != ACTION_MARK_END;
      else if (a->kind == ACTION_COMPUTE && loop)
        sum += a->amount;
    }
  }
  trace_free(t);
  return sum;
}

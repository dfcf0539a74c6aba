/** @file lowered_text.h
 *  Lowers a program from the text of a merged trace.  Functions are inline, because a test may
 *  use only some.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/scratch.h"
#include "traces/files/spool.h"
#include "traces/program/program.h"

struct lowered_text {
  struct scratch_file file;
  struct trace *trace;
  struct program *program;
};

static inline void lowered_text_open(struct lowered_text *f, const char *text,
                                     const struct collectives *c)
{
  struct err e = {""};
  f->file = scratch_file(text, strlen(text));
  if (trace_open(&f->trace, f->file.path, SPOOL_LIMIT, &e) != OK)
    fail_msg("%s", e.text);
  assert_int_equal(program_new(&f->program, f->trace, c, &e), OK);
}

static inline void lowered_text_close(struct lowered_text *f)
{
  program_free(f->program);
  trace_free(f->trace);
  scratch_close(&f->file);
}

/** Runs all operations of all ranks in turn.  Tests succeed, and a wait for any takes the first
 *  request. */
static inline enum status lowered_text_run(struct program *p, struct err *e)
{
  bool any = true;
  while (any) {
    any = false;
    for (uint32_t r = 0; r < program_ranks(p); r++) {
      struct op op;
      bool more;
      if (program_next(p, r, &op, &more, e) != OK)
        return FAIL;
      if (more && op.kind == OP_TEST)
        program_completed(p, r, op.request);
      if (more && op.kind == OP_WAITANY)
        program_completed(p, r, op.requests[0]);
      any |= more;
    }
  }
  return program_finish(p, e);
}

/** @file lowered_text.h
 *  A program lowered from the text of a merged trace.  Inline, for any of them may stay unused.
 */
#ifndef TESTS_UNIT_TRACES_LOWERED_TEXT_H
#define TESTS_UNIT_TRACES_LOWERED_TEXT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "traces/program.h"

struct lowered_text {
  char path[32];
  struct trace *trace;
  struct program *program;
};

static inline void lowered_text_open(struct lowered_text *f, const char *text,
                                     const struct collectives *c)
{
  struct err e = {""};
  memcpy(f->path, "/tmp/haichi-text-XXXXXX", sizeof "/tmp/haichi-text-XXXXXX");
  const int fd = mkstemp(f->path);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
  close(fd);
  if (trace_open(&f->trace, f->path, &e) != OK)
    fail_msg("%s", e.text);
  assert_int_equal(program_new(&f->program, f->trace, c, &e), OK);
}

static inline void lowered_text_close(struct lowered_text *f)
{
  program_free(f->program);
  trace_free(f->trace);
  unlink(f->path);
}

/** All operations of all ranks in turn; tests succeed, and waits for any take the first. */
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

#endif

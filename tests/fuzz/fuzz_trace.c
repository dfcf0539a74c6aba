/* Opens the input as a trace: index, merged file or archive.  Reads all actions twice, with equal
 * results, and lowers them to operations. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/fuzz/input.h"
#include "traces/files/spool.h"
#include "traces/program/program.h"

/* Limits the work: a few bytes can ask for a collective of many ranks, which is many operations. */
enum { RANKS_MAX = 64, OPERATIONS_MAX = 200000 };

/* A checksum of all actions and of the failure, if any. */
static uint64_t read_actions(struct trace *t)
{
  uint64_t sum = 0;
  for (uint32_t r = 0; r < trace_ranks(t); r++) {
    const struct action *a;
    struct err e = {{0}};
    while (trace_next(t, r, &a, &e) == OK && a != NULL)
      sum = sum * 31 + a->kind + (uint64_t)a->count + trace_line(t, r);
    for (const char *c = e.text; *c != '\0'; c++)
      sum = sum * 31 + (uint64_t)*c;
  }
  return sum;
}

static bool step(struct program *p, uint32_t rank, bool *more)
{
  struct op op;
  struct err e;
  if (program_next(p, rank, &op, more, &e) != OK)
    return false;
  if (*more && op.kind == OP_WAITANY)
    program_completed(p, rank, op.requests[op.nrequests - 1]);
  const uint32_t tested = op.request == OP_NO_REQUEST ? op.nrequests : op.request;
  if (*more && op.kind == OP_TEST && tested % 2 == 0)
    program_completed(p, rank, op.request);
  return true;
}

/* Takes one operation of each rank in turn, until all ranks end or one fails. */
static void run_program(struct program *p)
{
  const uint32_t ranks = program_ranks(p);
  struct err e;
  bool any = true;
  for (uint32_t steps = 0; any && steps < OPERATIONS_MAX; steps += ranks) {
    any = false;
    for (uint32_t r = 0; r < ranks; r++) {
      bool more = false;
      if (!step(p, r, &more))
        return;
      any |= more;
    }
  }
  if (!any)
    (void)program_finish(p, &e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const struct collectives DEFAULTS;
  char path[64];
  struct err e;
  struct trace *t;
  struct program *p;
  const int fd = input_file(path, sizeof path, data, size);
  if (trace_open(&t, path, SPOOL_LIMIT, &e) == OK) {
    const uint64_t first = read_actions(t);
    trace_rewind(t);
    if (read_actions(t) != first)
      abort();
    trace_rewind(t);
    if (trace_ranks(t) <= RANKS_MAX && program_new(&p, t, &DEFAULTS, &e) == OK) {
      run_program(p);
      program_free(p);
    }
    trace_free(t);
  }
  close(fd);
  return 0;
}

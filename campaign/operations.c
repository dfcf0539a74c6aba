#include "campaign/operations.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"

struct counter {
  struct program *program;
  uint64_t *count; /* by rank */
  bool *ended;     /* by rank */
};

/* Counts on until the rank has entered its @p collectives-th collective, or has ended. */
static enum status count_rank(struct counter *c, uint32_t rank, uint64_t collectives, struct err *e)
{
  bool more = true;
  while (more && program_collectives(c->program, rank) < collectives) {
    struct op op;
    if (program_next(c->program, rank, &op, &more, e) != OK)
      return FAIL;
    c->count[rank] += more ? program_weight(c->program, rank) : 0;
    if (more && op.kind == OP_TEST)
      program_completed(c->program, rank, op.request);
    if (more && op.kind == OP_WAITANY && op.nrequests > 0)
      program_completed(c->program, rank, op.requests[0]);
  }
  c->ended[rank] = !more;
  return OK;
}

/* Stops all ranks at each collective, see program_collectives(). */
static enum status count_ranks(struct counter *c, struct err *e)
{
  const uint32_t ranks = program_ranks(c->program);
  uint32_t left = ranks;
  program_fold(c->program);
  for (uint64_t step = 1; left > 0; step++)
    for (uint32_t r = 0; r < ranks; r++) {
      if (c->ended[r])
        continue;
      if (count_rank(c, r, step, e) != OK)
        return FAIL;
      left -= c->ended[r];
    }
  return OK;
}

enum status operations_count(struct input_trace *trace, uint64_t *count, struct err *e)
{
  struct counter c = {.count = count};
  if (input_trace_program(trace, NULL, &c.program, e) != OK)
    return FAIL;
  const uint32_t ranks = program_ranks(c.program);
  memset(count, 0, ranks * sizeof *count);
  c.ended = mem_array(ranks, sizeof *c.ended, e);
  const enum status status = c.ended == NULL ? FAIL : count_ranks(&c, e);
  program_free(c.program);
  free(c.ended);
  return status;
}

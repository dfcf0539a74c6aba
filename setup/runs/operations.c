#include "setup/runs/operations.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "traces/action.h"

struct counter {
  struct program *program;
  bool first;      /* stop at the first mark */
  uint64_t *count; /* by rank */
  uint64_t *after; /* by rank: operations after the mark of the loop's end; NULL: not counted */
  bool *left;      /* by rank: the mark of the loop's end is passed; NULL if `after` is NULL */
  bool *ended;     /* by rank */
};

static void count_op(struct counter *c, uint32_t rank, const struct op *op)
{
  const uint64_t weight = program_weight(c->program, rank);
  c->count[rank] += weight;
  if (c->after != NULL && c->left[rank])
    c->after[rank] += weight;
  if (op->kind == OP_TEST || op->kind == OP_PROBE)
    program_completed(c->program, rank, op->request);
  if (op->kind == OP_WAITANY && op->nrequests > 0)
    program_completed(c->program, rank, op->requests[0]);
}

/* Counts until the rank has entered @p collectives collectives or has ended. */
static enum status count_rank(struct counter *c, uint32_t rank, uint64_t collectives, struct err *e)
{
  bool more = true;
  while (more && program_collectives(c->program, rank) < collectives) {
    struct op op;
    if (program_next(c->program, rank, &op, &more, e) != OK)
      return FAIL;
    if (more && op.kind == OP_MARK) {
      more = !c->first;
      if (c->after != NULL)
        c->left[rank] = op.iteration == (uint64_t)ACTION_MARK_END;
    } else if (more) {
      count_op(c, rank, &op);
    }
  }
  c->ended[rank] = !more;
  return OK;
}

/* Stops all ranks at each collective, see program_collectives(). */
static enum status count_ranks(struct counter *c, struct err *e)
{
  const uint32_t ranks = program_ranks(c->program);
  uint32_t left = ranks;
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

static enum status count_with(struct counter *c, struct input_trace *trace, struct err *e)
{
  if (input_trace_program(trace, NULL, &c->program, e) != OK)
    return FAIL;
  const uint32_t ranks = program_ranks(c->program);
  enum status status = FAIL;
  if ((c->ended = mem_array(ranks, sizeof *c->ended, e)) != NULL &&
      (c->after == NULL || (c->left = mem_array(ranks, sizeof *c->left, e)) != NULL)) {
    memset(c->count, 0, ranks * sizeof *c->count);
    program_show_marks(c->program);
    if (!c->first)
      program_single_iteration(c->program);
    status = count_ranks(c, e);
  }
  program_free(c->program);
  free(c->ended);
  free(c->left);
  return status;
}

/* A single iteration may hold operations from before the loop; these are counted in a second pass.
 */
static enum status count_parts(struct input_trace *trace, struct operations *count, uint32_t ranks,
                               uint64_t *part, struct err *e)
{
  uint64_t *all = part, *before = part + ranks, *after = part + 2 * (size_t)ranks;
  if (count_with(&(struct counter){.count = all, .after = after}, trace, e) != OK ||
      count_with(&(struct counter){.count = before, .first = true}, trace, e) != OK)
    return FAIL;
  for (uint32_t r = 0; r < ranks; r++)
    count[r] = (struct operations){before[r], all[r] - before[r] - after[r], after[r]};
  return OK;
}

enum status operations_count(struct input_trace *trace, struct operations *count, struct err *e)
{
  struct trace *t;
  if (input_trace_open(trace, &t, e) != OK)
    return FAIL;
  const uint32_t ranks = trace_ranks(t);
  OWNED uint64_t *part = mem_array(3 * (size_t)ranks, sizeof *part, e);
  return part == NULL ? FAIL : count_parts(trace, count, ranks, part, e);
}

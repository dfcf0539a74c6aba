#include "setup/runs/operations.h"

#include <stdbool.h>
#include <stdlib.h>

#include "common/mem.h"
#include "traces/action.h"

struct part {
  uint64_t all;   /* operations */
  uint64_t setup; /* of these, before the mark of the loop's end: program_prepares() */
  uint64_t after; /* of all, after that mark */
  bool left;      /* that mark is passed */
  bool ended;     /* nothing more is counted: the end of the rank, or `first` and its first mark */
};

struct counter {
  struct program *program;
  bool first;        /* stop at the first mark */
  struct part *part; /* by rank; zeroed */
};

static void count_op(struct counter *c, uint32_t rank, const struct op *op)
{
  const uint64_t weight = program_weight(c->program, rank);
  struct part *part = &c->part[rank];
  part->all += weight;
  if (part->left)
    part->after += weight;
  else if (program_prepares(c->program, rank))
    part->setup += weight;
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
      c->part[rank].left = op.iteration == (uint64_t)ACTION_MARK_END;
    } else if (more) {
      count_op(c, rank, &op);
    }
  }
  c->part[rank].ended = !more;
  return OK;
}

/* Stops all ranks at each collective, see program_collectives(). */
static enum status count_ranks(struct counter *c, struct err *e)
{
  const uint32_t ranks = program_ranks(c->program);
  uint32_t left = ranks;
  for (uint64_t step = 1; left > 0; step++)
    for (uint32_t r = 0; r < ranks; r++) {
      if (c->part[r].ended)
        continue;
      if (count_rank(c, r, step, e) != OK)
        return FAIL;
      left -= c->part[r].ended;
    }
  return OK;
}

static enum status count_with(struct counter *c, struct input_trace *trace,
                              const struct mapping *mapping, struct err *e)
{
  if (input_trace_program(trace, mapping, &c->program, e) != OK)
    return FAIL;
  program_show_marks(c->program);
  if (!c->first)
    program_single_iteration(c->program);
  const enum status status = count_ranks(c, e);
  trace->asks_hosts |= program_asks_hosts(c->program);
  program_free(c->program);
  return status;
}

/* A single iteration may hold operations from before the loop; these are counted in a second pass.
 */
enum status operations_count(struct input_trace *trace, const struct mapping *mapping,
                             struct operations *count, struct err *e)
{
  struct trace *t;
  if (input_trace_open(trace, &t, e) != OK)
    return FAIL;
  const uint32_t ranks = trace_ranks(t);
  OWNED struct part *whole = mem_array(ranks, sizeof *whole, e);
  OWNED struct part *before = mem_array(ranks, sizeof *before, e);
  if (whole == NULL || before == NULL ||
      count_with(&(struct counter){.part = whole}, trace, mapping, e) != OK ||
      count_with(&(struct counter){.part = before, .first = true}, trace, mapping, e) != OK)
    return FAIL;
  for (uint32_t r = 0; r < ranks; r++) {
    const struct part *w = &whole[r];
    const uint64_t first = before[r].all + w->setup - before[r].setup;
    count[r] = (struct operations){first, w->all - first - w->after, w->after};
  }
  return OK;
}

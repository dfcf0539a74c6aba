#include "setup/phases.h"

#include <stdlib.h>

#include "common/mem.h"
#include "sim/logical.h"
#include "sim/replay/replay.h"

struct reader {
  struct program *program;
  struct phase_list list;
  double *flops;     /* by rank */
  uint64_t messages; /* so far */
  struct err *err;
};

static enum status add(void *state, const struct transfer *t, uint64_t depth)
{
  struct reader *r = state;
  const struct phase_message x = {t->src, t->dst, t->bytes, 1};
  if (t->src == t->dst || ++r->messages > PHASES_MOST_MESSAGES)
    return OK;
  return phase_list_add(&r->list, &x, depth, program_weight(r->program, t->src), r->err);
}

static void add_flops(void *state, uint32_t rank, double flops)
{
  struct reader *r = state;
  r->flops[rank] += flops * (double)program_weight(r->program, rank);
}

static enum status run(struct reader *r, struct err *e)
{
  const struct replay_options o = {.compute_scale = 1};
  const struct logical_log log = {r, add, add_flops};
  const uint32_t ranks = program_ranks(r->program);
  struct replay *replay;
  program_single_iteration(r->program);
  uint32_t *host = mem_array(ranks, sizeof *host, e);
  if (host == NULL || replay_new(&replay, r->program, &o, e) != OK) {
    free(host);
    return FAIL;
  }
  const struct driver d = replay_driver(replay, host);
  enum status s = logical_run(&d, &log, e);
  if (s == OK)
    s = replay_finish(replay, e);
  replay_free(replay);
  free(host);
  return s;
}

static enum status make(struct reader *r, struct input_trace *t, struct phases *out, struct err *e)
{
  const uint32_t ranks = program_ranks(r->program);
  const struct matrix *traffic;
  if ((r->flops = mem_array(ranks, sizeof *r->flops, e)) == NULL || run(r, e) != OK)
    return FAIL;
  if (r->messages <= PHASES_MOST_MESSAGES)
    return phases_new(out, &r->list, ranks, e);
  program_free(r->program); /* only one may exist at a time */
  r->program = NULL;
  return input_trace_traffic(t, &traffic, e) == OK ? phases_of_matrix(out, traffic, ranks, e)
                                                   : FAIL;
}

enum status phases_of_trace(struct phases *out, struct input_trace *t, struct err *e)
{
  struct reader r = {.err = e};
  if (input_trace_program(t, NULL, &r.program, e) != OK)
    return FAIL;
  const enum status s = make(&r, t, out, e);
  if (s == OK) {
    free(out->flops);
    out->flops = r.flops;
    r.flops = NULL;
  }
  phase_list_clear(&r.list);
  free(r.flops);
  program_free(r.program);
  return s;
}

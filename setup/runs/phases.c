#include "setup/runs/phases.h"

#include <stdlib.h>

#include "common/mem.h"
#include "sim/logical.h"
#include "sim/replay/replay.h"

struct reader {
  struct program *program;
  struct phase_list list;
  struct phase_order order;
  size_t event_room, transfer_room;
  double *flops;     /* by rank */
  uint64_t messages; /* messages read so far */
  struct err *err;
};

/* --- the order of events ---------------------------------------------------------------------- */

static bool is_ordered(uint64_t number)
{
  return number < PHASES_MOST_ORDERED;
}

static enum status add_event(struct reader *r, uint32_t rank, uint64_t number, bool end)
{
  struct phase_order *o = &r->order;
  if (!is_ordered(number))
    return OK;
  if (MEM_GROW(o->event, r->event_room, o->events + 1, r->err) != OK)
    return FAIL;
  o->event[o->events++] = (struct phase_event){.rank = rank,
                                               .transfer = (uint32_t)number & 0x7fffffff,
                                               .end = end,
                                               .flops = r->order.rest[rank]};
  r->order.rest[rank] = 0;
  return OK;
}

static enum status add_post(void *state, uint32_t rank, uint64_t number)
{
  return add_event(state, rank, number, false);
}

static enum status add_end(void *state, uint32_t rank, uint64_t number)
{
  return add_event(state, rank, number, true);
}

static enum status number_transfer(struct reader *r, uint64_t number)
{
  struct phase_order *o = &r->order;
  if (!is_ordered(number) || number < o->transfers)
    return OK;
  const size_t before = o->transfers;
  if (MEM_GROW(o->transfer, r->transfer_room, number + 1, r->err) != OK)
    return FAIL;
  o->transfers = number + 1;
  for (size_t i = before; i < o->transfers; i++)
    o->transfer[i] = (struct phase_transfer){PHASE_NONE, 1};
  return OK;
}

/* --- reading ---------------------------------------------------------------------------------- */

static enum status add(void *state, const struct transfer *t, uint64_t number, uint64_t depth)
{
  struct reader *r = state;
  const struct phase_message x = {t->src, t->dst, t->bytes, 1};
  if (number_transfer(r, number) != OK)
    return FAIL;
  if (t->src == t->dst || ++r->messages > PHASES_MOST_MESSAGES)
    return OK;
  return phase_list_add(&r->list, &x, depth, program_weight(r->program, t->src),
                        is_ordered(number) ? (uint32_t)number : PHASE_NONE, r->err);
}

static void add_flops(void *state, uint32_t rank, double flops)
{
  struct reader *r = state;
  const double all = flops * (double)program_weight(r->program, rank);
  r->flops[rank] += all;
  r->order.rest[rank] += all;
}

static enum status run(struct reader *r, struct err *e)
{
  const struct replay_options o = {.compute_scale = 1};
  const struct logical_log log = {r, add_post, add, add_end, add_flops};
  const uint32_t ranks = program_ranks(r->program);
  struct replay *replay;
  program_single_iteration(r->program);
  OWNED uint32_t *host = mem_array(ranks, sizeof *host, e);
  if (host == NULL || replay_new(&replay, r->program, &o, e) != OK)
    return FAIL;
  const struct driver d = replay_driver(replay, host);
  enum status s = logical_run(&d, &log, e);
  if (s == OK)
    s = replay_finish(replay, e);
  replay_free(replay);
  return s;
}

static enum status make_phases(struct reader *r, uint32_t ranks, struct phases *out, struct err *e)
{
  if (phases_new(out, &r->list, ranks, &r->order, e) != OK)
    return FAIL;
  if (r->list.count > PHASES_MOST_ORDERED || r->order.transfers == PHASES_MOST_ORDERED)
    return OK;
  out->order = r->order;
  r->order = (struct phase_order){.event = NULL};
  return OK;
}

static enum status make(struct reader *r, struct input_trace *t, struct phases *out, struct err *e)
{
  const uint32_t ranks = program_ranks(r->program);
  const struct matrix *traffic;
  r->flops = mem_array(ranks, sizeof *r->flops, e);
  r->order.rest = mem_array(ranks, sizeof *r->order.rest, e);
  if (r->flops == NULL || r->order.rest == NULL || run(r, e) != OK)
    return FAIL;
  if (r->messages <= PHASES_MOST_MESSAGES)
    return make_phases(r, ranks, out, e);
  program_free(r->program); /* only one may exist at a time */
  r->program = NULL;
  return input_trace_traffic(t, &traffic, e) == OK ? phases_of_matrix(out, traffic, ranks, e)
                                                   : FAIL;
}

/* One phase of all traffic, without computations: of traces without sequences of calls. */
static enum status one_phase(struct phases *out, struct input_trace *t, struct err *e)
{
  const struct matrix *traffic;
  return input_trace_traffic(t, &traffic, e) == OK
             ? phases_of_matrix(out, traffic, trace_ranks(t->trace), e)
             : FAIL;
}

enum status phases_of_trace(struct phases *out, struct input_trace *t, const struct mapping *m,
                            struct err *e)
{
  struct reader r = {.err = e};
  struct err why;
  if (input_trace_program(t, m, &r.program, e) != OK)
    return FAIL;
  if (trace_need_sequences(t->trace, "phases", &why) != OK) {
    program_free(r.program); /* only one may exist at a time */
    return one_phase(out, t, e);
  }
  const enum status s = make(&r, t, out, e);
  if (s == OK) {
    free(out->flops);
    out->flops = r.flops;
    r.flops = NULL;
  }
  phase_list_clear(&r.list);
  phase_order_clear(&r.order);
  free(r.flops);
  program_free(r.program);
  return s;
}

#include "traces/program/relay.h"

#include <math.h>

#include "common/numeric/rng.h"
#include "traces/comm.h"

bool relay_begin(struct relay *r, const struct action *a)
{
  if (a->kind == ACTION_RELAY) {
    if (r->open)
      return false;
    *r = (struct relay){.open = true,
                        .src = (uint32_t)a->partner,
                        .dst = a->source == ACTION_NOBODY ? UINT32_MAX : (uint32_t)a->source,
                        .comm = comm_index(a->comm),
                        .tag = a->tag,
                        .bytes = (uint64_t)a->count * action_size(a)};
    return true;
  }
  r->probe_due = r->open && a->kind == ACTION_RELAY_PROBE;
  r->computing = a->kind == ACTION_RELAY_COMPUTE;
  r->columns = a->count;
  r->block = a->count2;
  r->call = a->amount;
  r->column = a->amount2;
  r->noise = a->noise;
  r->seed = a->seed;
  r->calls = 0;
  return true;
}

static void message(const struct relay *r, struct op *op, enum op_kind kind)
{
  *op = (struct op){.kind = kind,
                    .mode = OP_STANDARD,
                    .peer = kind == OP_SEND ? r->dst : r->src,
                    .tag = r->tag,
                    .comm = r->comm,
                    .bytes = r->bytes,
                    .request = OP_NO_REQUEST};
}

/* Receives the message, or passes it on. */
static void forward(struct relay *r, struct op *op)
{
  message(r, op, r->next == RELAY_TAKE ? OP_RECV : OP_SEND);
  r->open = false;
  r->next = r->next == RELAY_TAKE && r->dst != UINT32_MAX ? RELAY_PASS : RELAY_REST;
}

/* Flops of a call of @p n columns, with noise. */
static double flops_of(struct relay *r, int64_t n)
{
  const double mean = r->call + r->column * (double)n;
  if (r->noise <= 0)
    return mean;
  struct rng of_call = rng_new(r->seed, r->calls++);
  return mean * fmax(1 + r->noise * rng_half_normal(&of_call), 0);
}

/* Computes the columns of the next call. */
static void compute(struct relay *r, struct op *op)
{
  const int64_t n = r->open && r->block < r->columns ? r->block : r->columns;
  *op = (struct op){.kind = OP_EXEC, .amount = flops_of(r, n)};
  r->columns -= n;
  r->probe_due = r->open && r->columns > 0;
}

bool relay_next(struct relay *r, struct op *op)
{
  r->probing = false;
  if (r->next == RELAY_REST && r->computing && r->columns == 0 && r->open)
    r->next = RELAY_TAKE;
  if (r->next != RELAY_REST) {
    forward(r, op);
    return true;
  }
  if (r->probe_due) {
    message(r, op, OP_PROBE);
    r->probing = true;
    r->probe_due = false;
    return true;
  }
  if (r->computing && r->columns > 0) {
    compute(r, op);
    return true;
  }
  r->computing = false;
  return false;
}

bool relay_found(struct relay *r)
{
  if (!r->probing)
    return false;
  r->next = RELAY_TAKE;
  return true;
}

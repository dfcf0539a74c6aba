#include "traces/collectives/lower.h"

static uint64_t no_steps(const struct lowering *l)
{
  (void)l;
  return 0;
}

static bool no_step(const struct lowering *l, uint64_t i, struct op *op)
{
  (void)l;
  (void)i;
  (void)op;
  return false;
}

const struct lower_algorithm lower_nothing = {.steps = no_steps, .step = no_step};

static const struct lower_algorithm *piece_of(const struct lowering *l, uint32_t k,
                                              struct lowering *sub)
{
  const struct lower_algorithm *a = l->algorithm;
  if (a->pieces != NULL)
    return a->pieces[k] == &lower_prepare ? lower_prepared(l) : a->pieces[k];
  if (a->pick != NULL)
    return k == 0 ? a->pick(l) : NULL;
  return a->piece(l, k, sub);
}

const struct lower_algorithm *lower_piece(const struct lowering *l, uint32_t k,
                                          struct lowering *sub)
{
  *sub = *l;
  return sub->algorithm = piece_of(l, k, sub);
}

static bool message(struct op *op, enum op_kind kind, uint32_t peer, int32_t tag)
{
  *op = (struct op){.kind = kind, .peer = peer, .tag = tag, .request = OP_NO_REQUEST};
  return true;
}

bool lower_send(struct op *op, uint32_t peer, int32_t tag, uint64_t bytes)
{
  message(op, OP_SEND, peer, tag);
  op->bytes = bytes;
  return true;
}

bool lower_recv(struct op *op, uint32_t peer, int32_t tag, uint64_t bytes)
{
  message(op, OP_RECV, peer, tag);
  op->bytes = bytes;
  return true;
}

bool lower_isend(struct op *op, uint32_t peer, int32_t tag, uint64_t bytes)
{
  lower_send(op, peer, tag, bytes);
  op->request = LOWER_REQUEST;
  return true;
}

bool lower_irecv(struct op *op, uint32_t peer, int32_t tag, uint64_t bytes)
{
  lower_recv(op, peer, tag, bytes);
  op->request = LOWER_REQUEST;
  return true;
}

bool lower_waitall(struct op *op)
{
  return message(op, OP_WAITALL, 0, 0);
}

bool lower_wait(struct op *op, uint32_t n)
{
  message(op, OP_WAIT, 0, 0);
  op->request = n;
  return true;
}

bool lower_exchange(const struct lower_exchange *x, uint64_t step, struct op *op)
{
  if (x->dst == x->self && x->src == x->self)
    return false;
  if (step == 0)
    return lower_isend(op, x->dst, x->tag, x->send_bytes);
  if (step == 1)
    return lower_irecv(op, x->src, x->tag, x->recv_bytes);
  return lower_waitall(op);
}

struct lower_exchange lower_swap(const struct lowering *l, uint32_t peer, int32_t tag)
{
  return (struct lower_exchange){.self = l->rank, .dst = peer, .src = peer, .tag = tag};
}

struct lower_exchange lower_shift(const struct lowering *l, uint64_t distance, int32_t tag)
{
  return (struct lower_exchange){.self = l->rank,
                                 .dst = (uint32_t)((l->rank + distance) % l->ranks),
                                 .src = (uint32_t)((l->rank + l->ranks - distance) % l->ranks),
                                 .tag = tag};
}

uint64_t lower_rounds_steps(const struct lowering *l)
{
  return (uint64_t)lower_rounds(l->ranks) * LOWER_EXCHANGE_STEPS;
}

uint64_t lower_rooted_steps(const struct lowering *l)
{
  return l->rank == l->root ? l->ranks : 1;
}

uint32_t lower_rounds(uint32_t ranks)
{
  uint32_t n = 0;
  while (n < 32 && (UINT64_C(1) << n) < ranks)
    n++;
  return n;
}

uint32_t lower_reversed(uint32_t x, uint32_t bits)
{
  uint32_t y = 0;
  for (uint32_t b = 0; b < bits; b++)
    y |= (x >> b & 1) << (bits - 1 - b);
  return y;
}

uint32_t lower_power_below(uint32_t n)
{
  return lower_power_of_two(n) ? n : UINT32_C(1) << (lower_rounds(n) - 1);
}

uint64_t lower_bytes_to(const struct lowering *l, uint32_t i)
{
  return l->sendcounts == NULL ? l->send_bytes : (uint64_t)l->sendcounts[i] * l->send_size;
}

uint64_t lower_bytes_from(const struct lowering *l, uint32_t i)
{
  return l->recvcounts == NULL ? l->recv_bytes : (uint64_t)l->recvcounts[i] * l->recv_size;
}

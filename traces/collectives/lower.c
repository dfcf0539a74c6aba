#include "traces/collectives/lower.h"

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

uint32_t lower_rounds(uint32_t ranks)
{
  uint32_t n = 0;
  while (n < 32 && (UINT64_C(1) << n) < ranks)
    n++;
  return n;
}

#include "traces/collectives/call.h"

#include <assert.h>

#include "traces/datatype.h"

static struct lowering lowering_of(const struct action *a, uint32_t rank, uint32_t ranks)
{
  struct lowering l = {.ranks = comm_size(a->comm, ranks),
                       .root = a->root,
                       .sendcounts = a->sendcounts,
                       .recvcounts = a->recvcounts,
                       .send_size = datatype_size(a->type),
                       .recv_size = datatype_size(a->type2)};
  const bool member = comm_member(a->comm, rank, &l.rank);
  assert(member);
  (void)member;
  if (a->kind == ACTION_REDUCESCATTER)
    l.recv_size = l.send_size;
  l.send_bytes = (uint64_t)a->count * l.send_size;
  l.recv_bytes = (uint64_t)a->count2 * l.recv_size;
  return l;
}

void call_start(struct call *c, const struct action *a, uint32_t rank, uint32_t ranks,
                const struct collectives *choice)
{
  *c = (struct call){.comm = a->comm, .lowering = lowering_of(a, rank, ranks)};
  c->algorithm = lower_algorithm(a->kind, choice->algorithm[a->kind - ACTION_BARRIER]);
  if (c->algorithm->select != NULL)
    c->algorithm = c->algorithm->select(&c->lowering);
}

/* Translates the peer from a member number to a rank of the world, and the tag from the world's to
 * the communicator's, see lower.h. */
static void place_on_comm(const struct comm *c, struct op *op)
{
  if (c == NULL || (op->kind != OP_SEND && op->kind != OP_RECV))
    return;
  op->peer = comm_world_rank(c, op->peer);
  op->tag -= (int32_t)(LOWER_TAGS * c->index);
}

bool call_step(struct call *c, struct op *op)
{
  while (c->part < LOWER_MAX_PARTS && c->algorithm->part[c->part] != NULL) {
    const struct lower_part *part = c->algorithm->part[c->part];
    const uint64_t steps = part->steps(&c->lowering);
    while (c->step < steps)
      if (part->step(&c->lowering, c->step++, op)) {
        place_on_comm(c->comm, op);
        return true;
      }
    c->part++;
    c->step = 0;
  }
  return false;
}

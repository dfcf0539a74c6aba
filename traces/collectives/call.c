#include "traces/collectives/call.h"

#include <assert.h>

#include "traces/collectives/nonblocking/nonblocking.h"

static struct lowering lowering_of(const struct action *a, uint32_t rank, uint32_t ranks)
{
  struct lowering l = {.ranks = comm_size(a->comm, ranks),
                       .root = a->root,
                       .sendcounts = a->sendcounts,
                       .recvcounts = a->recvcounts,
                       .neighbours = a->neighbours,
                       .send_size = action_size(a),
                       .recv_size = action_size2(a)};
  const bool member = comm_member(a->comm, rank, &l.rank);
  assert(member);
  (void)member;
  if (action_blocking(a->kind) == ACTION_REDUCESCATTER)
    l.recv_size = l.send_size;
  l.member = l.rank;
  l.count = (uint64_t)a->count;
  l.send_bytes = l.count * l.send_size;
  l.recv_bytes = (uint64_t)a->count2 * l.recv_size;
  return l;
}

/* The collective of the algorithm at level @p levels of the path: c->whole at level 0, otherwise an
 * entry of @p room. */
static const struct lowering *follow(const struct call *c, uint32_t levels, struct lowering room[2])
{
  const struct lowering *l = &c->whole;
  for (uint32_t d = 0; d < levels; d++) {
    lower_piece(l, c->path[d], &room[d % 2]);
    l = &room[d % 2];
  }
  return l;
}

/* Leaves the algorithm of the last level, which has no more pieces. */
static void leave(struct call *c, const struct lowering *l)
{
  if (l->algorithm == &lower_prepare) {
    c->whole.prepared |= lower_group_bit(l);
    c->preparing = false;
  }
  c->depth--;
  if (c->depth > 0)
    c->path[c->depth - 1]++;
}

/* Finds the leaf at the path, or the next leaf after it. */
static void enter(struct call *c)
{
  c->step = 0;
  while (c->depth > 0) {
    struct lowering room[2];
    const struct lowering *l = follow(c, c->depth - 1, room);
    const struct lower_algorithm *a = lower_piece(l, c->path[c->depth - 1], &c->lowering);
    if (a == NULL) {
      leave(c, l);
    } else if (a->step != NULL) {
      return;
    } else {
      assert(c->depth < LOWER_MAX_DEPTH);
      c->preparing |= a == &lower_prepare;
      c->path[c->depth++] = 0;
    }
  }
  c->lowering.algorithm = NULL;
}

/* Algorithm of a collective.  Nonblocking collectives and some others have only one. */
static const struct lower_algorithm *algorithm_of(const struct lowering *l, enum action_kind kind)
{
  if (action_is_nonblocking(kind))
    return lower_posted(kind);
  if (kind == ACTION_ALLTOALLW)
    return &lower_alltoallw_default;
  if (action_is_neighbourly(kind))
    return &lower_neighbor_default;
  return lower_chosen(l, kind);
}

void call_start(struct call *c, const struct action *a, uint32_t rank, uint32_t ranks,
                const struct collectives *choice)
{
  *c = (struct call){.comm = a->comm, .whole = lowering_of(a, rank, ranks)};
  c->whole.choice = choice;
  c->whole.algorithm = algorithm_of(&c->whole, a->kind);
  c->posted = action_is_nonblocking(a->kind);
  c->lowering = c->whole;
}

void call_place(struct call *c, const struct nodes *nodes, uint64_t prepared)
{
  c->whole.nodes = nodes;
  c->whole.prepared = prepared;
  c->lowering = c->whole;
}

/* Translates the peer from a rank of the group to a rank of the world, and the tag to the tags of
 * the communicator and group, see lower.h. */
static void place_on_comm(const struct call *c, struct op *op)
{
  if (op->kind != OP_SEND && op->kind != OP_RECV)
    return;
  const struct lowering *l = &c->lowering;
  const uint32_t comm = comm_index(c->comm);
  const uint32_t peer = l->stride == 0 ? op->peer : l->first + op->peer * l->stride;
  const uint32_t member = l->group == LOWER_ALL ? peer : lower_member(l, peer);
  op->peer = c->comm == NULL ? member : comm_world_rank(c->comm, member);
  const uint32_t group = c->posted ? LOWER_POSTED : l->group;
  op->tag -= (int32_t)(LOWER_TAGS * (LOWER_GROUPS * comm + group));
}

static void next_leaf(struct call *c)
{
  if (c->depth > 0)
    c->path[c->depth - 1]++;
  else if (c->whole.algorithm->step == NULL)
    c->path[c->depth++] = 0;
  enter(c);
}

bool call_step(struct call *c, struct op *op)
{
  const struct lower_algorithm *a = c->lowering.algorithm;
  if (a != NULL && a->step == NULL)
    next_leaf(c);
  while ((a = c->lowering.algorithm) != NULL) {
    if (c->step == 0)
      c->steps = a->steps(&c->lowering);
    while (c->step < c->steps)
      if (a->step(&c->lowering, c->step++, op)) {
        place_on_comm(c, op);
        return true;
      }
    next_leaf(c);
  }
  return false;
}

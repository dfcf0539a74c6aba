#include "traces/collectives/tally.h"

#include <assert.h>
#include <stdlib.h>

#include "common/mem.h"
#include "traces/collectives/call.h"
#include "traces/collectives/nodes.h"
#include "traces/datatype.h"

/* Posts are numbered from 1. */
#define NONE 0u

/* A posted send or receive. */
struct post {
  bool send, matched;
  uint32_t owner;
  int32_t tag;
  uint64_t round; /* of the matched message; until then, the round of the owner at the post */
  uint32_t next;  /* next unmatched post between the same ranks, or next free post */
};

/* Unmatched posts from one rank to another, oldest first; all are sends, or all are receives. */
struct queue {
  uint32_t first, last; /* last: undefined if first is NONE */
};

enum blocked { RUNNING, ON_OWN, ON_ONE, ON_ALL, ENDED };

struct rank_state {
  struct call call;
  enum blocked blocked;
  uint32_t on;       /* ON_OWN: its blocking post; ON_ONE: a post in request[] */
  uint32_t *request; /* posts of the nonblocking operations since the last WAITALL; owned */
  size_t request_room;
  uint32_t requests, unmatched; /* entries of request[]; all its unmatched posts */
  uint64_t round;               /* round of the last message that the rank has waited for */
  uint64_t latest;              /* last round of its messages */
  uint64_t bytes;               /* sent */
};

struct tally_run {
  uint32_t count;
  struct rank_state *rank;
  struct queue *queue; /* from rank src to rank dst, at src * count + dst */
  struct post *post;
  size_t post_room;
  uint32_t posts, free_post; /* posts ever used; first free post */
  struct tally tally;
};

static uint64_t max_u64(uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

/* --- posts ------------------------------------------------------------------------------------ */

static void release_post(struct tally_run *x, uint32_t i)
{
  x->post[i].next = x->free_post;
  x->free_post = i;
}

static enum status new_post(struct tally_run *x, uint32_t *out, struct err *e)
{
  if (x->free_post != NONE) {
    *out = x->free_post;
    x->free_post = x->post[*out].next;
    return OK;
  }
  if (MEM_GROW(x->post, x->post_room, (size_t)x->posts + 2, e) != OK)
    return FAIL;
  *out = ++x->posts;
  return OK;
}

static void match(struct tally_run *x, struct post *a, struct post *b)
{
  const uint64_t round = max_u64(a->round, b->round) + 1;
  struct post *const both[] = {a, b};
  for (size_t i = 0; i < 2; i++) {
    struct rank_state *p = &x->rank[both[i]->owner];
    both[i]->matched = true;
    both[i]->round = round;
    p->latest = max_u64(p->latest, round);
    p->unmatched--;
  }
  x->tally.messages++;
  x->tally.rounds = max_u64(x->tally.rounds, round);
}

static void append(struct tally_run *x, struct queue *q, uint32_t i)
{
  if (q->first == NONE)
    q->first = i;
  else
    x->post[q->last].next = i;
  q->last = i;
}

/* If the oldest post of @p q and the post @p p are a send and a receive, removes the former from
 * the queue and returns it; NONE if not.  Posts match in order, since a piece of an algorithm
 * (lower.h) has one tag and all ranks execute the pieces in one order. */
static uint32_t take(struct tally_run *x, struct queue *q, const struct post *p)
{
  const uint32_t i = q->first;
  if (i == NONE || x->post[i].send == p->send)
    return NONE;
  assert(x->post[i].tag == p->tag);
  q->first = x->post[i].next;
  return i;
}

static enum status post_message(struct tally_run *x, uint32_t rank, const struct op *op,
                                struct err *e)
{
  struct rank_state *p = &x->rank[rank];
  const bool send = op->kind == OP_SEND;
  const uint64_t src = send ? rank : op->peer, dst = send ? op->peer : rank;
  uint32_t i;
  if (new_post(x, &i, e) != OK)
    return FAIL;
  x->post[i] = (struct post){.send = send, .owner = rank, .tag = op->tag, .round = p->round};
  p->bytes += send ? op->bytes : 0;
  p->unmatched++;
  struct queue *q = &x->queue[src * x->count + dst];
  const uint32_t other = take(x, q, &x->post[i]);
  if (other == NONE)
    append(x, q, i);
  else
    match(x, &x->post[i], &x->post[other]);
  if (op->request == OP_NO_REQUEST) {
    p->blocked = ON_OWN;
    p->on = i;
    return OK;
  }
  if (MEM_GROW(p->request, p->request_room, (size_t)p->requests + 1, e) != OK)
    return FAIL;
  p->request[p->requests++] = i;
  return OK;
}

/* --- ranks ------------------------------------------------------------------------------------ */

/* Unblocks the rank if the operations that block it have completed; false if it stays blocked. */
static bool try_unblock(struct tally_run *x, struct rank_state *p)
{
  if (p->blocked == ENDED || (p->blocked == ON_ALL && p->unmatched > 0))
    return false;
  if (p->blocked == ON_OWN || p->blocked == ON_ONE) {
    if (!x->post[p->on].matched)
      return false;
    p->round = max_u64(p->round, x->post[p->on].round);
  }
  if (p->blocked == ON_OWN)
    release_post(x, p->on);
  if (p->blocked == ON_ALL) {
    p->round = p->latest;
    while (p->requests > 0)
      release_post(x, p->request[--p->requests]);
  }
  p->blocked = RUNNING;
  return true;
}

static enum status advance(struct tally_run *x, uint32_t rank, bool *moved, struct err *e)
{
  struct rank_state *p = &x->rank[rank];
  struct op op;
  while (try_unblock(x, p)) {
    *moved = true;
    if (!call_step(&p->call, &op)) {
      p->blocked = ENDED;
    } else if (op.kind == OP_WAITALL) {
      p->blocked = ON_ALL;
    } else if (op.kind == OP_WAIT) {
      p->blocked = ON_ONE;
      p->on = p->request[op.request];
    } else if (post_message(x, rank, &op, e) != OK) {
      return FAIL;
    }
  }
  return OK;
}

static enum status run(struct tally_run *x, struct err *e)
{
  for (bool moved = true; moved;) {
    moved = false;
    for (uint32_t r = 0; r < x->count; r++)
      if (advance(x, r, &moved, e) != OK)
        return FAIL;
  }
  for (uint32_t r = 0; r < x->count; r++) {
    assert(x->rank[r].blocked == ENDED && x->rank[r].unmatched == 0);
    x->tally.bytes = max_u64(x->tally.bytes, x->rank[r].bytes);
  }
  return OK;
}

/* --- the call --------------------------------------------------------------------------------- */

/* The action, the same for all ranks; @p counts has call->bytes for each rank. */
static struct action action_of(enum action_kind kind, const struct picked_call *call,
                               const int32_t *counts)
{
  const bool to = kind == ACTION_ALLTOALLV || kind == ACTION_SCATTERV;
  const bool from = kind == ACTION_ALLTOALLV || kind == ACTION_GATHERV ||
                    kind == ACTION_ALLGATHERV || kind == ACTION_REDUCESCATTER;
  const bool by_counts = kind == ACTION_ALLTOALLV || kind == ACTION_REDUCESCATTER;
  const int64_t bytes = by_counts || kind == ACTION_BARRIER ? 0 : call->bytes;
  return (struct action){.kind = kind,
                         .count = bytes,
                         .count2 = bytes,
                         .type = DATATYPE_BYTE,
                         .type2 = DATATYPE_BYTE,
                         .sendcounts = to ? counts : NULL,
                         .recvcounts = from ? counts : NULL};
}

static enum status tally_on(struct tally_run *x, const struct action *a,
                            const struct collectives *choice, struct err *e)
{
  const size_t n = x->count;
  struct nodes *nodes = nodes_new(NULL, x->count, choice, e);
  x->rank = nodes == NULL ? NULL : mem_array(n, sizeof *x->rank, e);
  x->queue = x->rank == NULL ? NULL : mem_array(n * n, sizeof *x->queue, e);
  for (uint32_t r = 0; x->queue != NULL && r < n; r++) {
    call_start(&x->rank[r].call, a, r, x->count, choice);
    call_place(&x->rank[r].call, nodes, UINT64_MAX);
  }
  const enum status s = x->queue == NULL ? FAIL : run(x, e);
  for (uint32_t r = 0; x->rank != NULL && r < n; r++)
    free(x->rank[r].request);
  free(x->rank);
  free(x->queue);
  free(x->post);
  nodes_free(nodes);
  return s;
}

enum status tally_call(struct tally *out, enum action_kind kind, size_t i,
                       const struct picked_call *call, struct err *e)
{
  struct tally_run x = {.count = call->ranks};
  struct collectives choice = {.ranks_per_host = call->per_host};
  OWNED int32_t *counts = mem_array(call->ranks, sizeof *counts, e);
  if (counts == NULL)
    return FAIL;
  for (uint32_t r = 0; r < call->ranks; r++)
    counts[r] = (int32_t)call->bytes;
  choice.algorithm[kind - ACTION_BARRIER] = (uint8_t)i;
  const struct action a = action_of(kind, call, counts);
  const enum status s = tally_on(&x, &a, &choice, e);
  if (s == OK)
    *out = x.tally;
  return s;
}

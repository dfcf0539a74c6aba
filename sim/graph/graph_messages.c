#include <inttypes.h>

#include "common/mem.h"
#include "sim/graph/graph_internal.h"
#include "sim/output/links.h"
#include "sim/output/timeline.h"
#include "sim/replay/replay_internal.h"

/* message.line[]: the node in the lower 32 bits, graph_post.handle in the upper ones. */
static uint64_t owner_of(const struct graph_post *p)
{
  return (uint64_t)p->handle << 32 | p->node;
}

static uint32_t node_of(const struct message *t, enum side side)
{
  return (uint32_t)t->line[side];
}

static enum status fail(struct graph_run *r)
{
  r->failed = true;
  return FAIL;
}

static void place(const struct graph_run *r, const struct graph_post *p, const char **file,
                  uint64_t *record)
{
  *file = trace_file(r->trace, p->rank);
  *record = r->rank[p->rank].graph.node[p->node].record;
}

/* Counts a send, as replay.c does. */
static enum status count_send(struct graph_run *r, const struct graph_post *p)
{
  struct rank_result *one = &r->rank[p->rank].result;
  const uint32_t first = r->options.first_rank;
  const char *file;
  uint64_t record;
  if (p->bytes > INT64_MAX - r->bytes) {
    place(r, p, &file, &record);
    return err_at(r->err, file, record, "with these %" PRIu64 " bytes the run sends 2^63 or more",
                  p->bytes);
  }
  r->bytes += p->bytes;
  one->messages++;
  one->bytes += p->bytes;
  if (r->options.links == NULL)
    return OK;
  return links_add(r->options.links, first + p->rank, first + p->peer, p->bytes, r->err);
}

/* False, with an error, if a message of a collective is longer than its receive.  GOAL and Chakra
 * do not compare the sizes of other messages. */
static bool fits(struct graph_run *r, const struct message *t)
{
  if (t->transfer.bytes <= t->room)
    return true;
  const uint32_t rank = t->transfer.dst;
  err_at(r->err, trace_file(r->trace, rank), r->rank[rank].graph.node[node_of(t, RECV_SIDE)].record,
         "a message of %" PRIu64 " bytes from rank %" PRIu32 " does not fit in the %" PRIu64
         " bytes of this receive",
         t->transfer.bytes, t->transfer.src, t->room);
  return false;
}

/* Starts a transfer.  It is one-sided, because a stream waits for any of its messages, never for a
 * single one. */
static void start(struct graph_run *r, struct message *t)
{
  t->transfer.first = r->services->first;
  t->transfer.posted[SEND_SIDE] = true;
  r->flying++;
  r->services->post(r->services->engine, &t->transfer, SEND_SIDE);
}

static uint64_t extra_bytes(const struct graph_run *r, const struct graph_post *p)
{
  const struct replay_options *o = &r->options;
  if (o->slowed == NULL)
    return 0;
  return o->extra_bytes(o->slowed, o->first_rank + p->rank, o->first_rank + p->peer, p->bytes,
                        r->rank[p->rank].result.messages);
}

/* True if a send completes when it is posted, by the rules of a replay.  An eager send of a node
 * also completes at once, unless it holds its stream. */
static bool completes_at_once(const struct graph_post *p, bool eager)
{
  if (p->holds)
    return false;
  return p->mode == OP_BUFFERED || (eager && p->handle == 0) ||
         (p->mode == OP_STANDARD && p->bytes < SMPI_DETACHED_BELOW);
}

/* Notes a side of a message for the timeline. */
static void note_message(struct graph_run *r, const struct message *t, enum side side)
{
  const uint32_t first = r->options.first_rank;
  const bool receives = side == RECV_SIDE;
  const uint32_t rank = receives ? t->transfer.dst : t->transfer.src;
  const char *called = t->line[side] >> 32 > 0 ? r->rank[rank].called : NULL;
  const char *action = action_name(receives ? ACTION_RECV : ACTION_ISEND);
  timeline_message(
      r->options.timeline,
      &(struct otf2_run_message){.rank = first + rank,
                                 .partner = first + (receives ? t->transfer.src : t->transfer.dst),
                                 .action = called == NULL ? action : called,
                                 .receives = receives,
                                 .tag = t->tag,
                                 .bytes = t->transfer.bytes},
      graph_now(r));
}

enum status graph_send(struct graph_run *r, const struct graph_post *p, bool *over)
{
  struct message send = {.transfer = {.src = p->rank,
                                      .dst = p->peer,
                                      .bytes = p->bytes,
                                      .one_sided = true,
                                      .posted = {true, false}},
                         .tag = p->tag};
  const bool eager =
      p->holds || (p->mode != OP_SYNCHRONOUS && p->bytes < r->options.eager_threshold);
  send.line[SEND_SIDE] = owner_of(p);
  send.transfer.detached = completes_at_once(p, eager);
  if (count_send(r, p) != OK)
    return fail(r);
  struct message *t = match_send(r->matcher, &send, r->err);
  if (t == NULL || (t->transfer.posted[RECV_SIDE] && !fits(r, t)))
    return fail(r);
  note_message(r, t, SEND_SIDE);
  t->transfer.extra = extra_bytes(r, p);
  t->transfer.eager = eager;
  const bool starts = eager || t->transfer.posted[RECV_SIDE];
  *over = t->transfer.detached;
  if (*over)
    match_close(r->matcher, t);
  if (starts)
    start(r, t);
  return OK;
}

enum status graph_recv(struct graph_run *r, const struct graph_post *p, bool *over)
{
  struct message recv = {
      .transfer = {.src = p->peer, .dst = p->rank, .one_sided = true, .posted = {false, true}},
      .tag = p->tag,
      .room = p->bytes};
  recv.line[RECV_SIDE] = owner_of(p);
  struct message *t = match_recv(r->matcher, &recv, r->err);
  if (t == NULL || (t->transfer.posted[SEND_SIDE] && !fits(r, t)))
    return fail(r);
  *over = t->over;
  if (t->over)
    note_message(r, t, RECV_SIDE);
  if (t->over)
    match_close(r->matcher, t);
  else if (t->transfer.posted[SEND_SIDE] && !t->transfer.eager)
    start(r, t);
  return OK;
}

/* --- ends ------------------------------------------------------------------------------------- */

void graph_wake(struct graph_run *r, uint32_t actor)
{
  struct graph_stream *s = &r->stream[actor];
  if (!s->parked)
    return;
  s->parked = false;
  r->busy++;
  r->services->wake(r->services->engine, r->services->first + actor);
}

/* A side of a message is over: queues it for its stream and wakes the stream. */
static void tell(struct graph_run *r, struct message *t, enum side side)
{
  const uint32_t rank = side == SEND_SIDE ? t->transfer.src : t->transfer.dst;
  const uint32_t stream = r->rank[rank].graph.node[node_of(t, side)].stream;
  const uint32_t actor = graph_actor(r, rank, stream);
  struct graph_stream *s = &r->stream[actor];
  if (MEM_GROW(s->over, s->over_room, s->overs + 1, r->err) != OK)
    r->failed = true;
  else
    s->over[s->overs++] = (struct graph_over){t, side};
  graph_wake(r, actor);
}

/* If nothing is in progress any more, wakes a stream, which finds the deadlock. */
static void wake_any(struct graph_run *r)
{
  for (uint32_t a = 0; r->busy == 0 && r->flying == 0 && a < r->actors; a++)
    graph_wake(r, a);
}

void graph_arrived(void *run, struct transfer *x)
{
  struct graph_run *r = run;
  struct message *t = message_of(x);
  const bool posted = t->transfer.posted[RECV_SIDE];
  t->over = true;
  if (!t->transfer.detached)
    tell(r, t, SEND_SIDE);
  if (posted)
    tell(r, t, RECV_SIDE);
  r->flying--; /* last: SimGrid runs woken streams before tell() returns */
  wake_any(r);
}

void graph_take_over(struct graph_run *r, uint32_t actor)
{
  struct graph_stream *s = &r->stream[actor];
  struct graph_rank *k = &r->rank[s->rank];
  for (size_t i = 0; i < s->overs; i++) {
    const struct graph_over o = s->over[i];
    const uint32_t node = node_of(o.message, o.side);
    const uint32_t handle = (uint32_t)(o.message->line[o.side] >> 32);
    if (o.side == RECV_SIDE)
      note_message(r, o.message, RECV_SIDE);
    match_close(r->matcher, o.message);
    if (handle > 0) {
      graph_call_over(r, s->rank, handle - 1);
      continue;
    }
    *(o.side == SEND_SIDE ? &k->sends : &k->recvs) -= 1;
    if (s->holder == node + 1)
      s->holder = 0;
    graph_end_node(r, s->rank, node);
  }
  s->overs = 0;
}

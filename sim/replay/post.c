#include <inttypes.h>

#include "common/mem.h"
#include "sim/output/links.h"
#include "sim/replay/replay_internal.h"

/* A message longer than the room for it: MPI_ERR_TRUNCATE, which is fatal under SMPI. */
static bool fits(struct replay *r, const struct message *t)
{
  if (t->transfer.bytes <= t->room)
    return true;
  const char *file, *action, *from_file, *from_action;
  uint64_t line;
  program_where(r->program, t->transfer.dst, &file, &line, &action);
  program_where(r->program, t->transfer.src, &from_file, &line, &from_action);
  err_at(r->err, file, t->line[RECV_SIDE],
         "a message of %" PRIu64 " bytes from rank %" PRIu32 " (%s:%" PRIu64
         ") does not fit in the %" PRIu64 " bytes of this receive",
         t->transfer.bytes, t->transfer.src, from_file, t->line[SEND_SIDE], t->room);
  r->failed = true;
  return false;
}

/* Counts a send; all sums of bytes stay below the run's, which fits in 63 bits. */
static enum status count_send(struct replay *r, uint32_t rank, const struct op *op)
{
  struct rank_result *one = &r->rank[rank].result;
  const char *file, *action;
  uint64_t line;
  if (op->bytes > INT64_MAX - r->bytes) {
    program_where(r->program, rank, &file, &line, &action);
    return err_at(r->err, file, line, "with these %" PRIu64 " bytes the run sends 2^63 or more",
                  op->bytes);
  }
  r->bytes += op->bytes;
  one->messages++;
  one->bytes += op->bytes;
  if (r->options.links == NULL)
    return OK;
  return links_add(r->options.links, rank, op->peer, op->bytes, r->err);
}

/* Both sides know of each other before the engine hears of it: it may run other ranks. */
static struct message *posted(struct replay *r, struct message *t, enum side side)
{
  if (t == NULL) {
    r->failed = true;
    return NULL;
  }
  if (t->transfer.posted[!side]) {
    if (!fits(r, t))
      return NULL;
    replay_matched(r, t);
  }
  r->services->post(r->services->engine, &t->transfer, side);
  return r->failed ? NULL : t;
}

/* A rank that probes for this message will find it. */
static void wake_prober(struct replay *r, const struct message *t)
{
  const struct rank *d = &r->rank[t->transfer.dst];
  const bool probes = d->doing == DOING_PROBE || d->doing == DOING_LOOK;
  if (probes && d->stuck && match_wants(d->op.peer, d->op.tag, t->transfer.src, t->tag))
    replay_set_stuck(r, t->transfer.dst, false);
}

struct message *replay_post_send(struct replay *r, uint32_t rank, const struct op *op)
{
  struct message send = {
      .transfer = {.src = rank, .dst = op->peer, .bytes = op->bytes, .posted = {true, false}},
      .tag = op->tag};
  send.line[SEND_SIDE] = program_line(r->program, rank);
  send.transfer.detached =
      op->mode == OP_BUFFERED || (op->mode == OP_STANDARD && op->bytes < REPLAY_DETACHED_BELOW);
  send.transfer.eager = op->mode != OP_SYNCHRONOUS && op->bytes < r->options.eager_threshold;
  if (count_send(r, rank, op) != OK) {
    r->failed = true;
    return NULL;
  }
  struct message *t = match_send(r->matcher, &send, r->err);
  if (t != NULL && !t->transfer.posted[RECV_SIDE])
    wake_prober(r, t);
  return posted(r, t, SEND_SIDE);
}

struct message *replay_post_recv(struct replay *r, uint32_t rank, const struct op *op)
{
  struct message recv = {.transfer = {.src = op->peer, .dst = rank, .posted = {false, true}},
                         .tag = op->tag,
                         .room = op->bytes};
  recv.line[RECV_SIDE] = program_line(r->program, rank);
  return posted(r, match_recv(r->matcher, &recv, r->err), RECV_SIDE);
}

enum status replay_keep(struct replay *r, uint32_t rank, uint32_t handle, struct message *t,
                        enum side side)
{
  struct rank *s = &r->rank[rank];
  void *request = s->request;
  if (mem_grow(&request, &s->request_room, (size_t)handle + 1, sizeof *s->request, r->err) != OK) {
    r->failed = true;
    return FAIL;
  }
  s->request = request;
  s->request[handle] = (struct request){t, side};
  return OK;
}

#include <inttypes.h>
#include <string.h>

#include "common/mem.h"
#include "sim/replay/replay_internal.h"

/* --- detection of deadlocks ------------------------------------------------------------------- */

static void check_deadlock(struct replay *r)
{
  if (r->able > 0 || r->live == 0 || r->failed)
    return;
  r->failed = r->deadlock = true;
  err_set(r->err, "deadlock at %.9g s: %" PRIu32 " of %" PRIu32 " ranks are blocked", replay_now(r),
          r->live, r->ranks);
}

void replay_set_stuck(struct replay *r, uint32_t rank, bool stuck)
{
  struct rank *s = &r->rank[rank];
  if (s->stuck == stuck)
    return;
  s->stuck = stuck;
  r->able += stuck ? -1 : 1;
  check_deadlock(r);
}

void replay_rank_ended(struct replay *r, uint32_t rank)
{
  r->rank[rank].doing = DOING_ENDED;
  r->live--;
  r->able--;
  check_deadlock(r);
}

/* Skips eager transfers, which start before the partner is posted: `missing` does not count
 * them. */
static void partner_found(struct replay *r, const struct transfer *t, enum side side)
{
  if (!t->awaited[side] || t->eager)
    return;
  const uint32_t rank = side == SEND_SIDE ? t->src : t->dst;
  struct rank *s = &r->rank[rank];
  if (s->missing > 0 && --s->missing == 0)
    replay_set_stuck(r, rank, false);
}

void replay_matched(struct replay *r, struct message *t)
{
  partner_found(r, &t->transfer, SEND_SIDE);
  partner_found(r, &t->transfer, RECV_SIDE);
}

void replay_print_blocked(const struct replay *r, uint32_t most, FILE *f)
{
  uint32_t printed = 0;
  for (uint32_t i = 0; r->deadlock && i < r->ranks; i++) {
    const char *file, *action;
    uint64_t line;
    if (r->rank[i].doing == DOING_ENDED)
      continue;
    if (printed++ >= most)
      continue;
    program_where(r->program, i, &file, &line, &action);
    fprintf(f, "  rank %" PRIu32 " is blocked in %s (%s:%" PRIu64 ")\n", i, action, file, line);
  }
  if (printed > most)
    fprintf(f, "  and %" PRIu32 " more\n", printed - most);
}

/* --- blocking -------------------------------------------------------------------------------- */

struct step *replay_stop(struct replay *r, uint32_t rank)
{
  struct step *step = &r->rank[rank].step;
  step->kind = STEP_STOP;
  return step;
}

static enum status add_await(struct replay *r, struct rank *s, struct request q, uint32_t handle)
{
  if (MEM_GROW(s->await, s->await_room, (size_t)s->awaits + 1, r->err) != OK)
    return FAIL;
  s->await[s->awaits++] = (struct await){&q.message->transfer, q.side, handle};
  q.message->transfer.awaited[q.side] = true;
  return OK;
}

/* A wait for all messages is a sequence of waits of the engine: for one message after the other or,
 * with `each`, for any of the rest. */
static struct step *wait_step(struct rank *s)
{
  s->doing = DOING_WAIT;
  s->step.kind = STEP_WAIT;
  s->step.await = s->await + s->at;
  s->step.awaits = s->any || s->each ? s->awaits : 1;
  return &s->step;
}

/* The rank is stuck until the messages that it needs can start. */
static struct step *block(struct replay *r, uint32_t rank, bool any)
{
  struct rank *s = &r->rank[rank];
  uint32_t started = 0;
  for (uint32_t i = 0; i < s->awaits; i++) {
    const struct await a = s->await[i];
    started += a.transfer->posted[!a.side] || a.transfer->eager;
  }
  s->any = any;
  s->each = !any && s->awaits > 1 && replay_receives_cost(r);
  s->at = 0;
  s->missing = any ? started == 0 : s->awaits - started;
  replay_set_stuck(r, rank, s->missing > 0);
  return r->failed ? replay_stop(r, rank) : wait_step(s);
}

struct step *replay_wait_one(struct replay *r, uint32_t rank, struct message *t, enum side side)
{
  struct rank *s = &r->rank[rank];
  s->awaits = 0;
  if (add_await(r, s, (struct request){t, side, false}, OP_NO_REQUEST) != OK) {
    r->failed = true;
    return replay_stop(r, rank);
  }
  return block(r, rank, false);
}

/* Returns a handle that needs no wait: its send completed at once, or a TEST has completed it.
 * OP_NO_REQUEST if there is none. */
static uint32_t complete_handle(const struct rank *s)
{
  for (uint32_t i = 0; i < s->op.nrequests; i++)
    if (s->request[s->op.requests[i]].message == NULL)
      return s->op.requests[i];
  return OP_NO_REQUEST;
}

struct step *replay_wait_handles(struct replay *r, uint32_t rank, bool any)
{
  struct rank *s = &r->rank[rank];
  const uint32_t complete = any ? complete_handle(s) : OP_NO_REQUEST;
  if (complete != OP_NO_REQUEST) {
    program_completed(r->program, rank, complete);
    return NULL;
  }
  const uint32_t *handle = s->op.kind == OP_WAIT ? &s->op.request : s->op.requests;
  const uint32_t n = s->op.kind == OP_WAIT ? 1 : s->op.nrequests;
  s->awaits = 0;
  for (uint32_t i = 0; i < n; i++) {
    const struct request q = s->request[handle[i]];
    if (q.message != NULL && add_await(r, s, q, handle[i]) != OK) {
      r->failed = true;
      return replay_stop(r, rank);
    }
  }
  return s->awaits == 0 ? NULL : block(r, rank, any);
}

void replay_close(struct replay *r, struct message *t)
{
  const struct services *to = r->services;
  if (to->forget != NULL && match_is_last(t))
    to->forget(to->engine, &t->transfer);
  match_close(r->matcher, t);
}

static void close_await(struct replay *r, struct await a)
{
  replay_owe(r, message_of(a.transfer), a.side);
  a.transfer->awaited[a.side] = false;
  if (a.side == RECV_SIDE)
    replay_note_message(r, message_of(a.transfer), RECV_SIDE);
  replay_close(r, message_of(a.transfer));
}

static void finish_all(struct replay *r, struct rank *s)
{
  for (uint32_t i = 0; i < s->awaits; i++) /* the transfers lie far apart in memory */
    __builtin_prefetch(s->await[i].transfer, 1);
  for (uint32_t i = 0; i < s->awaits; i++)
    close_await(r, s->await[i]);
}

static void finish_any(struct replay *r, uint32_t rank)
{
  const struct rank *s = &r->rank[rank];
  const struct await a = s->await[s->step.completed];
  for (uint32_t i = 0; i < s->awaits; i++)
    s->await[i].transfer->awaited[s->await[i].side] = false;
  close_await(r, a);
  program_completed(r->program, rank, a.mark);
}

/* Ends the message that has completed, and spends its time. */
static struct step *finish_one(struct replay *r, struct rank *s)
{
  const uint32_t at = s->step.completed;
  close_await(r, s->await[at]);
  s->awaits--;
  memmove(s->await + at, s->await + at + 1, (s->awaits - at) * sizeof *s->await);
  if (s->awaits == 0)
    return NULL;
  if (s->owed_s <= 0)
    return wait_step(s);
  s->doing = DOING_WAIT;
  s->step.kind = STEP_SLEEP;
  s->step.amount = s->owed_s;
  s->owed_s = 0;
  return &s->step;
}

struct step *replay_wait_ended(struct replay *r, uint32_t rank)
{
  struct rank *s = &r->rank[rank];
  if (r->failed)
    return replay_stop(r, rank);
  if (s->each)
    return s->step.kind == STEP_SLEEP ? wait_step(s) : finish_one(r, s);
  if (s->any)
    finish_any(r, rank);
  else if (++s->at < s->awaits)
    return wait_step(s);
  else
    finish_all(r, s);
  return NULL;
}

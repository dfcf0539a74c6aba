#include "sim/replay/replay.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "common/mem.h"
#include "platforms/platform.h"
#include "sim/output/links.h"
#include "sim/output/timeline.h"
#include "sim/replay/replay_internal.h"
#include "traces/action.h"

/* --- making and freeing ----------------------------------------------------------------------- */

enum status replay_new(struct replay **out, struct program *p, const struct replay_options *o,
                       struct err *e)
{
  struct replay *r = mem_array(1, sizeof *r, e);
  if (r == NULL)
    return FAIL;
  *r = (struct replay){.program = p, .options = *o, .tests = 1, .probes = 1, .err = e};
  r->ranks = r->live = r->able = program_ranks(p);
  replay_take_options(r);
  r->rank = mem_array(r->ranks, sizeof *r->rank, e);
  if (r->rank == NULL || matcher_new(&r->matcher, r->ranks, e) != OK) {
    replay_free(r);
    return FAIL;
  }
  if (o->watch != NULL && watch_start(&r->progress, o->watch, r->ranks, e) != OK) {
    replay_free(r);
    return FAIL;
  }
  if (o->loop != NULL)
    program_show_marks(p);
  *out = r;
  return OK;
}

void replay_free(struct replay *r)
{
  if (r == NULL)
    return;
  for (uint32_t i = 0; r->rank != NULL && i < r->ranks; i++) {
    free(r->rank[i].request);
    free(r->rank[i].await);
  }
  free(r->rank);
  watch_clear(&r->progress);
  matcher_free(r->matcher);
  free(r);
}

uint32_t replay_ranks(const struct replay *r)
{
  return r->ranks;
}

const struct rank_result *replay_result(const struct replay *r, uint32_t rank)
{
  return &r->rank[rank].result;
}

/* --- posting --------------------------------------------------------------------------------- */

/* Fails if a message is longer than its receive: MPI_ERR_TRUNCATE, which is fatal under SMPI. */
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

/* Counts a send.  No sum of bytes exceeds the total of the run, which must stay below 2^63. */
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
  const uint32_t first = r->options.first_rank;
  return links_add(r->options.links, first + rank, first + op->peer, op->bytes, r->err);
}

/* Completes the matching before it calls the engine, which may run other ranks meanwhile. */
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
  t->transfer.first = r->services->first;
  r->services->post(r->services->engine, &t->transfer, side);
  return r->failed ? NULL : t;
}

/* A destination that probes for this message will find it: it is no longer stuck. */
static void wake_prober(struct replay *r, const struct message *t)
{
  const struct rank *d = &r->rank[t->transfer.dst];
  const bool probes = d->doing == DOING_PROBE || d->doing == DOING_LOOK;
  if (probes && d->stuck && match_wants(&(struct envelope){d->op.peer, d->op.tag, d->op.comm}, t))
    replay_set_stuck(r, t->transfer.dst, false);
}

static uint64_t extra_bytes(const struct replay *r, uint32_t rank, const struct op *op)
{
  const struct replay_options *o = &r->options;
  return o->extra_bytes(o->slowed, o->first_rank + rank, o->first_rank + op->peer, op->bytes,
                        r->rank[rank].result.messages);
}

void replay_note_message(struct replay *r, const struct message *t, enum side side)
{
  const uint32_t first = r->options.first_rank;
  const uint32_t rank = side == RECV_SIDE ? t->transfer.dst : t->transfer.src;
  const char *file, *action;
  uint64_t line;
  if (r->options.timeline == NULL)
    return;
  program_where(r->program, rank, &file, &line, &action);
  const bool receives = side == RECV_SIDE;
  timeline_message(
      r->options.timeline,
      &(struct otf2_run_message){.rank = first + rank,
                                 .partner = first + (receives ? t->transfer.src : t->transfer.dst),
                                 .action = action,
                                 .receives = receives,
                                 .comm = t->comm,
                                 .tag = t->tag,
                                 .bytes = t->transfer.bytes},
      replay_now(r));
}

static struct message *post_send(struct replay *r, uint32_t rank, const struct op *op)
{
  struct message send = {
      .transfer = {.src = rank, .dst = op->peer, .bytes = op->bytes, .posted = {true, false}},
      .tag = op->tag,
      .comm = op->comm};
  send.line[SEND_SIDE] = program_line(r->program, rank);
  send.transfer.detached = replay_completes_at_once(r, op);
  send.transfer.eager = op->mode != OP_SYNCHRONOUS && op->bytes < r->eager_below;
  if (count_send(r, rank, op) != OK) {
    r->failed = true;
    return NULL;
  }
  struct message *t = match_send(r->matcher, &send, r->err);
  if (t != NULL && r->options.slowed != NULL)
    t->transfer.extra = extra_bytes(r, rank, op);
  if (t != NULL)
    replay_note_message(r, t, SEND_SIDE);
  if (t != NULL && !t->transfer.posted[RECV_SIDE])
    wake_prober(r, t);
  return posted(r, t, SEND_SIDE);
}

static struct message *post_recv_side(struct replay *r, uint32_t rank, const struct op *op)
{
  struct message recv = {.transfer = {.src = op->peer, .dst = rank, .posted = {false, true}},
                         .tag = op->tag,
                         .comm = op->comm,
                         .room = op->bytes};
  recv.line[RECV_SIDE] = program_line(r->program, rank);
  return posted(r, match_recv(r->matcher, &recv, r->err), RECV_SIDE);
}

static enum status keep(struct replay *r, uint32_t rank, uint32_t handle, struct message *t,
                        enum side side)
{
  struct rank *s = &r->rank[rank];
  if (MEM_GROW(s->request, s->request_room, (size_t)handle + 1, r->err) != OK) {
    r->failed = true;
    return FAIL;
  }
  s->request[handle] = (struct request){t, side, false};
  return OK;
}

/* --- operations: each returns the step to take, or NULL to continue with the next operation --- */

static struct step *timed_step(struct rank *s, enum step_kind kind, enum doing doing, double amount)
{
  s->step.kind = kind;
  s->step.amount = amount;
  s->doing = doing;
  return &s->step;
}

static double jitter(const struct replay *r, uint32_t rank)
{
  struct rank *s = &r->rank[rank];
  if (s->op.kind != OP_EXEC)
    return 1;
  return replay_jitter(&r->options, r->options.first_rank + rank, s->execs++);
}

static struct step *do_busy(struct replay *r, uint32_t rank)
{
  struct rank *s = &r->rank[rank];
  const double amount = s->op.amount * r->options.compute_scale * jitter(r, rank);
  const char *file, *action;
  uint64_t line;
  if (amount <= 0)
    return NULL;
  if (!isfinite(amount)) {
    program_where(r->program, rank, &file, &line, &action);
    err_at(r->err, file, line, "%s of %g times %g is not finite", action, s->op.amount,
           r->options.compute_scale);
    r->failed = true;
    return replay_stop(r, rank);
  }
  s->since = replay_now(r);
  struct step *step =
      timed_step(s, s->op.kind == OP_EXEC ? STEP_EXEC : STEP_SLEEP, DOING_BUSY, amount);
  step->traffic = r->options.per_flop;
  return step;
}

/* A send that completes at once leaves its handle without a message. */
static struct step *send_now(struct replay *r, uint32_t rank)
{
  struct rank *s = &r->rank[rank];
  const uint32_t handle = s->op.request;
  struct message *t = post_send(r, rank, &s->op);
  if (t == NULL)
    return replay_stop(r, rank);
  if (replay_completes_at_once(r, &s->op)) {
    replay_close(r, t);
    t = NULL;
  }
  if (handle != OP_NO_REQUEST)
    return keep(r, rank, handle, t, SEND_SIDE) == OK ? NULL : replay_stop(r, rank);
  return t == NULL ? NULL : replay_wait_one(r, rank, t, SEND_SIDE);
}

static struct step *do_send(struct replay *r, uint32_t rank)
{
  struct rank *s = &r->rank[rank];
  const double time_s = replay_send_time(r, &s->op);
  return time_s > 0 ? timed_step(s, STEP_SLEEP, DOING_CALL, time_s) : send_now(r, rank);
}

static struct step *post_recv(struct replay *r, uint32_t rank)
{
  struct rank *s = &r->rank[rank];
  const uint32_t handle = s->op.request;
  struct message *t = post_recv_side(r, rank, &s->op);
  if (t == NULL)
    return replay_stop(r, rank);
  if (handle != OP_NO_REQUEST)
    return keep(r, rank, handle, t, RECV_SIDE) == OK ? NULL : replay_stop(r, rank);
  return replay_wait_one(r, rank, t, RECV_SIDE);
}

/* A probe costs time.  Each failure, on any rank, raises the cost of the next probe. */
static struct step *pay_for_probe(struct replay *r, struct rank *s)
{
  return timed_step(s, STEP_BUSY, DOING_PROBE, r->probes * r->probe_s);
}

static struct step *do_recv(struct replay *r, uint32_t rank)
{
  struct rank *s = &r->rank[rank];
  return s->op.bytes == OP_ANY_BYTES ? pay_for_probe(r, s) : post_recv(r, rank);
}

static struct step *probe_over(struct replay *r, uint32_t rank)
{
  struct rank *s = &r->rank[rank];
  const struct envelope want = {s->op.peer, s->op.tag, s->op.comm};
  if (match_probe(r->matcher, rank, &want) != NULL) {
    r->probes = 1; /* the rank is not stuck: wake_prober() has ensured it */
    return post_recv(r, rank);
  }
  r->probes++;
  replay_set_stuck(r, rank, true);
  return r->failed ? replay_stop(r, rank) : pay_for_probe(r, s);
}

/* Looks for the message of a PROBE, which stays pending. */
static struct step *look_for_message(struct replay *r, uint32_t rank)
{
  const struct rank *s = &r->rank[rank];
  const struct envelope want = {s->op.peer, s->op.tag, s->op.comm};
  if (match_probe(r->matcher, rank, &want) != NULL)
    program_completed(r->program, rank, OP_NO_REQUEST);
  return NULL;
}

/* True if a request is complete; closes its message then. */
static bool test_request(struct replay *r, struct request *q)
{
  const struct services *to = r->services;
  if (q->message != NULL && !to->ended(to->engine, &q->message->transfer, q->side)) {
    r->tests++;
    return false;
  }
  if (!q->tested)
    r->tests = 1;
  if (q->message != NULL && q->side == RECV_SIDE)
    replay_note_message(r, q->message, RECV_SIDE);
  if (q->message != NULL)
    replay_owe(r, q->message, q->side);
  if (q->message != NULL)
    replay_close(r, q->message);
  q->message = NULL;
  q->tested = true;
  return true;
}

/* The request that a TEST examines; NULL during the time that a TEST of several requests takes for
 * itself. */
static struct request *request_looked_at(const struct rank *s)
{
  if (s->op.request != OP_NO_REQUEST)
    return &s->request[s->op.request];
  return s->at == 0 ? NULL : &s->request[s->op.requests[s->at - 1]];
}

static struct step *pay_for_test(struct replay *r, struct rank *s)
{
  return timed_step(s, STEP_SLEEP, DOING_TEST, r->tests * r->test_s);
}

/* SMPI tests a collective by testing each of its messages, after the time of one test for the
 * collective itself.  Messages that earlier tests found complete cost time again
 * (Request::testall). */
static struct step *test_next(struct replay *r, uint32_t rank)
{
  struct rank *s = &r->rank[rank];
  if (s->at > 0)
    s->failed += !test_request(r, request_looked_at(s));
  if (s->at++ < s->op.nrequests)
    return pay_for_test(r, s);
  r->tests = s->failed > 0 ? r->tests + 1 : 1;
  if (s->failed == 0)
    program_completed(r->program, rank, OP_NO_REQUEST);
  return NULL;
}

static struct step *test_over(struct replay *r, uint32_t rank)
{
  struct rank *s = &r->rank[rank];
  if (s->op.request == OP_NO_REQUEST)
    return test_next(r, rank);
  if (test_request(r, request_looked_at(s)))
    program_completed(r->program, rank, s->op.request);
  return NULL;
}

/* The sleep of a jump counts as busy time. */
static struct step *do_mark(struct replay *r, uint32_t rank)
{
  struct rank *s = &r->rank[rank];
  const struct replay_loop *l = r->options.loop;
  s->iteration = s->op.iteration == ACTION_MARK_END ? 0 : s->op.iteration;
  const struct replay_jump j = l->passed(l->state, rank, s->op.iteration, replay_now(r));
  if (!j.jump)
    return NULL;
  if (program_skip(r->program, rank, j.to, r->err) != OK) {
    r->failed = true;
    return replay_stop(r, rank);
  }
  if (j.sleep_s <= 0)
    return NULL;
  s->since = replay_now(r);
  return timed_step(s, STEP_SLEEP, DOING_BUSY, j.sleep_s);
}

static struct step *do_op(struct replay *r, uint32_t rank)
{
  struct rank *s = &r->rank[rank];
  switch (s->op.kind) {
  case OP_EXEC:
  case OP_SLEEP:
    return do_busy(r, rank);
  case OP_SEND:
    return do_send(r, rank);
  case OP_RECV:
    return do_recv(r, rank);
  case OP_TEST:
    s->at = s->failed = 0;
    return pay_for_test(r, s);
  case OP_PROBE:
    return timed_step(s, STEP_BUSY, DOING_PROBE, r->probe_s);
  case OP_WAITANY:
    return replay_wait_handles(r, rank, true);
  case OP_MARK:
    return do_mark(r, rank);
  default:
    return replay_wait_handles(r, rank, false);
  }
}

/* --- steps ----------------------------------------------------------------------------------- */

/* SMPI posts, tests and probes through calls of SimGrid's kernel, which runs all other ready actors
 * before it returns (EngineImpl::run).  At one simulated time this decides which test or probe
 * fails. */
static bool lets_others(const struct replay *r)
{
  return r->services->others != NULL && *r->services->others > 0;
}

static struct step *let_others(struct rank *s, enum doing doing)
{
  s->doing = doing;
  s->step.kind = STEP_YIELD;
  return &s->step;
}

/* The time of a TEST or probe is over: looks for its result. */
static struct step *look(struct replay *r, uint32_t rank)
{
  if (r->rank[rank].op.kind == OP_RECV)
    return probe_over(r, rank);
  if (r->rank[rank].op.kind == OP_PROBE)
    return look_for_message(r, rank);
  return test_over(r, rank);
}

/* Finishes the operation of the last step; NULL if it is done. */
static struct step *step_over(struct replay *r, uint32_t rank)
{
  struct rank *s = &r->rank[rank];
  const enum doing doing = s->doing;
  const struct request *q;
  s->doing = DOING_NEXT;
  switch (doing) {
  case DOING_BUSY:
    s->result.busy_s += replay_now(r) - s->since;
    s->result.flops += s->step.kind == STEP_EXEC ? s->step.amount : 0;
    return NULL;
  case DOING_TEST:
    q = request_looked_at(s);
    if (q == NULL || q->message == NULL || !lets_others(r))
      return look(r, rank);
    return let_others(s, DOING_LOOK);
  case DOING_PROBE:
    return let_others(s, DOING_LOOK);
  case DOING_CALL:
    return send_now(r, rank);
  case DOING_LOOK:
    return look(r, rank);
  case DOING_WAIT:
    return replay_wait_ended(r, rank);
  default:
    return NULL;
  }
}

static struct step *end_rank(struct replay *r, uint32_t rank)
{
  struct rank *s = &r->rank[rank];
  s->result.end_s = replay_now(r);
  s->step.kind = STEP_END;
  if (r->options.watch != NULL)
    watch_end(&r->progress, rank, replay_now(r));
  replay_rank_ended(r, rank);
  return r->failed ? replay_stop(r, rank) : &s->step;
}

/* Notes the rank's state from now on: computing or sleeping, also within a collective; in any other
 * state the name of the trace's action. */
static void note_state(struct replay *r, uint32_t rank)
{
  const struct rank *s = &r->rank[rank];
  const char *state = NULL, *file;
  uint64_t line;
  if (s->doing == DOING_BUSY)
    state = action_name(s->op.kind == OP_EXEC ? ACTION_COMPUTE : ACTION_SLEEP);
  else if (s->doing != DOING_ENDED)
    program_where(r->program, rank, &file, &line, &state);
  timeline_note(r->options.timeline, r->options.first_rank + rank, state, replay_now(r));
}

static struct step *pay_for_receives(struct rank *s)
{
  const double time_s = s->owed_s;
  s->owed_s = 0;
  return timed_step(s, STEP_SLEEP, DOING_NEXT, time_s);
}

static struct step *next_step(struct replay *r, uint32_t rank)
{
  struct rank *s = &r->rank[rank];
  struct step *step = step_over(r, rank);
  while (step == NULL) {
    bool more;
    if (s->owed_s > 0)
      return pay_for_receives(s);
    if (r->failed || (r->options.watch != NULL && watch_stops(&r->progress, replay_now(r))))
      return replay_stop(r, rank);
    if (program_next(r->program, rank, &s->op, &more, r->err) != OK) {
      r->failed = true;
      return replay_stop(r, rank);
    }
    s->begun = true;
    if (!more)
      return end_rank(r, rank);
    if (r->options.watch != NULL && s->op.kind != OP_MARK && watch_begin(&r->progress, rank))
      watch_pass(&r->progress, rank, replay_now(r));
    step = do_op(r, rank);
    if (step == NULL && (s->op.kind == OP_SEND || s->op.kind == OP_RECV) && lets_others(r))
      step = let_others(s, DOING_NEXT);
  }
  return step;
}

static struct step *step_of(void *state, uint32_t rank)
{
  struct replay *r = state;
  struct step *step = next_step(r, rank);
  if (r->options.timeline != NULL && step->kind != STEP_STOP)
    note_state(r, rank);
  return step;
}

static void where(void *state, uint32_t rank, struct driver_where *out)
{
  const struct replay *r = state;
  const struct rank *s = &r->rank[rank];
  out->job = r->options.job;
  out->rank = rank;
  out->action = "start";
  if (!s->begun)
    return;
  out->poll = s->doing == DOING_TEST || s->doing == DOING_PROBE;
  out->iteration = s->iteration;
  program_where(r->program, rank, &out->file, &out->line, &out->action);
}

static void attach(void *state, const struct services *s)
{
  ((struct replay *)state)->services = s;
}

struct driver replay_driver(struct replay *r, const uint32_t *host)
{
  return (struct driver){.state = r,
                         .actor = "rank",
                         .host = host,
                         .actors = r->ranks,
                         .eager = r->eager_below > 0,
                         .attach = attach,
                         .step = step_of,
                         .where = where};
}

bool replay_failed(const struct replay *r)
{
  return r->failed;
}

enum status replay_finish(struct replay *r, struct err *e)
{
  if (r->failed)
    return FAIL;
  if (r->progress.cut)
    return OK;
  if (r->live > 0)
    return err_set(e, "the engine stopped while %" PRIu32 " of %" PRIu32 " ranks had not ended",
                   r->live, r->ranks);
  if (program_finish(r->program, e) != OK)
    return FAIL;
  const struct message *t = match_unreceived(r->matcher);
  if (t == NULL)
    return OK;
  const char *file, *action;
  uint64_t line;
  program_where(r->program, t->transfer.src, &file, &line, &action);
  return err_at(e, file, t->line[SEND_SIDE],
                "rank %" PRIu32 " never receives this message of %" PRIu64 " bytes (tag %" PRId32
                ") from rank %" PRIu32,
                t->transfer.dst, t->transfer.bytes, t->tag, t->transfer.src);
}

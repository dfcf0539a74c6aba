#include "traces/program/program.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "common/mem.h"
#include "traces/collectives/call.h"
#include "traces/collectives/nodes.h"
#include "traces/program/agreement.h"
#include "traces/program/pending.h"
#include "traces/program/relay.h"

/* Source of a rank's next operation. */
enum phase { READING, COLLECTIVE, POSTING, EXCHANGE, RELAYING, ENDED };

struct rank_state {
  enum phase phase;
  struct pending pending;
  const struct action *action; /* last one read; set before the first operation */
  uint64_t step;               /* of EXCHANGE */
  uint64_t collectives;        /* number of collectives entered */
  uint64_t *prepared;          /* by comm->index, see struct lowering; owned */
  size_t prepared_room;
  uint32_t prepareds;
  struct call call;               /* COLLECTIVE, POSTING */
  uint32_t group;                 /* POSTING: request of the collective */
  struct lower_exchange exchange; /* EXCHANGE */
  struct relay relay;
};

struct program {
  struct trace *trace;
  struct collectives collectives;
  struct agreements agreements;
  uint32_t ranks;
  struct rank_state *rank;
  struct nodes **nodes; /* by comm->index; NULL until needed; owned */
  size_t nodes_room;
  uint32_t nodes_count;
  uint64_t actions[ACTION_KINDS]; /* read so far, by kind */
  bool marks;                     /* give OP_MARK */
  bool asks_hosts;                /* an algorithm has asked which ranks share a host */
};

/* Lower bound of the memory of a rank, including its reader in the trace and its requests. */
enum { RANK_BYTES = 1024 };

enum status program_new(struct program **out, struct trace *t, const struct collectives *c,
                        struct err *e)
{
  struct program *p = mem_array(1, sizeof *p, e);
  struct err why;
  if (p == NULL)
    return FAIL;
  if (mem_fits(trace_ranks(t), RANK_BYTES, &why) != OK) {
    free(p);
    return err_set(e, "%s: %" PRIu32 " ranks: %s", trace_name(t), trace_ranks(t), why.text);
  }
  p->trace = t;
  p->collectives = *c;
  p->ranks = trace_ranks(t);
  p->agreements.ranks = p->ranks;
  p->rank = mem_array(p->ranks, sizeof *p->rank, e);
  if (p->rank == NULL) {
    program_free(p);
    return FAIL;
  }
  for (uint32_t r = 0; r < p->ranks; r++) {
    pending_init(&p->rank[r].pending);
  }
  *out = p;
  return OK;
}

void program_free(struct program *p)
{
  if (p == NULL)
    return;
  for (uint32_t r = 0; p->rank != NULL && r < p->ranks; r++) {
    pending_clear(&p->rank[r].pending);
    free(p->rank[r].prepared);
  }
  for (uint32_t i = 0; i < p->nodes_count; i++)
    nodes_free(p->nodes[i]);
  free(p->nodes);
  agreements_clear(&p->agreements);
  free(p->rank);
  free(p);
}

uint32_t program_ranks(const struct program *p)
{
  return p->ranks;
}

const struct trace *program_trace(const struct program *p)
{
  return p->trace;
}

uint64_t program_collectives(const struct program *p, uint32_t rank)
{
  return p->rank[rank].collectives;
}

void program_where(const struct program *p, uint32_t rank, const char **file, uint64_t *line,
                   const char **action)
{
  *file = trace_file(p->trace, rank);
  *line = trace_line(p->trace, rank);
  *action = p->rank[rank].phase == ENDED ? "end of trace" : action_name(p->rank[rank].action->kind);
}

uint64_t program_line(const struct program *p, uint32_t rank)
{
  return trace_line(p->trace, rank);
}

const uint64_t *program_actions(const struct program *p)
{
  return p->actions;
}

bool program_asks_hosts(const struct program *p)
{
  return p->asks_hosts;
}

void program_show_marks(struct program *p)
{
  p->marks = true;
}

enum status program_skip(struct program *p, uint32_t rank, uint64_t to, struct err *e)
{
  return trace_skip(p->trace, rank, to, e);
}

void program_single_iteration(struct program *p)
{
  trace_single_iteration(p->trace);
}

bool program_prepares(const struct program *p, uint32_t rank)
{
  const struct rank_state *s = &p->rank[rank];
  return s->phase == COLLECTIVE && s->call.preparing;
}

uint64_t program_weight(const struct program *p, uint32_t rank)
{
  return program_prepares(p, rank) ? 1 : trace_weight(p->trace, rank);
}

enum status program_finish(const struct program *p, struct err *e)
{
  return agreements_finish(&p->agreements, p->trace, e);
}

void program_completed(struct program *p, uint32_t rank, uint32_t request)
{
  if (!relay_found(&p->rank[rank].relay))
    pending_completed(&p->rank[rank].pending, request);
}

/* --- other actions than collectives ----------------------------------------------------------- */

static enum status find_request(struct program *p, uint32_t rank, struct op *op, bool *ready,
                                struct err *e)
{
  struct rank_state *s = &p->rank[rank];
  if (pending_find(&s->pending, s->action, op, ready, e) == OK)
    return OK;
  return err_place(e, trace_file(p->trace, rank), trace_line(p->trace, rank));
}

static uint32_t rank_or_any(int32_t rank)
{
  return rank == ACTION_ANY_SOURCE ? OP_ANY_SOURCE : (uint32_t)rank;
}

static enum status lower_message(struct program *p, uint32_t rank, const struct action *a,
                                 struct op *op, struct err *e)
{
  const bool send = a->kind == ACTION_SEND || a->kind == ACTION_ISEND;
  const uint64_t size = action_size(a);
  *op = (struct op){.kind = send ? OP_SEND : OP_RECV,
                    .mode = (enum op_mode)a->mode,
                    .peer = rank_or_any(a->partner),
                    .tag = a->tag == ACTION_ANY_TAG ? OP_ANY_TAG : a->tag,
                    .comm = comm_index(a->comm),
                    .bytes = a->count < 0 ? OP_ANY_BYTES : (uint64_t)a->count * size,
                    .request = OP_NO_REQUEST};
  if (a->kind == ACTION_SEND || a->kind == ACTION_RECV)
    return OK;
  const struct request_key key = {send ? (int32_t)rank : a->partner,
                                  send ? a->partner : (int32_t)rank, a->tag, comm_index(a->comm)};
  return requests_post(&p->rank[rank].pending.requests, &key, &op->request, e);
}

static void start_exchange(struct rank_state *s, uint32_t rank, const struct action *a)
{
  s->exchange = (struct lower_exchange){.self = rank,
                                        .dst = (uint32_t)a->partner,
                                        .src = rank_or_any(a->source),
                                        .send_bytes = (uint64_t)a->count * action_size(a),
                                        .recv_bytes = (uint64_t)a->count2 * action_size2(a)};
  s->step = 0;
  s->phase = EXCHANGE;
}

static enum status start_relay(struct program *p, uint32_t rank, const struct action *a,
                               struct err *e)
{
  struct rank_state *s = &p->rank[rank];
  if (!relay_begin(&s->relay, a))
    return err_at(e, trace_file(p->trace, rank), trace_line(p->trace, rank),
                  "relay: the rank already expects a message from rank %" PRIu32, s->relay.src);
  s->phase = RELAYING;
  return OK;
}

/* --- collectives ------------------------------------------------------------------------------ */

/* Finds which ranks of the communicator @p c share a host; *out is NULL if none do. */
static enum status nodes_of(struct program *p, const struct comm *c, const struct nodes **out,
                            struct err *e)
{
  const uint32_t i = comm_index(c);
  *out = NULL;
  if (p->collectives.host == NULL && p->collectives.ranks_per_host <= 1)
    return OK;
  if (MEM_GROW(p->nodes, p->nodes_room, (size_t)i + 1, e) != OK)
    return FAIL;
  while (p->nodes_count <= i)
    p->nodes[p->nodes_count++] = NULL;
  if (p->nodes[i] == NULL)
    p->nodes[i] = nodes_new(c, p->ranks, &p->collectives, e);
  *out = p->nodes[i];
  return *out == NULL ? FAIL : OK;
}

/* Tells the rank's call which members share a host. */
static enum status place_call(struct program *p, struct rank_state *s, const struct comm *c,
                              struct err *e)
{
  const uint32_t i = comm_index(c);
  const struct nodes *nodes;
  if (nodes_of(p, c, &nodes, e) != OK)
    return FAIL;
  call_place(&s->call, nodes, i < s->prepareds ? s->prepared[i] : 0);
  s->call.whole.asks_hosts = &p->asks_hosts;
  return OK;
}

/* Records which groups of the communicator the call has prepared. */
static enum status keep_prepared(struct rank_state *s, struct err *e)
{
  const uint32_t i = comm_index(s->call.comm);
  if (s->call.whole.prepared == 0)
    return OK;
  if (MEM_GROW(s->prepared, s->prepared_room, (size_t)i + 1, e) != OK)
    return FAIL;
  while (s->prepareds <= i)
    s->prepared[s->prepareds++] = 0;
  s->prepared[i] = s->call.whole.prepared;
  return OK;
}

static enum status start_collective(struct program *p, uint32_t rank, const struct action *a,
                                    struct err *e)
{
  struct rank_state *s = &p->rank[rank];
  const enum action_kind kind = action_blocking(a->kind);
  const bool symmetric = kind == ACTION_ALLTOALL || kind == ACTION_ALLGATHER;
  call_start(&s->call, a, rank, p->ranks, &p->collectives);
  const struct lowering *l = &s->call.whole;
  if (place_call(p, s, a->comm, e) != OK)
    return FAIL;
  if (symmetric && l->send_bytes != l->recv_bytes)
    return err_at(e, trace_file(p->trace, rank), trace_line(p->trace, rank),
                  "%s sends %" PRIu64 " bytes to each rank but receives %" PRIu64 " from each",
                  action_name(a->kind), l->send_bytes, l->recv_bytes);
  if (agreements_call(&p->agreements, p->trace, a, l, e) != OK)
    return FAIL;
  s->collectives++;
  s->phase = action_is_nonblocking(a->kind) ? POSTING : COLLECTIVE;
  if (s->phase == COLLECTIVE)
    return OK;
  return pending_begin(&s->pending, a, &s->group, e);
}

static bool exchange_step(struct rank_state *s, struct op *op)
{
  while (s->step < LOWER_EXCHANGE_STEPS)
    if (lower_exchange(&s->exchange, s->step++, op)) {
      op->comm = comm_index(s->action->comm);
      return true;
    }
  return false;
}

/* Replaces the number of a collective's request by its handle, and marks the handle as waited
 * for. */
static void bind_wait(struct pending *s, struct op *op)
{
  const uint32_t n = op->request;
  assert(n < s->opens && s->open[n] != REQUESTS_NONE);
  op->request = s->open[n];
  s->open[n] = REQUESTS_NONE;
}

/* Names all requests of a collective that no WAIT has named. */
static void bind_waitall(struct pending *s, struct op *op)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < s->opens; i++)
    if (s->open[i] != REQUESTS_NONE)
      s->open[n++] = s->open[i];
  s->opens = n;
  op->requests = s->open;
  op->nrequests = n;
}

/* Replaces LOWER_REQUEST by a real handle; *ready is false for a WAITALL without requests. */
static enum status bind_requests(struct rank_state *s, struct op *op, bool *ready, struct err *e)
{
  *ready = true;
  if (op->kind == OP_WAITALL) {
    bind_waitall(&s->pending, op);
    *ready = op->nrequests > 0;
    return OK;
  }
  if (op->kind == OP_WAIT)
    bind_wait(&s->pending, op);
  if (op->kind == OP_WAIT || op->request != LOWER_REQUEST)
    return OK;
  if (requests_handle(&s->pending.requests, &op->request, e) != OK)
    return FAIL;
  return pending_open(&s->pending, op->request, e);
}

/* Posts the next message of a nonblocking collective. */
static enum status continue_posting(struct rank_state *s, struct op *op, bool *ready, struct err *e)
{
  *ready = call_step(&s->call, op);
  if (*ready)
    return requests_join(&s->pending.requests, s->group, &op->request, e);
  s->phase = READING;
  return OK;
}

static enum status continue_steps(struct rank_state *s, struct op *op, bool *ready, struct err *e)
{
  if (s->phase == POSTING)
    return continue_posting(s, op, ready, e);
  if (s->phase == RELAYING) {
    *ready = relay_next(&s->relay, op);
    if (!*ready)
      s->phase = READING;
    return OK;
  }
  const bool collective = s->phase == COLLECTIVE;
  if (collective ? call_step(&s->call, op) : exchange_step(s, op))
    return bind_requests(s, op, ready, e);
  if (collective && keep_prepared(s, e) != OK)
    return FAIL;
  s->phase = READING;
  *op = (struct op){.kind = OP_EXEC, .amount = s->action->amount};
  *ready = collective && s->action->amount > 0;
  return OK;
}

/* --- the stream ------------------------------------------------------------------------------- */

static enum status lower_action(struct program *p, uint32_t rank, struct op *op, bool *ready,
                                struct err *e)
{
  struct rank_state *s = &p->rank[rank];
  const struct action *a = s->action;
  if (action_is_collective(a->kind))
    return start_collective(p, rank, a, e);
  if (action_is_relay(a->kind))
    return start_relay(p, rank, a, e);
  switch (a->kind) {
  case ACTION_COMPUTE:
  case ACTION_SLEEP:
    *op = (struct op){.kind = a->kind == ACTION_SLEEP ? OP_SLEEP : OP_EXEC, .amount = a->amount};
    *ready = true;
    return OK;
  case ACTION_REDUCE_LOCAL:
    *op = (struct op){.kind = OP_EXEC, .amount = a->amount};
    *ready = a->amount > 0;
    return OK;
  case ACTION_SEND:
  case ACTION_ISEND:
  case ACTION_RECV:
  case ACTION_IRECV:
    *ready = true;
    return lower_message(p, rank, a, op, e);
  case ACTION_SENDRECV:
    start_exchange(s, rank, a);
    return OK;
  case ACTION_WAIT:
  case ACTION_TEST:
    return find_request(p, rank, op, ready, e);
  case ACTION_WAITALL:
    return pending_wait_all(&s->pending, a->count, op, ready, e);
  case ACTION_WAITANY:
    return pending_wait_any(&s->pending, a->count, op, ready, e);
  case ACTION_MARK:
    *op = (struct op){.kind = OP_MARK, .iteration = (uint64_t)a->count};
    *ready = p->marks;
    return OK;
  default: /* init, finalize, communicators, datatypes, topologies: no operation */
    return OK;
  }
}

/* Reads and lowers an action; at the end of the trace, waits for all pending requests. */
static enum status read_action(struct program *p, uint32_t rank, struct op *op, bool *ready,
                               struct err *e)
{
  struct rank_state *s = &p->rank[rank];
  const struct action *a;
  if (trace_next(p->trace, rank, &a, e) != OK)
    return FAIL;
  if (a != NULL) {
    s->action = a;
    p->actions[a->kind] += trace_weight(p->trace, rank);
    return lower_action(p, rank, op, ready, e);
  }
  s->phase = ENDED;
  return pending_wait_rest(&s->pending, op, ready, e);
}

/* Gives the computations of completed collectives. */
static bool take_due(struct pending *s, struct op *op)
{
  *op = (struct op){.kind = OP_EXEC, .amount = s->due};
  s->due = 0;
  return true;
}

/* Gives the next operation up to the phase @p last. */
static enum status next_until(struct program *p, uint32_t rank, enum phase last, struct op *op,
                              bool *more, struct err *e)
{
  struct rank_state *s = &p->rank[rank];
  bool ready = false;
  pending_settle(&s->pending);
  while (!ready && (s->phase != last || s->pending.due > 0)) {
    if (s->pending.due > 0)
      ready = take_due(&s->pending, op);
    else if ((s->phase == READING ? read_action(p, rank, op, &ready, e)
                                  : continue_steps(s, op, &ready, e)) != OK)
      return FAIL;
  }
  if (ready)
    pending_given(&s->pending, op);
  *more = ready;
  return OK;
}

enum status program_next(struct program *p, uint32_t rank, struct op *op, bool *more, struct err *e)
{
  return next_until(p, rank, ENDED, op, more, e);
}

enum status program_enter(struct program *p, uint32_t rank, const struct action *a, struct err *e)
{
  assert(p->rank[rank].phase == READING && action_is_collective(a->kind));
  p->rank[rank].action = a;
  return start_collective(p, rank, a, e);
}

enum status program_next_inside(struct program *p, uint32_t rank, struct op *op, bool *more,
                                struct err *e)
{
  return next_until(p, rank, READING, op, more, e);
}

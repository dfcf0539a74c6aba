#include <assert.h>
#include <stdlib.h>

#include "common/mem.h"
#include "sim/graph/graph_internal.h"

/* Index in open[] and awaited[]: 0 for a blocking operation, h + 1 for handle h. */
enum { BLOCKING = 0 };

static uint32_t entry_of(uint32_t handle)
{
  return handle == OP_NO_REQUEST ? BLOCKING : handle + 1;
}

void graph_call_clear(struct graph_call *c)
{
  free(c->counts.count);
  free(c->open);
  free(c->awaited);
}

enum status graph_call_begin(struct graph_run *r, uint32_t actor, uint32_t node)
{
  struct graph_stream *s = &r->stream[actor];
  struct graph_rank *k = &r->rank[s->rank];
  const struct graph_node *n = &k->graph.node[node];
  trace_at(r->trace, s->rank, n->record);
  if (graph_action(n, s->rank, r->ranks, &k->call.counts, &k->call.action, r->err) != OK)
    return err_at(r->err, trace_file(r->trace, s->rank), n->record, "%s", r->err->text);
  s->calling = true;
  k->called = action_name(k->call.action.kind);
  return program_enter(r->program, s->rank, &k->call.action, r->err);
}

static enum status need_entries(struct graph_call *c, uint32_t entries, struct err *e)
{
  if (MEM_GROW(c->open, c->open_room, entries, e) != OK ||
      MEM_GROW(c->awaited, c->awaited_room, entries, e) != OK)
    return FAIL;
  for (; c->handles < entries; c->handles++)
    c->open[c->handles] = c->awaited[c->handles] = false;
  return OK;
}

/* Waits for an entry if it is pending. */
static void await(struct graph_call *c, uint32_t entry)
{
  assert(entry < c->handles);
  c->awaited[entry] = c->open[entry];
  c->missing += c->open[entry];
}

static enum status post(struct graph_run *r, uint32_t actor, const struct op *op)
{
  const struct graph_stream *s = &r->stream[actor];
  struct graph_call *c = &r->rank[s->rank].call;
  const uint32_t entry = entry_of(op->request);
  const struct graph_post p = {.rank = s->rank,
                               .node = s->holder - 1,
                               .handle = entry + 1,
                               .peer = op->peer,
                               .tag = op->tag,
                               .bytes = op->bytes,
                               .mode = op->mode};
  bool over;
  if (need_entries(c, entry + 1, r->err) != OK ||
      (op->kind == OP_SEND ? graph_send(r, &p, &over) : graph_recv(r, &p, &over)) != OK)
    return FAIL;
  c->open[entry] = !over;
  if (entry == BLOCKING)
    await(c, entry);
  return OK;
}

static enum status take(struct graph_run *r, uint32_t actor, const struct op *op, double *amount)
{
  struct graph_call *c = &r->rank[r->stream[actor].rank].call;
  graph_count_operation(r, r->stream[actor].rank);
  switch (op->kind) {
  case OP_SEND:
  case OP_RECV:
    return post(r, actor, op);
  case OP_EXEC:
    *amount = op->amount;
    return OK;
  case OP_WAIT:
    await(c, entry_of(op->request));
    return OK;
  default:
    assert(op->kind == OP_WAITALL);
    for (uint32_t i = 0; i < op->nrequests; i++)
      await(c, entry_of(op->requests[i]));
    return OK;
  }
}

enum status graph_call_continue(struct graph_run *r, uint32_t actor, double *amount, bool *ended)
{
  struct graph_stream *s = &r->stream[actor];
  struct graph_rank *k = &r->rank[s->rank];
  *ended = false;
  *amount = 0;
  trace_at(r->trace, s->rank, k->graph.node[s->holder - 1].record);
  while (k->call.missing == 0 && *amount <= 0) {
    struct op op;
    bool more;
    if (program_next_inside(r->program, s->rank, &op, &more, r->err) != OK)
      return FAIL;
    if (!more) {
      *ended = true;
      s->calling = false;
      k->called = NULL;
      return OK;
    }
    if (take(r, actor, &op, amount) != OK)
      return FAIL;
  }
  return OK;
}

void graph_call_over(struct graph_run *r, uint32_t rank, uint32_t entry)
{
  struct graph_call *c = &r->rank[rank].call;
  c->missing -= c->awaited[entry];
  c->open[entry] = c->awaited[entry] = false;
}

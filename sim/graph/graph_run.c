#include "sim/graph/graph_run.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "common/mem.h"
#include "platforms/platform.h"
#include "sim/graph/graph_internal.h"
#include "sim/output/timeline.h"

/* --- making and freeing ----------------------------------------------------------------------- */

static enum status read_ranks(struct graph_run *r, struct err *e)
{
  uint64_t actors = r->ranks;
  for (uint32_t i = 0; i < r->ranks; i++) {
    struct graph_rank *k = &r->rank[i];
    if (trace_graph(r->trace, i, &k->graph, e) != OK ||
        (k->next = mem_array(k->graph.nodes, sizeof *k->next, e)) == NULL)
      return FAIL;
    k->left = k->graph.nodes;
    k->more = (uint32_t)actors;
    actors += k->graph.streams - 1;
    if (actors > UINT32_MAX / 2)
      return err_set(e, "%s: more than %" PRIu32 " streams in all", trace_name(r->trace),
                     UINT32_MAX / 2);
  }
  r->actors = (uint32_t)actors;
  return OK;
}

static void push(struct graph_run *r, uint32_t rank, uint32_t node)
{
  struct graph_rank *k = &r->rank[rank];
  struct graph_stream *s = &r->stream[graph_actor(r, rank, k->graph.node[node].stream)];
  k->next[node] = 0;
  if (s->first == 0)
    s->first = node + 1;
  else
    k->next[s->last - 1] = node + 1;
  s->last = node + 1;
}

static enum status make_streams(struct graph_run *r, const uint32_t *host, struct err *e)
{
  r->stream = mem_array(r->actors, sizeof *r->stream, e);
  r->host = r->stream == NULL ? NULL : mem_array(r->actors, sizeof *r->host, e);
  if (r->host == NULL)
    return FAIL;
  r->busy = r->actors;
  for (uint32_t i = 0; i < r->ranks; i++) {
    for (uint32_t k = 0; k < r->rank[i].graph.streams; k++) {
      r->stream[graph_actor(r, i, k)].rank = i;
      r->host[graph_actor(r, i, k)] = host[i];
    }
    for (uint32_t n = 0; n < r->rank[i].graph.nodes; n++)
      if (r->rank[i].graph.node[n].needs == 0)
        push(r, i, n);
  }
  return OK;
}

enum status graph_run_new(struct graph_run **out, struct trace *t, struct program *p,
                          const uint32_t *host, const struct replay_options *o, struct err *e)
{
  struct graph_run *r = mem_array(1, sizeof *r, e);
  const char *option = o->platform == NULL ? NULL : smpi_first_option(platform_smpi(o->platform));
  if (r == NULL)
    return FAIL;
  if (option != NULL) {
    free(r);
    return err_set(e, "%s: the option '%s' is not known for dependency graphs",
                   platform_name(o->platform), option);
  }
  *r = (struct graph_run){.trace = t, .program = p, .options = *o, .err = e};
  r->ranks = r->live = trace_ranks(t);
  r->rank = mem_array(r->ranks, sizeof *r->rank, e);
  if (r->rank == NULL || matcher_new(&r->matcher, r->ranks, e) != OK || read_ranks(r, e) != OK ||
      make_streams(r, host, e) != OK ||
      (o->watch != NULL && watch_start(&r->progress, o->watch, r->ranks, e) != OK)) {
    graph_run_free(r);
    return FAIL;
  }
  *out = r;
  return OK;
}

void graph_run_free(struct graph_run *r)
{
  if (r == NULL)
    return;
  for (uint32_t i = 0; r->rank != NULL && i < r->ranks; i++) {
    graph_clear(&r->rank[i].graph);
    graph_call_clear(&r->rank[i].call);
    free(r->rank[i].next);
  }
  for (uint32_t i = 0; r->stream != NULL && i < r->actors; i++)
    free(r->stream[i].over);
  free(r->rank);
  free(r->stream);
  free(r->host);
  watch_clear(&r->progress);
  matcher_free(r->matcher);
  free(r);
}

bool graph_run_failed(const struct graph_run *r)
{
  return r->failed;
}

const struct rank_result *graph_run_result(const struct graph_run *r, uint32_t rank)
{
  return &r->rank[rank].result;
}

/* --- nodes ------------------------------------------------------------------------------------ */

/* One dependence of a node is satisfied. */
static void satisfy(struct graph_run *r, uint32_t rank, uint32_t node)
{
  struct graph_node *n = &r->rank[rank].graph.node[node];
  if (--n->needs > 0)
    return;
  push(r, rank, node);
  graph_wake(r, graph_actor(r, rank, n->stream));
}

static void begin_node(struct graph_run *r, uint32_t rank, uint32_t node)
{
  const struct graph *g = &r->rank[rank].graph;
  g->node[node].needs = GRAPH_BEGUN;
  for (uint32_t i = g->node[node].middle; i < g->node[node + 1].first; i++)
    satisfy(r, rank, g->target[i]);
}

/* A rank ends with its last node: wakes all streams of the rank, which then end. */
void graph_end_node(struct graph_run *r, uint32_t rank, uint32_t node)
{
  struct graph_rank *k = &r->rank[rank];
  const struct graph *g = &k->graph;
  g->node[node].needs = GRAPH_ENDED;
  for (uint32_t i = g->node[node].first; i < g->node[node].middle; i++)
    satisfy(r, rank, g->target[i]);
  if (--k->left > 0)
    return;
  for (uint32_t i = 0; i < g->streams; i++)
    graph_wake(r, graph_actor(r, rank, i));
}

void graph_count_operation(struct graph_run *r, uint32_t rank)
{
  if (r->options.watch != NULL && watch_begin(&r->progress, rank))
    watch_pass(&r->progress, rank, graph_now(r));
}

/* --- steps ------------------------------------------------------------------------------------ */

static struct step *stop(struct graph_stream *s)
{
  s->step.kind = STEP_STOP;
  return &s->step;
}

static struct step *fail(struct graph_run *r, struct graph_stream *s)
{
  r->failed = true;
  return stop(s);
}

/* The stream parks or ends.  Fails if this is a deadlock. */
static struct step *leave(struct graph_run *r, struct graph_stream *s, enum step_kind kind)
{
  r->busy--;
  if (r->busy == 0 && r->flying == 0 && r->live > 0) {
    err_set(r->err, "deadlock at %.9g s: %" PRIu32 " of %" PRIu32 " ranks are blocked",
            graph_now(r), r->live, r->ranks);
    r->deadlock = true;
    return fail(r, s);
  }
  s->parked = kind == STEP_PARK;
  s->step = (struct step){.kind = kind};
  return &s->step;
}

/* Stream 0 ends the rank. */
static struct step *end_stream(struct graph_run *r, uint32_t actor)
{
  struct graph_stream *s = &r->stream[actor];
  if (actor < r->ranks) {
    if (r->rank[actor].graph.nodes == 0)
      r->rank[actor].result.end_s = graph_now(r);
    r->live--;
    if (r->options.watch != NULL)
      watch_end(&r->progress, actor, graph_now(r));
  }
  return leave(r, s, STEP_END);
}

/* Computes.  Streams beyond the number of cores of the host compute as if they had a core of their
 * own. */
static struct step *compute(struct graph_run *r, uint32_t actor, double flops)
{
  struct graph_stream *s = &r->stream[actor];
  struct graph_rank *k = &r->rank[s->rank];
  const struct replay_options *o = &r->options;
  const uint32_t host = r->host[actor];
  const double amount =
      flops * o->compute_scale * replay_jitter(o, o->first_rank + s->rank, k->execs++);
  if (amount <= 0)
    return NULL;
  s->computing = true;
  if (k->computing++ == 0)
    k->since = graph_now(r);
  s->step = (struct step){.kind = STEP_EXEC, .amount = amount, .traffic = o->per_flop};
  if (k->computing > platform_host_cores(o->platform, host))
    s->step = (struct step){.kind = STEP_SLEEP,
                            .amount = amount / platform_host_speed(o->platform, host)};
  if (isfinite(s->step.amount))
    return &s->step;
  err_at(r->err, trace_file(r->trace, s->rank), k->graph.node[s->holder - 1].record,
         "compute of %g times %g is not finite", flops, o->compute_scale);
  return fail(r, s);
}

/* The holder of the stream has ended. */
static void end_holder(struct graph_run *r, struct graph_stream *s)
{
  const uint32_t node = s->holder - 1;
  s->holder = 0;
  graph_end_node(r, s->rank, node);
}

static void end_compute(struct graph_run *r, struct graph_stream *s)
{
  struct graph_rank *k = &r->rank[s->rank];
  s->computing = false;
  k->result.flops +=
      s->step.kind == STEP_EXEC
          ? s->step.amount
          : s->step.amount * platform_host_speed(r->options.platform, r->host[s->rank]);
  if (--k->computing == 0)
    k->result.busy_s += graph_now(r) - k->since;
  if (!s->calling)
    end_holder(r, s);
}

/* Posts the message of a node. */
static struct step *begin_message(struct graph_run *r, struct graph_stream *s, uint32_t node)
{
  struct graph_rank *k = &r->rank[s->rank];
  const struct graph_node *n = &k->graph.node[node];
  const bool sends = n->kind == ACTION_SEND;
  const struct graph_post p = {.rank = s->rank,
                               .node = node,
                               .peer =
                                   n->peer == ACTION_ANY_SOURCE ? OP_ANY_SOURCE : (uint32_t)n->peer,
                               .tag = n->tag == ACTION_ANY_TAG ? OP_ANY_TAG : n->tag,
                               .bytes = sends ? n->bytes : UINT64_MAX,
                               .holds = n->holds};
  bool over;
  if ((sends ? graph_send(r, &p, &over) : graph_recv(r, &p, &over)) != OK)
    return stop(s);
  if (over) {
    graph_end_node(r, s->rank, node);
    return NULL;
  }
  *(sends ? &k->sends : &k->recvs) += 1;
  s->holder = n->holds ? node + 1 : 0;
  return NULL;
}

/* Begins the first ready node of the stream. */
static struct step *begin_next(struct graph_run *r, uint32_t actor)
{
  struct graph_stream *s = &r->stream[actor];
  struct graph_rank *k = &r->rank[s->rank];
  const uint32_t node = s->first - 1;
  const struct graph_node *n = &k->graph.node[node];
  s->first = k->next[node];
  begin_node(r, s->rank, node);
  if (n->kind == ACTION_SEND || n->kind == ACTION_RECV) {
    graph_count_operation(r, s->rank);
    return begin_message(r, s, node);
  }
  s->holder = node + 1;
  if (n->kind != ACTION_COMPUTE)
    return graph_call_begin(r, actor, node) == OK ? NULL : fail(r, s);
  graph_count_operation(r, s->rank);
  struct step *step = compute(r, actor, n->flops);
  if (step == NULL)
    end_holder(r, s);
  return step;
}

/* Continues the collective; NULL if it is over. */
static struct step *continue_call(struct graph_run *r, uint32_t actor)
{
  struct graph_stream *s = &r->stream[actor];
  double amount;
  bool ended;
  if (graph_call_continue(r, actor, &amount, &ended) != OK)
    return fail(r, s);
  if (ended) {
    end_holder(r, s);
    return NULL;
  }
  return amount > 0 ? compute(r, actor, amount) : leave(r, s, STEP_PARK);
}

static bool stops(struct graph_run *r)
{
  return r->failed || (r->options.watch != NULL && watch_stops(&r->progress, graph_now(r)));
}

static struct step *next_step(struct graph_run *r, uint32_t actor)
{
  struct graph_stream *s = &r->stream[actor];
  struct step *step = NULL;
  while (step == NULL) {
    if (stops(r))
      return stop(s);
    if (s->calling)
      step = continue_call(r, actor);
    else if (s->first != 0 && s->holder == 0)
      step = begin_next(r, actor);
    else if (r->rank[s->rank].left == 0)
      return end_stream(r, actor);
    else
      return leave(r, s, STEP_PARK);
  }
  return step;
}

/* Notes the state of a rank from now on. */
static void note_state(struct graph_run *r, uint32_t rank)
{
  const struct graph_rank *k = &r->rank[rank];
  const char *state = action_name(k->recvs > 0 || k->sends == 0 ? ACTION_RECV : ACTION_SEND);
  if (k->called != NULL)
    state = k->called;
  if (k->computing > 0)
    state = action_name(ACTION_COMPUTE);
  if (k->left == 0)
    state = NULL;
  timeline_note(r->options.timeline, r->options.first_rank + rank, state, graph_now(r));
}

static struct step *step_of(void *state, uint32_t actor)
{
  struct graph_run *r = state;
  struct graph_stream *s = &r->stream[actor];
  struct graph_rank *k = &r->rank[s->rank];
  const uint32_t left = k->left;
  if (s->computing)
    end_compute(r, s);
  graph_take_over(r, actor);
  struct step *step = next_step(r, actor);
  if (left > 0 && k->left == 0)
    k->result.end_s = graph_now(r);
  if (r->options.timeline != NULL && step->kind != STEP_STOP)
    note_state(r, s->rank);
  return step;
}

static void attach(void *state, const struct services *s)
{
  ((struct graph_run *)state)->services = s;
}

struct driver graph_run_driver(struct graph_run *r)
{
  return (struct driver){.state = r,
                         .actor = "stream",
                         .host = r->host,
                         .actors = r->actors,
                         .attach = attach,
                         .step = step_of,
                         .arrived = graph_arrived};
}

/* --- the end ---------------------------------------------------------------------------------- */

enum status graph_run_finish(struct graph_run *r, struct err *e)
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
  const uint32_t src = t->transfer.src, node = (uint32_t)t->line[SEND_SIDE];
  return err_at(e, trace_file(r->trace, src), r->rank[src].graph.node[node].record,
                "rank %" PRIu32 " never receives this message of %" PRIu64 " bytes (tag %" PRId32
                ") from rank %" PRIu32,
                t->transfer.dst, t->transfer.bytes, t->tag, src);
}

/* The first operation that has begun and not ended. */
static const struct graph_node *blocked_in(const struct graph *g)
{
  uint32_t i = 0;
  while (i < g->nodes && g->node[i].needs != GRAPH_BEGUN)
    i++;
  return i < g->nodes ? &g->node[i] : NULL;
}

void graph_run_print_blocked(const struct graph_run *r, uint32_t most, FILE *f)
{
  uint32_t printed = 0;
  for (uint32_t i = 0; r->deadlock && i < r->ranks; i++) {
    const struct graph_node *n = blocked_in(&r->rank[i].graph);
    if (r->rank[i].left == 0 || n == NULL || printed++ >= most)
      continue;
    fprintf(f, "  rank %" PRIu32 " is blocked in %s (%s:%" PRIu64 ")\n", i, action_name(n->kind),
            trace_file(r->trace, i), n->record);
  }
  if (printed > most)
    fprintf(f, "  and %" PRIu32 " more\n", printed - most);
}

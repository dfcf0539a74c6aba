#include "traces/generators/patterns/pattern.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/mem.h"
#include "common/numeric/rng.h"
#include "traces/action.h"

enum { DEGREE_MAX = 256, EDGES_MAX = 1 << 24 };

/* --- options ---------------------------------------------------------------------------------- */

const char *const pattern_halos[] = {"messages", "neighbor", "ineighbor", NULL};
const char *const pattern_weights[] = {"equal", "random", NULL};
const char *const pattern_collectives[] = {
    "none",     "barrier", "bcast",   "reduce",     "allreduce",  "allgather", "alltoall",
    "ibarrier", "ibcast",  "ireduce", "iallreduce", "iallgather", "ialltoall", NULL};

/* The collective with an index in pattern_collectives. */
static enum action_kind collective_at(uint32_t index)
{
  static const enum action_kind KINDS[] = {ACTION_INIT,    ACTION_BARRIER,   ACTION_BCAST,
                                           ACTION_REDUCE,  ACTION_ALLREDUCE, ACTION_ALLGATHER,
                                           ACTION_ALLTOALL};
  const uint32_t last = sizeof KINDS / sizeof *KINDS - 1;
  return index <= last ? KINDS[index] : action_nonblocking(KINDS[index - last]);
}

enum status pattern_check_degree(const struct pattern *p, struct err *e)
{
  const uint32_t n = p->base.ranks, degree = p->options.degree;
  if (degree > n / 2 || degree > DEGREE_MAX)
    return err_set(
        e, "degree %" PRIu32 " among %" PRIu32 " ranks: at most half of the ranks, and at most %d",
        degree, n, DEGREE_MAX);
  if ((uint64_t)n * degree > EDGES_MAX)
    return err_set(e, "%" PRIu32 " ranks of degree %" PRIu32 ": more than %d edges", n, degree,
                   EDGES_MAX);
  return OK;
}

/* --- the stream ------------------------------------------------------------------------------- */

/* Bytes of a message.  Sender and receiver draw the same random number. */
static int64_t bytes_between(const struct pattern *p, uint32_t src, uint32_t dst)
{
  const struct pattern_options *o = &p->options;
  if (o->weights == PATTERN_EQUAL || o->size == 0)
    return o->size;
  struct rng r = rng_new(o->seed, (uint64_t)src << 32 | dst);
  return 1 + (int64_t)rng_below(&r, (uint64_t)o->size);
}

/* Exchanges messages first..end-1.  The tag of a message is its number, or 0. */
static void exchange(const struct pattern *p, uint32_t first, uint32_t end, struct emit *out)
{
  int64_t requests = 0;
  for (uint32_t i = first; i < end; i++) {
    const uint32_t src = p->peers(p, out->rank, i).src;
    if (src == PATTERN_NONE)
      continue;
    emit_irecv(out, src, p->one_tag ? 0 : (int32_t)i, bytes_between(p, src, out->rank), EMIT_BYTE);
    requests++;
  }
  for (uint32_t i = first; i < end; i++) {
    const uint32_t dst = p->peers(p, out->rank, i).dst;
    if (dst == PATTERN_NONE)
      continue;
    emit_isend(out, dst, p->one_tag ? 0 : (int32_t)i, bytes_between(p, out->rank, dst), EMIT_BYTE);
    requests++;
  }
  if (requests > 0)
    emit_waitall(out, requests);
}

/* --- collectives ------------------------------------------------------------------------------ */

enum { ALL = 1 /* id of the communicator on which the ranks have neighbours */ };

/* Defines the ranks with which a rank exchanges messages as its neighbours. */
static void define_neighbours(const struct pattern *p, struct emit *out)
{
  struct neighbours n = {.sources = 0};
  for (uint32_t i = 0; out->status == OK && i < p->messages; i++) {
    const struct pattern_peers at = p->peers(p, out->rank, i);
    if (at.src != PATTERN_NONE)
      out->status = neighbours_add(&n, true, (int32_t)at.src, out->err);
    if (out->status == OK && at.dst != PATTERN_NONE)
      out->status = neighbours_add(&n, false, (int32_t)at.dst, out->err);
  }
  emit_comm(out, ALL, &(struct comm_run){.stride = 1, .count = out->ranks});
  emit_neighbours(out, ALL, &n);
}

/* Exchanges the messages of an iteration by one collective. */
static void exchange_at_once(const struct pattern *p, struct emit *out)
{
  const struct neighbours *n = out->neighbours;
  const bool nonblocking = p->options.halo == PATTERN_INEIGHBOR;
  if (p->options.weights == PATTERN_EQUAL) {
    emit_neighbor(out, ALL, nonblocking, p->options.size, EMIT_BYTE);
    return;
  }
  const uint32_t most = n->sources > n->destinations ? n->sources : n->destinations;
  int32_t *counts = emit_counts(out, most);
  if (counts == NULL)
    return;
  for (uint32_t i = 0; i < n->destinations; i++)
    counts[i] = (int32_t)bytes_between(p, out->rank, (uint32_t)n->destination[i]);
  for (uint32_t i = 0; i < n->sources; i++)
    counts[most + i] = (int32_t)bytes_between(p, (uint32_t)n->source[i], out->rank);
  emit_neighborv(out, ALL, nonblocking, counts, most);
}

/* Begins an iteration: everything before its point-to-point messages. */
static void begin_iteration(const struct pattern *p, struct emit *out)
{
  const struct pattern_options *o = &p->options;
  if (action_is_nonblocking(o->collective))
    emit_collective(out, o->collective, o->collective_size, EMIT_BYTE);
  if (o->halo == PATTERN_INEIGHBOR)
    exchange_at_once(p, out);
  emit_compute(out, o->compute);
  if (o->halo == PATTERN_INEIGHBOR)
    emit_wait_collective(out, o->weights == PATTERN_WEIGHTED ? ACTION_NEIGHBOR_ALLTOALLV
                                                             : ACTION_NEIGHBOR_ALLTOALL);
  if (o->halo == PATTERN_NEIGHBOR)
    exchange_at_once(p, out);
}

static void end_iteration(const struct pattern *p, struct emit *out)
{
  const struct pattern_options *o = &p->options;
  if (action_is_nonblocking(o->collective))
    emit_wait_collective(out, o->collective);
  else if (action_is_collective(o->collective))
    emit_collective(out, o->collective, o->collective_size, EMIT_BYTE);
}

static void fill(const struct generator *g, const struct generator_place *at, struct emit *out)
{
  const struct pattern *p = (const struct pattern *)g;
  if (at->part == GENERATOR_HEAD && p->options.halo != PATTERN_MESSAGES)
    define_neighbours(p, out);
  if (at->part != GENERATOR_LOOP)
    return;
  if (at->step == 0)
    begin_iteration(p, out);
  const uint32_t first = at->step * p->window, left = p->messages - first;
  if (p->options.halo == PATTERN_MESSAGES)
    exchange(p, first, first + (left < p->window ? left : p->window), out);
  if (at->step + 1 == g->loop)
    end_iteration(p, out);
}

static void close_pattern(struct generator *g)
{
  struct pattern *p = (struct pattern *)g;
  if (p->clear != NULL)
    p->clear(p);
  spec_clear(&p->spec);
}

/* Completes p->base once the pattern is set up. */
static void finish(struct pattern *p)
{
  const bool apart = p->options.halo == PATTERN_MESSAGES;
  const uint32_t windows =
      apart ? (uint32_t)(((uint64_t)p->messages + p->window - 1) / p->window) : 1;
  p->base.head = p->base.tail = 1;
  p->base.loop = windows > 0 ? windows : 1;
  p->base.iterations = p->options.iterations;
}

enum status pattern_open(struct generator **out, const struct generator_kind *kind,
                         const char *text, struct err *e)
{
  struct pattern *p = mem_array(1, kind->bytes, e);
  if (p == NULL)
    return FAIL;
  p->base.fill = fill;
  p->base.close = close_pattern;
  enum status s = spec_parse(&p->spec, kind->options, text, p, e);
  if (s == OK) {
    p->options.collective = collective_at((uint32_t)p->options.collective);
    s = kind->set_up(p, e);
  }
  if (s == OK) {
    finish(p);
    *out = &p->base;
  } else {
    generator_close(&p->base);
  }
  return s;
}

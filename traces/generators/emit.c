#include "traces/generators/emit.h"

#include <stdlib.h>
#include <string.h>

#include "common/mem.h"

void emit_reset(struct emit *out)
{
  out->count = 0;
}

static void forget_neighbours(struct emit *out)
{
  if (out->neighbours != NULL)
    neighbours_clear(out->neighbours);
  free(out->neighbours);
  out->neighbours = NULL;
}

void emit_clear(struct emit *out)
{
  forget_neighbours(out);
  free(out->action);
  free(out->counts);
  *out = (struct emit){
      .rank = out->rank, .ranks = out->ranks, .flops = out->flops, .comms = out->comms};
}

static void put(struct emit *out, const struct action *a)
{
  if (out->status == OK)
    out->status = MEM_GROW(out->action, out->room, out->count + 1, out->err);
  if (out->status != OK)
    return;
  out->action[out->count] = *a;
  out->action[out->count++].comm = a->kind == ACTION_DEFINE ? a->comm : out->on;
  out->on = NULL;
}

static void put_kind(struct emit *out, enum action_kind kind)
{
  put(out, &(struct action){.kind = kind});
}

void emit_init(struct emit *out)
{
  put_kind(out, ACTION_INIT);
}

void emit_finalize(struct emit *out)
{
  put_kind(out, ACTION_FINALIZE);
}

void emit_compute(struct emit *out, double flops)
{
  const double amount = out->flops > 0 ? flops * out->flops : flops;
  if (amount > 0)
    put(out, &(struct action){.kind = ACTION_COMPUTE, .amount = amount});
}

void emit_mark(struct emit *out, int64_t iteration)
{
  put(out, &(struct action){.kind = ACTION_MARK, .count = iteration});
}

/* --- messages --------------------------------------------------------------------------------- */

/* The fields of a message of @p count elements to or from @p partner. */
static struct action message(uint32_t partner, int32_t tag, int64_t count, enum emit_type type)
{
  return (struct action){
      .partner = (int32_t)partner, .tag = tag, .count = count, .type = (int16_t)type};
}

static void put_message(struct emit *out, enum action_kind kind, struct action a)
{
  a.kind = kind;
  put(out, &a);
}

void emit_send(struct emit *out, uint32_t dst, int32_t tag, int64_t count, enum emit_type type)
{
  put_message(out, ACTION_SEND, message(dst, tag, count, type));
}

void emit_isend(struct emit *out, uint32_t dst, int32_t tag, int64_t count, enum emit_type type)
{
  put_message(out, ACTION_ISEND, message(dst, tag, count, type));
}

void emit_recv(struct emit *out, uint32_t src, int32_t tag, int64_t count, enum emit_type type)
{
  put_message(out, ACTION_RECV, message(src, tag, count, type));
}

void emit_irecv(struct emit *out, uint32_t src, int32_t tag, int64_t count, enum emit_type type)
{
  put_message(out, ACTION_IRECV, message(src, tag, count, type));
}

static void put_synchronous(struct emit *out, enum action_kind kind, struct action a)
{
  a.mode = ACTION_SYNCHRONOUS;
  put_message(out, kind, a);
}

void emit_ssend(struct emit *out, uint32_t dst, int32_t tag, int64_t count, enum emit_type type)
{
  put_synchronous(out, ACTION_SEND, message(dst, tag, count, type));
}

void emit_issend(struct emit *out, uint32_t dst, int32_t tag, int64_t count, enum emit_type type)
{
  put_synchronous(out, ACTION_ISEND, message(dst, tag, count, type));
}

void emit_relay(struct emit *out, uint32_t src, int32_t dst, int32_t tag, int64_t doubles)
{
  struct action a = message(src, tag, doubles, EMIT_DOUBLE);
  a.source = dst;
  put_message(out, ACTION_RELAY, a);
}

void emit_relay_probe(struct emit *out)
{
  put_kind(out, ACTION_RELAY_PROBE);
}

void emit_relay_compute(struct emit *out, const struct action *a)
{
  struct action compute = *a;
  compute.kind = ACTION_RELAY_COMPUTE;
  put(out, &compute);
}

void emit_wait_send(struct emit *out, uint32_t dst, int32_t tag)
{
  put(out,
      &(struct action){
          .kind = ACTION_WAIT, .source = (int32_t)out->rank, .partner = (int32_t)dst, .tag = tag});
}

void emit_wait_recv(struct emit *out, uint32_t src, int32_t tag)
{
  put(out,
      &(struct action){
          .kind = ACTION_WAIT, .source = (int32_t)src, .partner = (int32_t)out->rank, .tag = tag});
}

void emit_waitall(struct emit *out, int64_t requests)
{
  put(out, &(struct action){.kind = ACTION_WAITALL, .count = requests});
}

/* --- collectives ------------------------------------------------------------------------------ */

void emit_comm(struct emit *out, uint32_t id, const struct comm_run *members)
{
  struct comm_list l = {0};
  const struct comm *c = NULL;
  if (out->status == OK)
    out->status = comm_list_add(&l, out->ranks, members, out->err);
  if (out->status == OK)
    out->status = comm_define(out->comms, id, out->ranks, &l, &c, out->err);
  comm_list_clear(&l);
  put(out, &(struct action){.kind = ACTION_DEFINE, .comm = c});
}

void emit_on(struct emit *out, uint32_t id)
{
  out->on = comm_by_id(out->comms, id);
}

void emit_barrier(struct emit *out)
{
  put_kind(out, ACTION_BARRIER);
}

void emit_bcast(struct emit *out, int64_t count, uint32_t root, enum emit_type type)
{
  put(out,
      &(struct action){.kind = ACTION_BCAST, .count = count, .root = root, .type = (int16_t)type});
}

void emit_reduce(struct emit *out, int64_t count, uint32_t root, enum emit_type type)
{
  put(out,
      &(struct action){.kind = ACTION_REDUCE, .count = count, .root = root, .type = (int16_t)type});
}

void emit_allreduce(struct emit *out, int64_t count, enum emit_type type)
{
  put(out, &(struct action){.kind = ACTION_ALLREDUCE, .count = count, .type = (int16_t)type});
}

void emit_alltoall(struct emit *out, int64_t count, enum emit_type type)
{
  put(out, &(struct action){.kind = ACTION_ALLTOALL,
                            .count = count,
                            .count2 = count,
                            .type = (int16_t)type,
                            .type2 = (int16_t)type});
}

void emit_wait_collective(struct emit *out, enum action_kind kind)
{
  put(out, &(struct action){.kind = ACTION_WAIT,
                            .source = ACTION_COLLECTIVE,
                            .partner = ACTION_COLLECTIVE,
                            .tag = action_request_tag(kind)});
}

void emit_neighbours(struct emit *out, uint32_t id, struct neighbours *n)
{
  forget_neighbours(out);
  if (out->status == OK) {
    out->neighbours = mem_array(1, sizeof *out->neighbours, out->err);
    out->status = out->neighbours == NULL ? FAIL : OK;
  }
  if (out->status != OK) {
    neighbours_clear(n);
    return;
  }
  *out->neighbours = *n;
  emit_on(out, id);
  put(out, &(struct action){.kind = ACTION_TOPOLOGY, .neighbours = out->neighbours});
}

static enum action_kind form_of(enum action_kind kind, bool nonblocking)
{
  return nonblocking ? action_nonblocking(kind) : kind;
}

void emit_neighbor(struct emit *out, uint32_t id, bool nonblocking, int64_t count,
                   enum emit_type type)
{
  emit_on(out, id);
  put(out, &(struct action){.kind = form_of(ACTION_NEIGHBOR_ALLTOALL, nonblocking),
                            .count = count,
                            .count2 = count,
                            .neighbours = out->neighbours,
                            .type = (int16_t)type,
                            .type2 = (int16_t)type});
}

void emit_neighborv(struct emit *out, uint32_t id, bool nonblocking, const int32_t *counts,
                    uint32_t most)
{
  emit_on(out, id);
  put(out, &(struct action){.kind = form_of(ACTION_NEIGHBOR_ALLTOALLV, nonblocking),
                            .sendcounts = counts,
                            .recvcounts = counts + most,
                            .neighbours = out->neighbours,
                            .type = EMIT_BYTE,
                            .type2 = EMIT_BYTE});
}

int32_t *emit_counts(struct emit *out, uint32_t ranks)
{
  if (out->status == OK)
    out->status = MEM_GROW(out->counts, out->counts_room, 2 * (size_t)ranks, out->err);
  if (out->status != OK)
    return NULL;
  return memset(out->counts, 0, 2 * (size_t)ranks * sizeof *out->counts);
}

void emit_alltoallv(struct emit *out, const int32_t *counts, uint32_t ranks, enum emit_type type)
{
  put(out, &(struct action){.kind = ACTION_ALLTOALLV,
                            .sendcounts = counts,
                            .recvcounts = counts + ranks,
                            .type = (int16_t)type,
                            .type2 = (int16_t)type});
}

/* True if the call has a count for each rank. */
static bool counts_each(enum action_kind kind)
{
  return kind == ACTION_ALLTOALLV || kind == ACTION_GATHERV || kind == ACTION_SCATTERV ||
         kind == ACTION_ALLGATHERV || kind == ACTION_REDUCESCATTER;
}

void emit_collective(struct emit *out, enum action_kind kind, int64_t count, enum emit_type type)
{
  const enum action_kind form = action_blocking(kind);
  struct action a = {.kind = kind, .type = (int16_t)type, .type2 = (int16_t)type};
  if (form != ACTION_BARRIER && form != ACTION_ALLTOALLV && form != ACTION_REDUCESCATTER)
    a.count = a.count2 = count;
  if (counts_each(form)) {
    int32_t *counts = emit_counts(out, out->ranks);
    for (uint32_t i = 0; counts != NULL && i < out->ranks; i++)
      counts[i] = (int32_t)count;
    a.sendcounts = form == ACTION_ALLTOALLV || form == ACTION_SCATTERV ? counts : NULL;
    a.recvcounts = form == ACTION_SCATTERV ? NULL : counts;
  }
  put(out, &a);
}

#include "traces/program/agreement.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/mem.h"
#include "traces/neighbours.h"

struct agreement_record {
  enum action_kind kind;
  uint32_t root;
  uint32_t seen;       /* number of members that have called it */
  uint32_t first_rank; /* member that called it first */
  uint64_t first_line; /* line of that call */
  uint64_t common;     /* bytes, or a hash of the counts; must be equal on all members */
  uint64_t balance; /* hashes of messages sent minus hashes of messages received; 0 once all members
                       have called */
};

/* Hash of "src sends bytes to dst".  Equal sums mean equal messages, barring a collision. */
static uint64_t message(uint64_t src, uint64_t dst, uint64_t bytes)
{
  uint64_t x = (src * UINT64_C(0x9e3779b97f4a7c15) + dst) * UINT64_C(0xbf58476d1ce4e5b9) + bytes;
  x = (x ^ (x >> 31)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 29);
}

/* Sum of the hashes of all messages that the rank sends (@p out) or receives. */
static uint64_t messages(const struct lowering *l, const int32_t *counts, uint64_t size, bool out)
{
  uint64_t sum = 0;
  for (uint32_t r = 0; r < l->ranks; r++) {
    const uint64_t bytes = (uint64_t)counts[r] * size;
    sum += out ? message(l->rank, r, bytes) : message(r, l->rank, bytes);
  }
  return sum;
}

/* Hashes of the messages to the neighbours minus hashes of the messages from them. */
static uint64_t balance_of_neighbours(const struct lowering *l)
{
  const struct neighbours *n = l->neighbours;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < n->destinations; i++)
    if (n->destination[i] != NEIGHBOURS_NONE)
      sum += message(l->rank, (uint32_t)n->destination[i], lower_bytes_to(l, i));
  for (uint32_t i = 0; i < n->sources; i++)
    if (n->source[i] != NEIGHBOURS_NONE)
      sum -= message((uint32_t)n->source[i], l->rank, lower_bytes_from(l, i));
  return sum;
}

static uint64_t balance_of(enum action_kind kind, const struct lowering *l)
{
  const bool at_root = l->rank == l->root;
  uint64_t sum = 0;
  if (l->neighbours != NULL)
    return balance_of_neighbours(l);
  switch (action_blocking(kind)) {
  case ACTION_ALLTOALLV:
  case ACTION_ALLTOALLW:
    return messages(l, l->sendcounts, l->send_size, true) -
           messages(l, l->recvcounts, l->recv_size, false);
  case ACTION_GATHERV:
    /* With MPI_IN_PLACE, the tracer states that the root sends 0 elements. */
    if (at_root && l->send_bytes == 0)
      sum = message(l->rank, l->root, (uint64_t)l->recvcounts[l->rank] * l->recv_size);
    else
      sum = message(l->rank, l->root, l->send_bytes);
    return at_root ? sum - messages(l, l->recvcounts, l->recv_size, false) : sum;
  case ACTION_SCATTERV:
    sum = message(l->root, l->rank, l->recv_bytes);
    return at_root ? messages(l, l->sendcounts, l->send_size, true) - sum : -sum;
  case ACTION_ALLGATHERV:
    for (uint32_t r = 0; r < l->ranks; r++)
      sum += message(r, r, (uint64_t)l->recvcounts[r] * l->recv_size);
    return l->ranks * message(l->rank, l->rank, l->send_bytes) - sum;
  default:
    return 0;
  }
}

static uint64_t common_of(enum action_kind kind, const struct lowering *l)
{
  uint64_t sum = 0;
  switch (action_blocking(kind)) {
  case ACTION_BCAST:
  case ACTION_REDUCE:
  case ACTION_ALLREDUCE:
  case ACTION_ALLTOALL:
  case ACTION_ALLGATHER:
  case ACTION_SCAN:
  case ACTION_EXSCAN:
    return l->send_bytes;
  case ACTION_GATHER:
    return l->rank == l->root ? l->recv_bytes : l->send_bytes;
  case ACTION_SCATTER:
    return l->rank == l->root ? l->send_bytes : l->recv_bytes;
  case ACTION_REDUCESCATTER:
    for (uint32_t r = 0; r < l->ranks; r++)
      sum += message(r, 0, (uint64_t)l->recvcounts[r] * l->recv_size);
    return sum;
  default:
    return 0;
  }
}

/* " on communicator 3", or empty for the world. */
struct place {
  char text[40];
};

static struct place place_of(const struct agreement *g)
{
  struct place p = {""};
  if (g->comm != NULL)
    snprintf(p.text, sizeof p.text, " on communicator %" PRIu64, g->comm->id);
  return p;
}

static enum status disagree(const struct agreement *g, const struct agreement_record *r,
                            const struct trace *t, const struct agreement_record *mine,
                            struct err *e)
{
  const uint32_t rank = comm_world_rank(g->comm, mine->first_rank);
  const uint32_t other = comm_world_rank(g->comm, r->first_rank);
  const char *file = trace_file(t, rank);
  const struct place at = place_of(g);
  if (r->kind != mine->kind)
    return err_at(e, file, mine->first_line,
                  "rank %" PRIu32 " calls %s where rank %" PRIu32 " calls %s%s (line %" PRIu64 ")",
                  rank, action_name(mine->kind), other, action_name(r->kind), at.text,
                  r->first_line);
  if (r->root != mine->root)
    return err_at(e, file, mine->first_line,
                  "rank %" PRIu32 " calls %s with root %" PRIu32 ", rank %" PRIu32
                  " with root %" PRIu32 "%s (line %" PRIu64 ")",
                  rank, action_name(r->kind), mine->root, other, r->root, at.text, r->first_line);
  return err_at(e, file, mine->first_line,
                "the sizes of %s on rank %" PRIu32 " differ from those of rank %" PRIu32
                "%s (line %" PRIu64 ")",
                action_name(r->kind), rank, other, at.text, r->first_line);
}

/* Makes room for one more record: doubles a full ring and copies each record to its new index. */
static enum status grow(struct agreement *g, struct err *e)
{
  if (g->count < g->room)
    return OK;
  const size_t room = g->room == 0 ? 2 : g->room * 2;
  struct agreement_record *bigger = mem_array(room, sizeof *bigger, e);
  if (bigger == NULL)
    return FAIL;
  for (size_t i = 0; i < g->count; i++)
    bigger[(g->first + i) % room] = g->record[(g->first + i) % g->room];
  free(g->record);
  g->record = bigger;
  g->room = room;
  return OK;
}

static enum status call_one(struct agreement *g, const struct trace *t, enum action_kind kind,
                            const struct lowering *l, struct err *e)
{
  const uint64_t number = g->called[l->rank];
  struct agreement_record mine = {.kind = kind,
                                  .root = l->root,
                                  .first_rank = l->rank,
                                  .first_line = trace_line(t, comm_world_rank(g->comm, l->rank)),
                                  .common = common_of(kind, l)};
  if (number == g->first + g->count) {
    if (grow(g, e) != OK)
      return FAIL;
    g->record[number % g->room] = mine;
    g->count++;
  }
  struct agreement_record *r = &g->record[number % g->room];
  if (r->kind != kind || r->root != l->root || r->common != mine.common)
    return disagree(g, r, t, &mine, e);
  g->called[l->rank]++;
  r->balance += balance_of(kind, l);
  if (++r->seen < g->members)
    return OK;
  if (r->balance != 0)
    return err_at(e, trace_file(t, comm_world_rank(g->comm, l->rank)), mine.first_line,
                  "in this %s%s the sizes that ranks send differ from those that others receive "
                  "(first called by rank %" PRIu32 ", line %" PRIu64 ")",
                  action_name(kind), place_of(g).text, comm_world_rank(g->comm, r->first_rank),
                  r->first_line);
  g->first++;
  g->count--;
  return OK;
}

static enum status finish_one(const struct agreement *g, const struct trace *t, struct err *e)
{
  if (g->count == 0)
    return OK;
  const struct agreement_record *r = &g->record[g->first % g->room];
  const uint32_t caller = comm_world_rank(g->comm, r->first_rank);
  for (uint32_t rank = 0; rank < g->members; rank++)
    if (g->called[rank] == g->first)
      return err_at(e, trace_file(t, caller), r->first_line,
                    "rank %" PRIu32 " calls %s%s, but rank %" PRIu32 " never does", caller,
                    action_name(r->kind), place_of(g).text, comm_world_rank(g->comm, rank));
  return OK;
}

/* --- all communicators ----------------------------------------------------------------------- */

/* The agreement of communicator @p comm, created by its first collective. */
static struct agreement *agreement_of(struct agreements *g, const struct comm *comm, struct err *e)
{
  const size_t index = comm == NULL ? 0 : comm->index;
  if (MEM_GROW(g->of, g->room, index + 1, e) != OK)
    return NULL;
  for (; g->count <= index; g->count++)
    g->of[g->count] = (struct agreement){0};
  struct agreement *one = &g->of[index];
  if (one->called != NULL)
    return one;
  const uint32_t members = comm_size(comm, g->ranks);
  uint64_t *called = mem_array(members, sizeof *called, e);
  if (called == NULL)
    return NULL;
  *one = (struct agreement){.comm = comm, .members = members, .called = called};
  return one;
}

enum status agreements_call(struct agreements *g, const struct trace *t, const struct action *a,
                            const struct lowering *l, struct err *e)
{
  struct agreement *one = agreement_of(g, a->comm, e);
  return one == NULL ? FAIL : call_one(one, t, a->kind, l, e);
}

enum status agreements_finish(const struct agreements *g, const struct trace *t, struct err *e)
{
  for (size_t i = 0; i < g->count; i++)
    if (finish_one(&g->of[i], t, e) != OK)
      return FAIL;
  return OK;
}

void agreements_clear(struct agreements *g)
{
  for (size_t i = 0; i < g->count; i++) {
    free(g->of[i].called);
    free(g->of[i].record);
  }
  free(g->of);
  *g = (struct agreements){0};
}

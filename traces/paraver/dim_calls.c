#include "traces/paraver/dim.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/mem.h"
#include "traces/datatype.h"

#define NO_ROOT UINT32_MAX

enum status dim_calls_init(struct dim_calls *c, const struct comm *comm, uint32_t members,
                           struct err *e)
{
  *c = (struct dim_calls){.comm = comm, .members = members};
  c->member = mem_array(members, sizeof *c->member, e);
  return c->member == NULL ? FAIL : OK;
}

void dim_calls_clear(struct dim_calls *c)
{
  for (uint32_t m = 0; c->member != NULL && m < c->members; m++)
    free(c->member[m].size);
  free(c->member);
  free(c->root);
  free(c->matrix);
}

void dim_calls_rewind(struct dim_calls *c)
{
  for (uint32_t m = 0; m < c->members; m++)
    c->member[m].calls = c->member[m].counted = 0;
}

enum status dim_calls_note(struct dim_calls *c, uint32_t member, const struct dim_call *call,
                           struct err *e)
{
  struct dim_member *m = &c->member[member];
  const uint32_t number = m->calls++;
  if (number == UINT32_MAX - 1)
    return err_set(e, "a member calls more than %" PRIu32 " collectives", number);
  if (MEM_GROW(c->root, c->root_room, (size_t)number + 1, e) != OK)
    return FAIL;
  for (; c->roots <= number; c->roots++)
    c->root[c->roots] = NO_ROOT;
  if (call->is_root) {
    if (c->root[number] != NO_ROOT && c->root[number] != member)
      return err_set(e, "a second root of this collective, after member %" PRIu32, c->root[number]);
    c->root[number] = member;
  }
  if (!dim_has_counts(call->operation))
    return OK;
  if (MEM_GROW(m->size, m->room, m->sizes + 1, e) != OK)
    return FAIL;
  m->size[m->sizes++] = (struct dim_sizes){call->sent, call->received};
  return OK;
}

/* --- counts ----------------------------------------------------------------------------------- */

/* Fails unless each member has sizes for call number @p number with counts. */
static enum status need_sizes(const struct dim_calls *c, uint32_t number, struct err *e)
{
  for (uint32_t m = 0; m < c->members; m++)
    if (c->member[m].sizes <= number)
      return err_set(e, "member %" PRIu32 " of the communicator does not call this collective", m);
  return OK;
}

static enum status counts_of(const struct dim_calls *c, uint32_t number, bool sent, int32_t *out,
                             struct err *e)
{
  for (uint32_t m = 0; m < c->members; m++) {
    const struct dim_sizes s = c->member[m].size[number];
    const int64_t bytes = sent ? s.sent : s.received;
    if (bytes > INT32_MAX)
      return err_set(e, "%" PRId64 " bytes of member %" PRIu32 " are above %d", bytes, m,
                     INT32_MAX);
    out[m] = (int32_t)bytes;
  }
  return OK;
}

/* Splits the bytes that a member sends over the members, in proportion to the bytes left[] that
 * each can still receive.  No share is above left[]. */
static enum status split(const struct dim_calls *c, int64_t sent, int64_t *left, int64_t all,
                         int32_t *row, struct err *e)
{
  int64_t before = 0, given = 0;
  for (uint32_t m = 0; m < c->members; m++) {
    before += left[m];
    const int64_t upto = all == 0 ? 0 : (int64_t)((__int128)sent * before / all);
    const int64_t share = upto - given;
    given = upto;
    if (share > INT32_MAX)
      return err_set(e, "%" PRId64 " bytes for member %" PRIu32 " are above %d", share, m,
                     INT32_MAX);
    row[m] = (int32_t)share;
    left[m] -= share;
  }
  return OK;
}

/* Makes a matrix with the members' sums, as the format states only sums of an all-to-all. */
static enum status guess(struct dim_calls *c, uint32_t number, int64_t *left, struct err *e)
{
  __int128 sent = 0, received = 0;
  for (uint32_t m = 0; m < c->members; m++) {
    sent += c->member[m].size[number].sent;
    received += left[m] = c->member[m].size[number].received;
  }
  if (sent != received || sent > INT64_MAX)
    return err_set(e, "the bytes that the members send and receive in this all-to-all differ");
  for (uint32_t m = 0; m < c->members; m++) {
    const int64_t bytes = c->member[m].size[number].sent;
    if (split(c, bytes, left, (int64_t)received, c->matrix + (size_t)m * c->members, e) != OK)
      return FAIL;
    received -= bytes;
  }
  c->of = number;
  return OK;
}

static enum status need_matrix(struct dim_calls *c, uint32_t number, struct err *e)
{
  if (c->matrix != NULL && c->of == number)
    return OK;
  free(c->matrix);
  int64_t *left = mem_array(c->members, sizeof *left, e);
  c->matrix =
      left == NULL ? NULL : mem_array((size_t)c->members * c->members, sizeof *c->matrix, e);
  const enum status s = c->matrix == NULL ? FAIL : guess(c, number, left, e);
  free(left);
  if (s != OK) {
    free(c->matrix);
    c->matrix = NULL;
  }
  return s;
}

static enum status set_all_to_all(struct dim_calls *c, uint32_t member, uint32_t number,
                                  int32_t *count, struct err *e)
{
  if (need_matrix(c, number, e) != OK)
    return FAIL;
  for (uint32_t m = 0; m < c->members; m++) {
    count[m] = c->matrix[(size_t)member * c->members + m];
    count[c->members + m] = c->matrix[(size_t)m * c->members + member];
  }
  return OK;
}

static enum status set_counts(struct dim_calls *c, uint32_t member, const struct dim_call *call,
                              struct dim_counts *x, struct action *a, struct err *e)
{
  const uint32_t number = c->member[member].counted++, operation = call->operation;
  const bool sent = operation == DIM_GATHERV || operation == DIM_ALLGATHERV;
  if (need_sizes(c, number, e) != OK ||
      MEM_GROW(x->count, x->room, 2 * (size_t)c->members, e) != OK)
    return FAIL;
  a->sendcounts = a->recvcounts = x->count;
  if (operation == DIM_ALLTOALLV || operation == DIM_ALLTOALLW) {
    a->recvcounts = x->count + c->members;
    return set_all_to_all(c, member, number, x->count, e);
  }
  if (counts_of(c, number, sent, x->count, e) != OK)
    return FAIL;
  a->count = a->count2 = x->count[member];
  return OK;
}

/* --- equal blocks ----------------------------------------------------------------------------- */

/* The block of a member: its own record, or a share of the sum in the record of the root. */
static int64_t block(int64_t stated, int64_t all, uint32_t members)
{
  if (stated > 0 || all == 0)
    return stated;
  return all % members == 0 ? all / members : all;
}

static void set_sizes(const struct dim_calls *c, const struct dim_call *call, struct action *a)
{
  const int64_t sent = call->sent, received = call->received;
  switch (a->kind) {
  case ACTION_GATHER:
    a->count = a->count2 = block(sent, received, c->members);
    break;
  case ACTION_SCATTER:
    a->count = a->count2 = block(received, sent, c->members);
    break;
  case ACTION_ALLGATHER:
    a->count = a->count2 = block(sent, received, c->members);
    break;
  case ACTION_ALLTOALL:
    a->count = sent;
    a->count2 = received;
    break;
  default:
    a->count = a->count2 = sent > received ? sent : received;
  }
}

/* MPI_Reduce_scatter_block has equal counts. */
static enum status set_block(const struct dim_calls *c, const struct dim_call *call,
                             struct dim_counts *x, struct action *a, struct err *e)
{
  if (call->received > INT32_MAX)
    return err_set(e, "a block of %" PRId64 " bytes is above %d", call->received, INT32_MAX);
  if (MEM_GROW(x->count, x->room, c->members, e) != OK)
    return FAIL;
  for (uint32_t m = 0; m < c->members; m++)
    x->count[m] = (int32_t)call->received;
  a->sendcounts = a->recvcounts = x->count;
  return OK;
}

enum action_kind dim_kind_of(uint32_t operation)
{
  static const enum action_kind KIND[] = {
      ACTION_BARRIER,       ACTION_BCAST,         ACTION_GATHER,    ACTION_GATHERV,
      ACTION_SCATTER,       ACTION_SCATTERV,      ACTION_ALLGATHER, ACTION_ALLGATHERV,
      ACTION_ALLTOALL,      ACTION_ALLTOALLV,     ACTION_REDUCE,    ACTION_ALLREDUCE,
      ACTION_REDUCESCATTER, ACTION_REDUCESCATTER, ACTION_SCAN,      ACTION_ALLTOALLW};
  return KIND[operation];
}

enum status dim_calls_next(struct dim_calls *c, uint32_t member, const struct dim_call *call,
                           struct dim_counts *counts, struct action *out, struct err *e)
{
  const uint32_t number = c->member[member].calls++;
  action_begin(out, dim_kind_of(call->operation), ACTION_STANDARD);
  out->type = out->type2 = DATATYPE_BYTE;
  out->root = c->root[number] == NO_ROOT ? 0 : c->root[number];
  if (dim_has_counts(call->operation))
    return set_counts(c, member, call, counts, out, e);
  if (out->kind == ACTION_REDUCESCATTER)
    return set_block(c, call, counts, out, e);
  set_sizes(c, call, out);
  return OK;
}

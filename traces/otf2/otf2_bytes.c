#include "traces/otf2/otf2_bytes.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

#include "traces/comm.h"
#include "traces/otf2/otf2_api.h"

/* Bytes of the smallest element that is usual in reductions. */
enum { REDUCED = 4 };

enum action_kind otf2_kind_of(unsigned operation)
{
  static const uint8_t KIND[] = {
      [OTF2_COLLECTIVE_OP_BARRIER] = ACTION_BARRIER,
      [OTF2_COLLECTIVE_OP_BCAST] = ACTION_BCAST,
      [OTF2_COLLECTIVE_OP_GATHER] = ACTION_GATHER,
      [OTF2_COLLECTIVE_OP_GATHERV] = ACTION_GATHERV,
      [OTF2_COLLECTIVE_OP_SCATTER] = ACTION_SCATTER,
      [OTF2_COLLECTIVE_OP_SCATTERV] = ACTION_SCATTERV,
      [OTF2_COLLECTIVE_OP_ALLGATHER] = ACTION_ALLGATHER,
      [OTF2_COLLECTIVE_OP_ALLGATHERV] = ACTION_ALLGATHERV,
      [OTF2_COLLECTIVE_OP_ALLTOALL] = ACTION_ALLTOALL,
      [OTF2_COLLECTIVE_OP_ALLTOALLV] = ACTION_ALLTOALLV,
      [OTF2_COLLECTIVE_OP_ALLTOALLW] = ACTION_ALLTOALLW,
      [OTF2_COLLECTIVE_OP_ALLREDUCE] = ACTION_ALLREDUCE,
      [OTF2_COLLECTIVE_OP_REDUCE] = ACTION_REDUCE,
      [OTF2_COLLECTIVE_OP_REDUCE_SCATTER] = ACTION_REDUCESCATTER,
      [OTF2_COLLECTIVE_OP_SCAN] = ACTION_SCAN,
      [OTF2_COLLECTIVE_OP_EXSCAN] = ACTION_EXSCAN,
      [OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK] = ACTION_REDUCESCATTER,
  };
  if (operation < sizeof KIND)
    return KIND[operation];
  return operation <= OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE ? ACTION_KINDS : ACTION_WAIT;
}

bool otf2_has_sums(enum action_kind kind)
{
  return kind == ACTION_GATHERV || kind == ACTION_SCATTERV || kind == ACTION_ALLGATHERV ||
         kind == ACTION_ALLTOALLV || kind == ACTION_ALLTOALLW || kind == ACTION_REDUCESCATTER;
}

/* Sets *block if @p bytes are @p members blocks, or one block fewer (in place).  If both are
 * possible, chooses @p members blocks, unless only one block fewer gives blocks of whole elements
 * of @p element bytes. */
static bool divide(uint64_t bytes, uint32_t members, uint64_t element, uint64_t *block)
{
  const bool all = bytes % members == 0, others = members > 1 && bytes % (members - 1) == 0;
  const bool odd = all && bytes / members % element != 0;
  if (others && (!all || (odd && bytes / (members - 1) % element == 0)))
    *block = bytes / (members - 1);
  else if (all)
    *block = bytes / members;
  return all || others;
}

/* Sets *block at the root, which states its own block @p own.  In place, @p own is 0, and @p bytes
 * are the blocks of the other members or of all members. */
static bool divide_root(uint64_t own, uint64_t bytes, uint32_t members, uint64_t *block)
{
  *block = own;
  if (own > 0)
    return true;
  if (members == 1 || bytes % (members - 1) != 0)
    return divide(bytes, members, 1, block);
  *block = bytes / (members - 1);
  return true;
}

/* Sets *block if @p sent and @p received are the numbers of blocks of the call; 0 blocks must be 0
 * bytes. */
static bool both(const struct otf2_collective *c, uint64_t sent, uint64_t received, uint64_t *block)
{
  if (sent == 0 && received == 0) {
    *block = 0;
    return c->sent == 0 && c->received == 0;
  }
  *block = sent > 0 ? c->sent / sent : c->received / received;
  return *block * sent == c->sent && *block * received == c->received;
}

/* Sets the block of a prefix reduction: a member sends to all members after it and, unless the call
 * is in place, to itself. */
static bool prefix(const struct otf2_collective *c, uint64_t *block)
{
  const uint64_t before = c->me, behind = c->members - c->me - 1;
  return (c->kind == ACTION_SCAN && both(c, behind + 1, before + 1, block)) ||
         both(c, behind, before, block);
}

static bool find_block(const struct otf2_collective *c, uint64_t *block)
{
  const bool root = c->me == c->root;
  const uint64_t n = c->members;
  switch (c->kind) {
  case ACTION_BARRIER:
    *block = 0;
    return true;
  case ACTION_BCAST:
    *block = root ? c->sent / n : c->received;
    return !root || *block * n == c->sent || divide(c->sent, c->members, 1, block);
  case ACTION_REDUCE:
  case ACTION_GATHER:
    *block = c->sent;
    return !root || divide_root(c->sent, c->received, c->members, block);
  case ACTION_SCATTER:
    *block = c->received;
    return !root || divide_root(c->received, c->sent, c->members, block);
  case ACTION_SCAN:
  case ACTION_EXSCAN:
    return prefix(c, block);
  case ACTION_ALLREDUCE:
  case ACTION_REDUCESCATTER:
    return c->sent == c->received && divide(c->sent, c->members, REDUCED, block);
  default:
    return c->sent == c->received && divide(c->sent, c->members, 1, block);
  }
}

enum status otf2_blocks(const struct otf2_collective *c, uint64_t *to, uint64_t *from,
                        struct err *e)
{
  uint64_t block = c->sent > c->received ? c->sent : c->received;
  if (!c->single && !find_block(c, &block))
    return err_set(e,
                   "%s of %" PRIu32 " members: %" PRIu64 " bytes sent and %" PRIu64
                   " received are no whole blocks",
                   action_name(c->kind), c->members, c->sent, c->received);
  *to = *from = block;
  return OK;
}

/* --- writing --------------------------------------------------------------------------------- */

uint8_t otf2_operation_of(enum action_kind blocking)
{
  for (unsigned operation = 0; operation < OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK; operation++)
    if (otf2_kind_of(operation) == blocking)
      return (uint8_t)operation;
  return OTF2_COLLECTIVE_OP_BARRIER;
}

uint32_t otf2_root_of(const struct action *a)
{
  return action_is_rooted(action_blocking(a->kind)) ? a->root : (uint32_t)OTF2_COLLECTIVE_ROOT_NONE;
}

void otf2_name_of(enum action_kind kind, char *name, size_t size)
{
  const enum action_kind blocking = action_blocking(kind);
  snprintf(name, size, "MPI_%s",
           blocking == ACTION_REDUCESCATTER
               ? kind == blocking ? "Reduce_scatter" : "Ireduce_scatter"
               : action_name(kind));
  name[4] = (char)toupper((unsigned char)name[4]);
}

static uint64_t sum(const int32_t *counts, uint32_t n, uint64_t size)
{
  uint64_t all = 0;
  for (uint32_t i = 0; counts != NULL && i < n; i++)
    all += (uint64_t)counts[i] * size;
  return all;
}

/* Bytes of collectives with sizes by member. */
static void state_sums(const struct action *a, uint32_t n, uint32_t me, uint64_t *sent,
                       uint64_t *received)
{
  const enum action_kind kind = action_blocking(a->kind);
  const bool bytes = kind == ACTION_ALLTOALLW;
  const uint64_t size = bytes ? 1 : action_size(a), size2 = bytes ? 1 : action_size2(a);
  *sent = sum(a->sendcounts, n, size);
  *received = sum(a->recvcounts, n, size2);
  if (kind == ACTION_GATHERV)
    *sent = (uint64_t)a->count * size;
  if (kind == ACTION_ALLGATHERV)
    *sent = (uint64_t)a->count * size * n;
  if (kind == ACTION_SCATTERV)
    *received = (uint64_t)a->count2 * size2;
  if (kind == ACTION_REDUCESCATTER) {
    *sent = sum(a->recvcounts, n, size);
    *received = (uint64_t)a->recvcounts[me] * size * n;
  }
}

static void state_blocks(const struct action *a, uint32_t n, uint32_t me, uint64_t *sent,
                         uint64_t *received)
{
  const enum action_kind kind = action_blocking(a->kind);
  const uint64_t to = (uint64_t)a->count * action_size(a);
  const uint64_t from = (uint64_t)a->count2 * action_size2(a);
  const bool root = me == a->root;
  uint64_t out = n, in = n, block = to;
  switch (kind) {
  case ACTION_BARRIER:
    out = in = 0;
    break;
  case ACTION_BCAST:
    out = root ? n : 0;
    in = 1;
    break;
  case ACTION_REDUCE:
  case ACTION_GATHER:
    out = 1;
    in = root ? n : 0;
    block = kind == ACTION_GATHER && root ? from : to;
    break;
  case ACTION_SCATTER:
    out = root ? n : 0;
    in = 1;
    block = root ? to : from;
    break;
  case ACTION_SCAN:
  case ACTION_EXSCAN:
    out = n - me - (kind == ACTION_EXSCAN);
    in = me + (kind == ACTION_SCAN);
    break;
  default:
    break;
  }
  *sent = out * block;
  *received = in * block;
}

enum status otf2_state_bytes(const struct action *a, uint32_t ranks, uint32_t rank, uint64_t *sent,
                             uint64_t *received, struct err *e)
{
  const uint32_t n = comm_size(a->comm, ranks);
  uint32_t me;
  if (!comm_member(a->comm, rank, &me))
    return err_set(e, "%s on a communicator of which the rank is no member", action_name(a->kind));
  if (otf2_has_sums(action_blocking(a->kind)))
    state_sums(a, n, me, sent, received);
  else
    state_blocks(a, n, me, sent, received);
  return OK;
}

#include "traces/otf2/otf2_bytes.h"

#include <inttypes.h>

#include "traces/otf2/otf2_api.h"

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

/* Sets *block if @p bytes are @p members blocks, or those of the others (in place). */
static bool divide(uint64_t bytes, uint32_t members, uint64_t *block)
{
  if (bytes % members == 0)
    *block = bytes / members;
  else if (bytes % (members - 1) == 0)
    *block = bytes / (members - 1);
  else
    return false;
  return true;
}

/* Sets *block if @p sent and @p received are so many blocks; 0 blocks must be 0 bytes. */
static bool both(const struct otf2_collective *c, uint64_t sent, uint64_t received, uint64_t *block)
{
  if (sent == 0 && received == 0) {
    *block = 0;
    return c->sent == 0 && c->received == 0;
  }
  *block = sent > 0 ? c->sent / sent : c->received / received;
  return *block * sent == c->sent && *block * received == c->received;
}

/* A prefix reduction: a member sends to those behind it, and to itself unless in place. */
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
    return !root || *block * n == c->sent || divide(c->sent, c->members, block);
  case ACTION_REDUCE:
  case ACTION_GATHER:
    *block = c->sent;
    return !root || c->sent > 0 || divide(c->received, c->members, block);
  case ACTION_SCATTER:
    *block = c->received;
    return !root || c->received > 0 || divide(c->sent, c->members, block);
  case ACTION_SCAN:
  case ACTION_EXSCAN:
    return prefix(c, block);
  default:
    return c->sent == c->received && divide(c->sent, c->members, block);
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

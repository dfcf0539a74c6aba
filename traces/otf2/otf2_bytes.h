/** @file otf2_bytes.h
 *  Private to traces/: the bytes of collectives in OTF2.  An event states the bytes that its rank
 *  sends and receives; recorders count them differently.  Score-P counts a block for each member,
 *  also for the rank itself unless the call is in place: docs/recorded.md has the table.  eztrace
 *  states one block.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/action.h"

/** A collective as its event states it. */
struct otf2_collective {
  enum action_kind kind; /**< blocking */
  uint32_t members, me, root;
  uint64_t sent, received;
  bool single; /**< the recorder states one block */
};

/** The kind of a collective by its operation in OTF2; ACTION_KINDS: the operation makes no
 *  messages, such as the creation of a communicator; ACTION_WAIT: unknown. */
enum action_kind otf2_kind_of(unsigned operation);

/** True for collectives whose sizes differ by member: their event has sums. */
bool otf2_has_sums(enum action_kind kind);

/** Sets *to and *from to the bytes of a block to and from each member.  Fails if the bytes that the
 *  event states are not a whole number of blocks. */
enum status otf2_blocks(const struct otf2_collective *c, uint64_t *to, uint64_t *from,
                        struct err *e);

/** For writing: the operation, the root (OTF2_COLLECTIVE_ROOT_NONE without one), and the name of
 *  the function, such as MPI_Iallreduce. */
uint8_t otf2_operation_of(enum action_kind blocking);
uint32_t otf2_root_of(const struct action *a);
void otf2_name_of(enum action_kind kind, char *name, size_t size);

/** For writing: the bytes that the event of @p rank states, as Score-P counts them. */
enum status otf2_state_bytes(const struct action *a, uint32_t ranks, uint32_t rank, uint64_t *sent,
                             uint64_t *received, struct err *e);

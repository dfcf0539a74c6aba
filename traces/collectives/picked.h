/** @file picked.h
 *  The algorithm that a selector picks for a collective with given ranks and bytes, as text.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/collectives/collective.h"

/** A call with root 0 by ranks that fill the hosts in order and know which of them share a host.
 *  Collectives that the algorithm calls use SMPI's defaults. */
struct picked_call {
  uint32_t ranks, per_host; /**< at least 1 */
  uint32_t bytes; /**< of the message of a bcast, reduce or allreduce, or of the block of one rank
                     in other collectives; elements have 1 byte */
};

/** True if algorithm number @p i of @p kind selects others: it is the default or an MPI
 *  library's. */
bool picked_chooses(enum action_kind kind, size_t i);

/** Writes a name to @p text of @p size bytes: of the algorithm that algorithm number @p i of
 *  @p kind picks, or, if number @p i is no selector, of number @p i itself.  The name of a
 *  two-level algorithm includes the algorithms between and within nodes, e.g.
 *  "mvapich2_two_level(rdb,reduce)". */
enum status picked_name(char *text, size_t size, enum action_kind kind, size_t i,
                        const struct picked_call *call, struct err *e);

/** @file picked.h
 *  Which algorithm a selector picks for a collective on given ranks and bytes, as text.
 */
#ifndef TRACES_COLLECTIVES_PICKED_H
#define TRACES_COLLECTIVES_PICKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/collectives/collective.h"

/** A call with root 0, whose ranks fill the hosts in order.  Collectives that it calls in turn use
 *  SMPI's defaults; who shares a host is known. */
struct picked_call {
  uint32_t ranks, per_host; /**< at least 1 */
  uint32_t bytes; /**< of the message of a bcast, reduce or allreduce, else of the part for or of
                     one rank; elements are of 1 byte */
};

/** Does row @p i of the algorithms of @p kind choose: is it the default or as a library does? */
bool picked_chooses(enum action_kind kind, size_t i);

/** Names what row @p i of the algorithms of @p kind picks: itself if it is no selector; of two
 *  levels also what works between and within nodes, as "mvapich2_two_level(rdb,reduce)". */
enum status picked_name(char *text, size_t size, enum action_kind kind, size_t i,
                        const struct picked_call *call, struct err *e);

#endif

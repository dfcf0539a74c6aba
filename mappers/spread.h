/** @file spread.h
 *  The ranks spread over all hosts: as few ranks on each host as possible.
 */
#pragma once

#include "common/arena.h"
#include "mappers/mapper.h"

/** The number of slots of a host, at most @p most. */
uint32_t spread_slots(const struct mapper_input *in, uint32_t host, uint32_t most);

/** The number of ranks on the fullest host if the ranks are spread over all hosts. */
uint32_t spread_least(const struct mapper_input *in);

/** Sets @p out to @p in with spread_least() slots on a host at most.  Its arrays belong to
 *  @p mem. */
enum status spread_input(struct mapper_input *out, const struct mapper_input *in,
                         struct arena *mem);

/** @file repair.h
 *  For mappers that ignore the number of slots of a host: moves the excess ranks to other hosts.
 */
#pragma once

#include "common/err.h"
#include "mappers/mapper.h"

/** Moves ranks away from each host with more ranks than slots: the highest ranks, one after
 *  another, each to the nearest host with a free slot (slots.h); ties go to the lower host.  Sets
 *  *moved to the number of ranks moved.  All hosts of @p m must exist, and the slots must suffice
 *  for the ranks. */
enum status repair_mapping(struct mapping *m, const struct mapper_input *in, uint32_t *moved,
                           struct err *e);

/** Like repair_mapping(), for hosts with @p each slots, of which used[h] slots of host h are taken
 *  before the ranks of @p m are placed. */
enum status repair_around(struct mapping *m, const struct platform *p, uint32_t each,
                          const uint32_t *used, uint32_t *moved, struct err *e);

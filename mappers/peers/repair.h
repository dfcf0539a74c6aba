/** @file repair.h
 *  For mappers that do not keep to the ranks that a host takes: moves those that are too many.
 */
#ifndef MAPPERS_PEERS_REPAIR_H
#define MAPPERS_PEERS_REPAIR_H

#include "common/err.h"
#include "mappers/mapper.h"

/** Moves, of each host with more than in->ranks_per_host ranks, the highest ranks to the
 *  nearest host with a free slot (slots.h), one rank after the other; ties go to the lower
 *  host.  *moved is their number.  All hosts of @p m exist, and the ranks fit. */
enum status repair_mapping(struct mapping *m, const struct mapper_input *in, uint32_t *moved,
                           struct err *e);

/** Moves the ranks of @p m that are too many on their hosts, where used[h] slots of the @p each
 * that host h has are taken: to the nearest host with a free slot, as repair_mapping() does.  The
 * ranks fit.  *moved is their number. */
enum status repair_around(struct mapping *m, const struct platform *p, uint32_t each,
                          const uint32_t *used, uint32_t *moved, struct err *e);

#endif

/** @file on_box.h
 *  Mapping onto a box of hosts of an allocation on a torus, mesh or hypercube.
 */
#pragma once

#include <stdbool.h>

#include "common/err.h"
#include "mappers/mapper.h"

/** Maps on @p in->platform; @p arg is the argument of on_box_map(). */
typedef enum status on_box_fn(const struct mapper_input *in, const void *arg, struct mapping *out,
                              struct err *e);

/** True if the platform of @p in is a part of a grid but no grid itself (platforms/part.h). */
bool on_box_needed(const struct mapper_input *in);

/** Calls @p map with the smallest box of hosts that has a slot for each rank, and sets *out to the
 *  mapping on the hosts of @p in.  Sets *found to false, and leaves *out unchanged, if there is no
 *  such box.  Requires on_box_needed(). */
enum status on_box_map(const struct mapper_input *in, on_box_fn *map, const void *arg, bool *found,
                       struct mapping *out, struct err *e);

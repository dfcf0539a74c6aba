/** @file cluster_order.h
 *  Fills the hosts cluster by cluster, in the best order of the clusters.
 */
#pragma once

#include "mappers/mapper.h"

/** As mapper hostname, but of all orders of the clusters the one with the least estimated time
 *  (mappers/estimate.h).  Sets *found to false, and leaves *out, if there are fewer than 2 or more
 *  than 5 clusters.  On success with *found the caller frees *out with mapping_clear(). */
enum status cluster_order_map(struct mapping *out, bool *found, const struct mapper_input *in,
                              struct err *e);

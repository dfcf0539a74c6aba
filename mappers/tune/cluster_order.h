/** @file cluster_order.h
 *  Fills the hosts cluster by cluster.  Of all orders of the clusters, takes the order with the
 *  least estimated time.
 */
#pragma once

#include "mappers/mapper.h"

/** Tries all orders of the clusters by mappers/estimate.h; within a cluster, hosts are in the order
 *  of mapper hostname.  Sets *found to false, and leaves *out unchanged, if there are fewer than 2
 *  or more than 5 clusters.  On success with *found the caller frees *out with mapping_clear(). */
enum status cluster_order_map(struct mapping *out, bool *found, const struct mapper_input *in,
                              struct err *e);

/** @file part.h
 *  A part of a platform: some of its hosts, for example the hosts of an allocation.  To mappers, a
 *  part is a platform.  Its hosts are numbered from 0.  Links, routes, names and speeds belong to
 *  the whole platform, so that hops and loads on a part are hops and loads on the machine.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "platforms/platform.h"

/** Makes the part with the @p n hosts @p host of @p whole, all different.  Host i of the part is
 *  host[i], except on a box: if the hosts are a box of a torus, mesh or hypercube and no route
 *  between them leaves it, the part has the topology of the box, a mesh or a torus, and its hosts
 *  are numbered with X varying fastest.  @p whole must outlive *out and be no part itself.  On
 *  success the caller owns *out: platform_free().  O(n log n). */
enum status platform_part_new(struct platform **out, const struct platform *whole,
                              const uint32_t *host, uint32_t n, struct err *e);

/** True if @p p is a part of a torus, mesh or hypercube whose hosts form no box, and small enough
 *  to search for boxes. */
bool platform_part_has_boxes(const struct platform *p);

/** Makes the part that is the smallest box of at least @p least hosts, all among the @p n hosts
 *  @p host of @p whole, which must be a torus, mesh or hypercube; of equal boxes the first.  Sets
 *  *out to NULL if there is none. */
enum status platform_part_box(struct platform **out, const struct platform *whole,
                              const uint32_t *host, uint32_t n, uint32_t least, struct err *e);

/** The platform of which @p p is a part; @p p itself if it is whole. */
const struct platform *platform_whole(const struct platform *p);

/** The number of host @p h of @p p on platform_whole(). */
uint32_t platform_whole_host(const struct platform *p, uint32_t h);

/** The host of the part @p p that is host @p h of platform_whole(); UINT32_MAX if the part lacks
 *  it.  O(1) on average. */
uint32_t platform_part_host(const struct platform *p, uint32_t h);

/** The names of the cores of @p nodes, whose hosts have the inside @p in: a platform without links,
 *  to read mappings.  Borrows both.  The caller frees it with free().  NULL: out of memory. */
struct platform *platform_cores_of(const struct platform *nodes, const struct inside *in,
                                   struct err *e);

/** @file cost.h
 *  The cost to send a byte from one host to another: hops, latency in s, seconds per byte, or
 *  values from a file.  Costs are >= 0.  The cost from a host to itself is 0 unless a file has
 *  another value.  Costs of routes through other processes are in routed.h.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "platforms/platform.h"

struct cost;

/** True if @p what, the argument of cost_new(), is the name of a file. */
bool cost_is_file(const char *what);

/** @p what is "hops", "latency", "bandwidth" (seconds per byte on the slowest link of the route),
 *  or the name of a file.  The file has a line for each host, in the order of the platform, with
 *  the costs from that host to all hosts; '#' begins a comment.  On success the caller frees *out
 *  with cost_free().  @p p must outlive it. */
enum status cost_new(struct cost **out, const struct platform *p, const char *what, struct err *e);

/** Accepts NULL. */
void cost_free(struct cost *c);

/** The cost from host @p src to host @p dst. */
enum status cost_between(struct cost *c, uint32_t src, uint32_t dst, double *out, struct err *e);

/** Writes @p count hosts, at most all hosts of the platform, that are near each other to @p host,
 *  sorted by number.  Tries 16 centres, evenly spread over the numbers of the hosts: takes the @p
 *  count hosts nearest to each centre, and chooses the set with the least sum of costs from its
 *  centre. */
enum status cost_nearest(struct cost *c, uint32_t count, uint32_t *host, struct err *e);

/** @file cost.h
 *  The cost to send a byte from one host to another: hops, latency, seconds for a byte, or values
 *  from a file.  Costs of routes through other processes are in routed.h.  Costs are >= 0.  The
 *  cost from a host to itself is 0 unless a file has another value.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "platforms/platform.h"

struct cost;

/** True if @p what, the argument of cost_new(), is the name of a file. */
bool cost_is_file(const char *what);

/** @p what names the costs: "hops", "latency", "bandwidth" (seconds for a byte on the slowest link
 *  of the route), or the name of a file.  The file has a line for each host of the platform, in its
 *  order, with the costs from that host to all hosts; '#' begins a comment.  On success the caller
 *  frees *out with cost_free().  @p p must outlive it. */
enum status cost_new(struct cost **out, const struct platform *p, const char *what, struct err *e);

/** Accepts NULL. */
void cost_free(struct cost *c);

/** The cost from host @p src to host @p dst. */
enum status cost_between(struct cost *c, uint32_t src, uint32_t dst, double *out, struct err *e);

/** Writes @p count hosts that are near each other, sorted by number: tries 16 centres spread over
 *  the platform, takes the @p count hosts nearest to each, and returns the set with the least sum
 *  of costs from its centre. */
enum status cost_nearest(struct cost *c, uint32_t count, uint32_t *host, struct err *e);

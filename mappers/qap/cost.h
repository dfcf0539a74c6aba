/** @file cost.h
 *  What it costs to send a byte from one host to another: hops, latency, the time of a byte, or
 *  values measured elsewhere.  Not ways through other processes (routed.h).  Costs are >= 0;
 *  that of a host to itself is 0 unless a file says otherwise.
 */
#ifndef MAPPERS_QAP_COST_H
#define MAPPERS_QAP_COST_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "platforms/platform.h"

struct cost;

/** Is @p what, as given to cost_new(), the name of a file? */
bool cost_is_file(const char *what);

/** @p what is "hops", "latency", "bandwidth" (seconds that a byte takes on the slowest link of the
 *  route), or the name of a file: a line for each host of the platform, in its order, each with the
 *  costs from that host to all hosts; '#' begins a comment.  On success *out is the caller's:
 *  cost_free().  @p p outlives it. */
enum status cost_new(struct cost **out, const struct platform *p, const char *what, struct err *e);

/** Accepts NULL. */
void cost_free(struct cost *c);

/** The cost from host @p src to host @p dst. */
enum status cost_between(struct cost *c, uint32_t src, uint32_t dst, double *out, struct err *e);

/** Writes @p count hosts that are near each other: of 16 hosts spread over the platform, the one
 *  whose @p count nearest cost least in all, and those; sorted. */
enum status cost_nearest(struct cost *c, uint32_t count, uint32_t *host, struct err *e);

#endif

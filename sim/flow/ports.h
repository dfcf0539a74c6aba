/** @file ports.h
 *  Limits of hosts besides the links of the platform (sim/effects/effects.h), as links of the
 *  maxmin: the network interface of a host, pairs of hosts, and messages within a host.
 */
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "sim/effects/effects.h"
#include "sim/flow/maxmin.h"

struct ports;

/** Most links that ports_use() adds. */
enum { PORTS_USES = 5 };

/** @p x and @p m must outlive it.  The caller frees *out with ports_free(). */
enum status ports_new(struct ports **out, const struct effects *x, struct maxmin *m, uint32_t hosts,
                      struct err *e);

/** Accepts NULL. */
void ports_free(struct ports *p);

/** Writes the links that a message between two hosts uses to @p use, which has PORTS_USES entries,
 *  and their number to *uses; adds them to the maxmin if necessary. */
enum status ports_use(struct ports *p, uint32_t src, uint32_t dst, struct maxmin_use *use,
                      uint32_t *uses, struct err *e);

/** Counts a flow until ports_end().  May change the limits of the receiver (incast) and of the pair
 *  of hosts (fresh).  @p again: the flow is in progress and was only taken out for a change of a
 *  link, so that the pair is as fresh as before. */
enum status ports_start(struct ports *p, uint32_t flow, uint32_t src, uint32_t dst, bool again,
                        struct err *e);
void ports_end(struct ports *p, uint32_t flow);

/** Sets the number of ranks that compute on @p host.  True if a limit has changed. */
bool ports_compute(struct ports *p, uint32_t host, uint32_t running);

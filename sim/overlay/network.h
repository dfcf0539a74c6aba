/** @file network.h
 *  The network of an overlay for the processes of one program: the graph of possible connections
 *  (bounding graph), the routes of messages, and the spanning tree that carries requests (wan/).
 *  It does not change during a run; connections.h tells which connections are open.
 */
#pragma once

#include "platforms/mapping/mapping.h"
#include "platforms/platform.h"
#include "sim/overlay/spec.h"
#include "wan/routing.h"

/** Zeroed: empty. */
struct overlay_network {
  struct processes processes;
  struct bounding bounding;
  struct routing routes; /**< empty if all pairs are connected and send directly, and either side
                            can open each connection */
  struct routing tree;   /**< routes on the spanning tree; empty if `routes` is */
  bool direct;           /**< see struct overlay_kind */
};

/** @p traffic, by rank, may be NULL: uniform.  Fails if the graph is not connected or the platform
 *  is opaque.  The caller calls overlay_network_clear(), also after a failure. */
enum status overlay_network_make(struct overlay_network *out, const struct overlay_spec *s,
                                 const struct platform *p, const struct mapping *m,
                                 const struct matrix *traffic, struct err *e);

/** Accepts a zeroed struct. */
void overlay_network_clear(struct overlay_network *n);

/** The process to which @p from sends a message for @p to: the next one on its route. */
uint32_t overlay_network_next(const struct overlay_network *n, uint32_t from, uint32_t to);

/** How a connection opens when @p from is the first to need it. */
struct overlay_opening {
  double seconds;    /**< a round trip, plus the time of a request if one is needed */
  uint32_t requests; /**< control messages on the spanning tree: 0 if @p from opens it itself */
};

struct overlay_opening overlay_network_open(const struct overlay_network *n, uint32_t from,
                                            uint32_t to);

/** True if some messages pass through other processes. */
bool overlay_network_relays(const struct overlay_network *n);

/** @file network.h
 *  Who is connected with whom, and on which ways messages and requests go: the bounding graph, its
 *  routes and its spanning tree (wan/), for the processes of one program.  It does not change in a
 *  run; which connections are open is connections.h.
 */
#ifndef SIM_OVERLAY_NETWORK_H
#define SIM_OVERLAY_NETWORK_H

#include "platforms/mapping/mapping.h"
#include "platforms/platform.h"
#include "sim/overlay/spec.h"
#include "wan/routing.h"

/** Zeroed: empty. */
struct overlay_network {
  struct processes processes;
  struct bounding bounding;
  struct routing routes; /**< empty if all pairs are connected and send directly */
  struct routing tree;   /**< on the spanning tree; empty if no direction is blocked */
  bool direct;           /**< see struct overlay_kind */
};

/** @p traffic, by rank, may be NULL: uniform.  Refuses a graph that is not connected, and opaque
 *  platforms.  The caller's, also after a failure: overlay_network_clear(). */
enum status overlay_network_make(struct overlay_network *out, const struct overlay_spec *s,
                                 const struct platform *p, const struct mapping *m,
                                 const struct matrix *traffic, struct err *e);

/** Accepts a zeroed one. */
void overlay_network_clear(struct overlay_network *n);

/** The process that @p from hands a message for another one to. */
uint32_t overlay_network_next(const struct overlay_network *n, uint32_t from, uint32_t to);

/** How a connection opens that @p from is the first to need. */
struct overlay_opening {
  double seconds;    /**< a round trip, after the request if there is one */
  uint32_t requests; /**< control messages on the spanning tree: 0 if @p from opens it itself */
};

struct overlay_opening overlay_network_open(const struct overlay_network *n, uint32_t from,
                                            uint32_t to);

/** Do some messages go through other processes? */
bool overlay_network_relays(const struct overlay_network *n);

#endif

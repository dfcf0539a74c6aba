/** @file congestion.h
 *  Congestion of wide-area links by many connections: the model of docs/overlay.md.  Counts the
 *  connections with messages in transit, and computes the bytes that have to be sent again.  Knows
 *  no engine.
 *
 *  Off unless overlay_spec_congests(): congestion_concerns() is then false for all pairs, and the
 *  other functions are not called.
 */
#pragma once

#include "common/containers/pairs.h"
#include "common/err.h"
#include "sim/overlay/network.h"

/** A link between clusters. */
struct wide_link {
  uint32_t link;
  double bandwidth;     /**< in byte/s */
  double holds;         /**< bytes that the link can hold: bandwidth-delay product plus queue */
  uint32_t connections; /**< connections with messages in transit */
};

/** Zeroed: off. */
struct congestion {
  const uint32_t *cluster; /**< cluster of each process; owned by the network */
  uint32_t clusters;       /**< 0: off */
  double buffer, loss;     /**< see struct overlay_spec */
  double rto_s;            /**< see struct overlay_spec; 0: losses by the exponent `loss` */
  struct wide_link *link;
  size_t links, link_room;
  size_t *first; /**< by ordered pair of clusters, and one more: start of its route in way[] */
  uint32_t *way; /**< wide-area links of each route: indices of link[] */
  size_t ways, way_room;
  struct pairs connection; /**< connections, each in one direction */
  uint32_t *messages;      /**< messages in transit, by number of the connection */
  size_t room;
};

/** @p n must outlive it.  All hosts of two clusters use the route between the first hosts of the
 *  clusters.  The caller calls congestion_clear(), also after a failure. */
enum status congestion_make(struct congestion *c, const struct overlay_spec *s,
                            const struct platform *p, const struct overlay_network *n,
                            struct err *e);

/** Accepts a zeroed struct. */
void congestion_clear(struct congestion *c);

/** True if the model is on and the processes are in different clusters. */
static inline bool congestion_concerns(const struct congestion *c, uint32_t from, uint32_t to)
{
  return c->clusters > 0 && c->cluster[from] != c->cluster[to];
}

/** A message between two processes enters the network, or has left it.  congestion_concerns() must
 *  be true for the processes. */
enum status congestion_begin(struct congestion *c, uint32_t from, uint32_t to, struct err *e);
void congestion_end(struct congestion *c, uint32_t from, uint32_t to);

/** Bytes sent again per byte of a message, on the worst link of its route. */
double congestion_again(const struct congestion *c, uint32_t from, uint32_t to);

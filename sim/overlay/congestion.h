/** @file congestion.h
 *  Too many connections at once on wide-area links: the model of docs/overlay.md.  Counts the
 *  connections that have messages on their way, and says how much is sent again.  Knows no engine.
 *
 *  Off unless overlay_spec.queue is above 0: congestion_concerns() is then false for all, and none
 * is begun, ended or sent again.
 */
#ifndef SIM_OVERLAY_CONGESTION_H
#define SIM_OVERLAY_CONGESTION_H

#include "common/err.h"
#include "common/pairs.h"
#include "sim/overlay/network.h"

/** A link between clusters. */
struct wide_link {
  uint32_t link;
  double holds;         /**< bytes: bandwidth-delay product and queue */
  uint32_t connections; /**< with messages on their way */
};

/** Zeroed: off. */
struct congestion {
  const uint32_t *cluster; /**< by process; the network's */
  uint32_t clusters;       /**< 0: off */
  double buffer, loss;     /**< see struct overlay_spec */
  struct wide_link *link;
  size_t links, link_room;
  size_t *first; /**< by ordered pair of clusters, and one more: its way[first[..]].. */
  uint32_t *way; /**< indices of link[] */
  size_t ways, way_room;
  struct pairs connection; /**< in one direction */
  uint32_t *messages;      /**< on their way, by number of the connection */
  size_t room;
};

/** @p n outlives it.  All hosts of two clusters have the way of the first ones.  The caller's, also
 *  after a failure: congestion_clear(). */
enum status congestion_make(struct congestion *c, const struct overlay_spec *s,
                            const struct platform *p, const struct overlay_network *n,
                            struct err *e);

/** Accepts a zeroed one. */
void congestion_clear(struct congestion *c);

/** Do the processes talk over wide-area links, and is the model on? */
static inline bool congestion_concerns(const struct congestion *c, uint32_t from, uint32_t to)
{
  return c->clusters > 0 && c->cluster[from] != c->cluster[to];
}

/** A message of two processes that it concerns is on its way, or is not any more. */
enum status congestion_begin(struct congestion *c, uint32_t from, uint32_t to, struct err *e);
void congestion_end(struct congestion *c, uint32_t from, uint32_t to);

/** The bytes that are sent again for each byte of a message, on the worst link of its way. */
double congestion_again(const struct congestion *c, uint32_t from, uint32_t to);

#endif

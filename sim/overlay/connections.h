/** @file connections.h
 *  The connections of an overlay as they open: which are open, which are being set up and until
 *  when, and who has how many.  Knows no engine and no messages.
 */
#ifndef SIM_OVERLAY_CONNECTIONS_H
#define SIM_OVERLAY_CONNECTIONS_H

#include "common/err.h"
#include "common/heap.h"
#include "common/pairs.h"
#include "sim/overlay/network.h"

/** Whom a connection that is set up keeps waiting; a list. */
struct connection_waiter {
  struct connection_waiter *next;
};

#define CONNECTIONS_OPEN UINT32_MAX

struct connection {
  bool open;
  bool asked[2]; /**< has begun to set it up: the lower process, the higher one */
  struct connection_waiter *first, *last; /**< private */
};

struct connections {
  const struct overlay_network *network;
  double set_up;                 /**< factor on the time; 0: all are open when they are needed */
  bool opened;                   /**< all are open from the start */
  struct pairs pair;             /**< numbers those that were needed */
  struct connection *connection; /**< by number; owned */
  size_t room;
  struct heap due;      /**< those that are being set up, by the time when they are open, in s */
  uint32_t *of_process; /**< number of connections; owned */
  uint64_t count;       /**< of all that are open or being set up */
  uint64_t requests;    /**< control messages on the spanning tree */
};

/** @p network outlives it.  @p opened: all connections of its graph are open.  The caller's, also
 *  after a failure: connections_clear(). */
enum status connections_init(struct connections *c, const struct overlay_network *network,
                             double set_up, bool opened, struct err *e);

/** Accepts zeroed ones. */
void connections_clear(struct connections *c);

/** @p from needs its connection to @p to at simulated time @p now (s), which may have to be set up
 *  first.  *number: CONNECTIONS_OPEN, or what to wait for. */
enum status connections_need(struct connections *c, uint32_t from, uint32_t to, double now,
                             uint32_t *number, struct err *e);

/** Adds one that waits for a connection that is not open. */
void connections_wait(struct connections *c, uint32_t number, struct connection_waiter *w);

/** Opens a connection that is due before @p until (s), and gives its waiters in their order,
 *  NULL if it has none; false if none is due. */
bool connections_open(struct connections *c, double until, struct connection_waiter **first);

/** When the next one is open, in s; INFINITY: none is being set up. */
double connections_due(const struct connections *c);

#endif

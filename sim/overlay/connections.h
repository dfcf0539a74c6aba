/** @file connections.h
 *  The connections of an overlay: the open ones, those being set up with the time when they open,
 *  and the number of connections of each process.  Knows no engine and no messages.
 */
#pragma once

#include "common/containers/heap.h"
#include "common/containers/pairs.h"
#include "common/err.h"
#include "sim/overlay/network.h"

/** Entry of the list of objects that wait for a connection. */
struct connection_waiter {
  struct connection_waiter *next;
};

/** No connection to wait for: it is open. */
#define CONNECTIONS_OPEN UINT32_MAX

struct connection {
  bool open;
  bool asked[2]; /**< [0]: the lower process has begun the set-up; [1]: the higher one has */
  struct connection_waiter *first, *last; /**< private */
};

struct connections {
  const struct overlay_network *network;
  double set_up;                 /**< factor on the time to set up a connection; 0: no time */
  bool opened;                   /**< all connections are open from the start */
  struct pairs pair;             /**< numbers of the connections needed so far */
  struct connection *connection; /**< by number; owned */
  size_t room;
  struct heap due;      /**< connections being set up, by the time in s when they open */
  uint32_t *of_process; /**< connections of each process; owned */
  uint64_t count;       /**< connections open or being set up */
  uint64_t requests;    /**< control messages on the spanning tree */
};

/** @p network must outlive it.  With @p opened all connections of its graph are open.  The caller
 *  calls connections_clear(), also after a failure. */
enum status connections_init(struct connections *c, const struct overlay_network *network,
                             double set_up, bool opened, struct err *e);

/** Accepts a zeroed struct. */
void connections_clear(struct connections *c);

/** @p from needs its connection to @p to at simulated time @p now (s); starts the set-up if
 *  necessary.  *number becomes CONNECTIONS_OPEN, or the connection to wait for. */
enum status connections_need(struct connections *c, uint32_t from, uint32_t to, double now,
                             uint32_t *number, struct err *e);

/** Adds a waiter to a connection that is not open. */
void connections_wait(struct connections *c, uint32_t number, struct connection_waiter *w);

/** Opens one connection that is due before @p until (s), and sets *first to its waiters in their
 *  order, NULL if it has none.  False if none is due. */
bool connections_open(struct connections *c, double until, struct connection_waiter **first);

/** Time in s when the next connection opens; INFINITY if none is being set up. */
double connections_due(const struct connections *c);

/** @file feeds.h
 *  Which hosts need the output of which lanes, and what of it they have got: one *feed* for each
 *  lane and host that has consumers of it, however many consumers and producers there are.
 */
#ifndef SIM_TASKNET_FEEDS_H
#define SIM_TASKNET_FEEDS_H

#include "common/err.h"
#include "common/pairs.h"
#include "tasks/tasknet.h"

struct feeds_feed {
  uint32_t lane, host;
  uint32_t next;      /**< feed of the same lane, plus 1; 0: none */
  uint32_t consumers; /**< on the host; those that have been stolen from it do not count */
  uint32_t underway;  /**< transfers to the host that have not ended */
  bool begun;         /**< some of the lane's output is on the host */
  bool behind;        /**< some was sent while the host had no consumers */
};

/** Owned: feeds_clear(). */
struct feeds {
  struct pairs pairs; /**< (lane, host) */
  struct feeds_feed *feed;
  size_t room;
  uint32_t *newest; /**< by lane: its newest feed, plus 1; 0: none */
};

/** The feeds of all elements on their hosts, none behind.  O(ends of elements). */
enum status feeds_new(struct feeds *f, const struct tasknet *n, const uint32_t *host,
                      struct err *e);

void feeds_clear(struct feeds *f);

/** The feed of a lane at a host; NULL: there is none.  Valid until feeds_add(). */
struct feeds_feed *feeds_find(const struct feeds *f, uint32_t lane, uint32_t host);

/** A consumer of a lane comes to a host: *number is the feed's.  A new feed is behind. */
enum status feeds_add(struct feeds *f, uint32_t lane, uint32_t host, uint32_t *number,
                      struct err *e);

#endif

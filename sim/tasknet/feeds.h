/** @file feeds.h
 *  The hosts that need the output of each lane, and the output that they have: one *feed* for each
 *  lane and host that has consumers of it, whatever the number of consumers and producers.
 */
#pragma once

#include "common/containers/pairs.h"
#include "common/err.h"
#include "tasks/tasknet.h"

struct feeds_feed {
  uint32_t lane, host;
  uint32_t next;      /**< next feed of the same lane, plus 1; 0: none */
  uint32_t consumers; /**< consumers on the host, without stolen ones */
  uint32_t underway;  /**< transfers to the host that have not ended */
  bool begun;         /**< some of the lane's output is on the host */
  bool behind;        /**< some output was sent while the host had no consumers */
};

/** The caller frees it with feeds_clear(). */
struct feeds {
  struct pairs pairs; /**< (lane, host) */
  struct feeds_feed *feed;
  size_t room;
  uint32_t *newest; /**< by lane: its newest feed, plus 1; 0: none */
};

/** Makes the feeds of all elements on their hosts, none of them behind.  O(ends of elements). */
enum status feeds_new(struct feeds *f, const struct tasknet *n, const uint32_t *host,
                      struct err *e);

void feeds_clear(struct feeds *f);

/** The feed of a lane at a host; NULL if there is none.  Valid until feeds_add(). */
struct feeds_feed *feeds_find(const struct feeds *f, uint32_t lane, uint32_t host);

/** Adds a consumer of a lane to a host and sets *number to the feed.  A new feed is behind. */
enum status feeds_add(struct feeds *f, uint32_t lane, uint32_t host, uint32_t *number,
                      struct err *e);

/** @file traffic.h
 *  The traffic matrix: messages and bytes for each ordered pair of ranks.
 */
#ifndef HAICHI_TRAFFIC_H
#define HAICHI_TRAFFIC_H

#include <stddef.h>
#include <stdint.h>

#include <haichi/trace.h>

struct haichi_traffic;

/** Messages from one rank to another. */
struct haichi_pair {
  uint32_t src, dst;
  uint64_t messages;
  uint64_t bytes; /**< payload of all messages together */
};

/** Counts the messages of a trace, collectives included.  Reads the whole trace.  Free *out with
 *  haichi_traffic_free(). */
HAICHI_PUBLIC enum haichi_status haichi_traffic_of_trace(struct haichi_traffic **out,
                                                         struct haichi_trace *t,
                                                         struct haichi_error *e);

/** Makes the traffic of @p ranks ranks from @p pairs pairs in any order.  Entries of one pair are
 *  added up, pairs without messages are left out.  O(pairs log pairs).  Free *out with
 *  haichi_traffic_free(). */
HAICHI_PUBLIC enum haichi_status haichi_traffic_of_pairs(struct haichi_traffic **out,
                                                         uint32_t ranks,
                                                         const struct haichi_pair *pair,
                                                         size_t pairs, struct haichi_error *e);

/** Reads a file that `haichi trace matrix` has written, or another format of `haichi list
 * matrices`, detected from its beginning; see docs/matrices.md.  Free *out with
 * haichi_traffic_free(). */
HAICHI_PUBLIC enum haichi_status haichi_traffic_load(struct haichi_traffic **out, const char *path,
                                                     struct haichi_error *e);

/** Accepts NULL. */
HAICHI_PUBLIC void haichi_traffic_free(struct haichi_traffic *t);

/** Number of ranks. */
HAICHI_PUBLIC uint32_t haichi_traffic_ranks(const struct haichi_traffic *t);

/** Number of pairs, and pair @p i of them in the order of (src, dst).  O(1). */
HAICHI_PUBLIC size_t haichi_traffic_pairs(const struct haichi_traffic *t);
HAICHI_PUBLIC struct haichi_pair haichi_traffic_pair(const struct haichi_traffic *t, size_t i);

#endif

/** @file coverage.h
 *  The sizes and ends of the messages that runs have sent, and which of them are outside the range
 *  of a calibrated platform (platforms/calibrated.h).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "platforms/calibrated.h"
#include "platforms/platform.h"

/** Messages of runs; zeroed: none. */
struct coverage {
  uint64_t messages;          /**< number of messages */
  uint64_t smallest, largest; /**< bytes; background load counts */
  bool within;                /**< some were between ranks of one host */
  bool between;               /**< some were between hosts; host[]: the hosts of the first */
  bool several;               /**< some had a host that is not in host[] */
  uint32_t host[2];
};

/** Counts a message between two hosts of @p p; cores of a node are one host. */
static inline void coverage_note(struct coverage *c, const struct platform *p, uint32_t src,
                                 uint32_t dst, uint64_t bytes)
{
  const uint32_t a = platform_node(p, src), b = platform_node(p, dst);
  c->smallest = c->messages++ == 0 || bytes < c->smallest ? bytes : c->smallest;
  c->largest = bytes > c->largest ? bytes : c->largest;
  c->within |= a == b;
  if (a == b)
    return;
  if (!c->between) {
    c->host[0] = a;
    c->host[1] = b;
  }
  c->between = true;
  c->several |= (a != c->host[0] && a != c->host[1]) || (b != c->host[0] && b != c->host[1]);
}

/** Adds the messages of @p x, of the same platform, to @p c. */
void coverage_add(struct coverage *c, const struct coverage *x);

/** Room for the text of coverage_beyond(). */
enum { COVERAGE_TEXT = 256 };

/** Writes the messages outside the calibrated range to @p text, of COVERAGE_TEXT bytes, as
 *  "messages up to 4000000 bytes, messages within a host".  False if all are inside, or if the
 *  platform states no range.  Sizes of messages, envelope included, down to half of the smallest
 *  measured size count as inside: the line fitted to the smallest sizes is extrapolated so far. */
bool coverage_beyond(const struct coverage *c, const struct calibrated *r, char *text);

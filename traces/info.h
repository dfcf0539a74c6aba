/** @file info.h
 *  Statistics of a trace: number of actions by kind, and traffic with and without collectives.
 */
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "traces/action.h"
#include "traces/collectives/collective.h"
#include "traces/trace.h"

struct info_traffic {
  uint64_t messages;
  uint64_t bytes;    /**< payload */
  uint64_t pairs;    /**< unordered pairs of different ranks that exchange messages */
  double pair_share; /**< pairs / all unordered pairs of different ranks, 0..1; 0 for 1 rank */
};

struct info {
  uint32_t ranks;
  uint64_t actions;
  uint64_t kind[ACTION_KINDS]; /**< actions by kind; notes do not count */
  struct info_traffic p2p;     /**< without the messages of collectives */
  struct info_traffic all;     /**< with the messages that collectives are lowered to */
};

/** Reads @p t from its start to its end; @p c lowers its collectives. */
enum status info_read(struct info *info, struct trace *t, const struct collectives *c,
                      struct err *e);

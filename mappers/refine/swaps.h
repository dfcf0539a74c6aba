/** @file swaps.h
 *  A placement, and the change of an objective by the exchange of a rank with the content of a
 *  slot: another rank, or nothing.  An exchange updates the loads of links along the routes between
 *  the moving ranks and their partners, and reads no other routes.  For one thread.
 *
 *  Host h has the slots h * per_host to h * per_host + per_host - 1.
 */
#pragma once

#include <stdbool.h>

#include "common/arena.h"
#include "mappers/mapper.h"
#include "mappers/refine/objective.h"
#include "mappers/refine/routes.h"

#define SWAPS_NOBODY UINT32_MAX

/** The value of a placement: less is better. */
typedef unsigned __int128 swaps_value;

/** One direction of the traffic between a rank and a partner. */
struct swaps_arc {
  uint32_t rank;      /**< the partner */
  uint32_t in : 1;    /**< 1: the partner sends; 0: the rank sends */
  uint32_t pair : 31; /**< index of the directed pair, below `pairs` of struct swaps */
  uint64_t bytes;     /**< > 0 */
};

/** A link loaded by ranks. */
struct swaps_link {
  uint64_t load; /**< bytes */
  int64_t delta; /**< change of the load by the exchange being tried */
  double power;  /**< power of the load, for the smooth maximum */
  double fresh;  /**< the same of load + delta */
};

struct swaps {
  struct arena mem; /**< owns the arrays */
  enum objective objective;
  uint32_t ranks, per_host, hosts, slots;
  const uint32_t *capacity; /**< by host: its slots that ranks may move to; NULL: per_host */
  uint32_t *slot, *host;    /**< by rank */
  uint32_t *at;             /**< by slot: its rank or SWAPS_NOBODY */
  size_t *first;            /**< rank r has the arcs first[r] to first[r + 1] - 1 */
  struct swaps_arc *arc;
  uint32_t pairs; /**< directed pairs that communicate */
  struct routes *routes;
  uint64_t bytes, heaviest; /**< bytes of all pairs, and of the pair with the most */
  uint64_t hop_bytes;
  uint32_t links; /**< number of links, without loopbacks */
  bool fat;       /**< some links are not shared, so that they have no load */

  /* private */
  uint32_t ids, touches;
  struct swaps_link *link;  /* by id */
  double *bandwidth;        /* by id; NULL: all are equal, or the objective counts bytes */
  double *scale;            /* by id: factor that makes loads comparable; NULL: 1 */
  uint32_t *touched;        /* links with a delta changed by the exchange being tried */
  uint8_t *fixed;           /* by id: its load does not count (fixed.h); NULL: all count */
  uint8_t *mark;            /* by id: the link is in touched[] */
  uint64_t top;             /* largest key_of() of a link; an upper bound if tops is 0 */
  uint32_t tops;            /* number of links with key `top` */
  double hop_weight, slope; /* weights in the smooth objective: of a hop-byte, of a power */
  int squarings;            /* the power is 2^squarings */
  double unit, sum;         /* the load whose power is 1; sum of the powers */
  uint32_t rank, target;    /* the exchange being tried */
  int64_t hop_change;
  double power_change;
  struct paths *paths;   /* NULL unless OBJECTIVE_RMATT */
  struct timing *timing; /* NULL unless OBJECTIVE_TIME */
};

/** Makes the placement @p host (by rank) on in->platform, which must not be opaque.  A host has
 *  in->ranks_per_host slots.  Fails if the traffic names other ranks or hop-bytes could reach 2^62.
 *  On success the caller frees @p s with swaps_clear(). */
enum status swaps_new(struct swaps *s, const struct mapper_input *in, enum objective objective,
                      const uint32_t *host, struct err *e);

/** Accepts a zeroed struct. */
void swaps_clear(struct swaps *s);

/** Tries to exchange @p rank with the content of slot @p target.  Returns a smooth measure of the
 *  change, below 0 if the exchange improves the placement; 0 if both are on the same host.  Must be
 *  followed by swaps_take() or swaps_drop(). */
double swaps_try(struct swaps *s, uint32_t rank, uint32_t target);
void swaps_take(struct swaps *s);
void swaps_drop(struct swaps *s);

/** Adapts the smooth measure to the current loads and to @p share, the part of the search that is
 *  over (0 to 1).  To be called regularly, e.g. at each temperature.  O(links). */
void swaps_refresh(struct swaps *s, double share);

/** The current value of the objective, exact.
 *  - OBJECTIVE_LINKLOAD: hop-bytes plus 2^64 times the load of the fullest link that is not fixed:
 *    bytes or, if bandwidths differ, the bits of its seconds as a double.
 *  - OBJECTIVE_BLEND: the objective times twice the number of links.
 *  - OBJECTIVE_TIME: the estimate in units of 1e-18 s. */
swaps_value swaps_now(struct swaps *s);

/** A lower bound of the value of all placements: each pair one hop apart, the heaviest pair alone
 *  on its link; 0 if no bound is known. */
swaps_value swaps_bound(const struct swaps *s);

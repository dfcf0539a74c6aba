/** @file swaps.h
 *  A placement under change: what the exchange of a rank with what is in a slot (another rank, or
 *  nothing) changes of an objective.  Loads of links are kept, and changed along the routes to the
 *  partners of the ranks that move; no other route is looked at.  For one thread.
 *
 *  Host h has the slots h * per_host to h * per_host + per_host - 1.
 */
#ifndef MAPPERS_REFINE_SWAPS_H
#define MAPPERS_REFINE_SWAPS_H

#include <stdbool.h>

#include "mappers/mapper.h"
#include "mappers/refine/objective.h"
#include "mappers/refine/routes.h"

#define SWAPS_NOBODY UINT32_MAX

/** The value of a placement: less is better. */
typedef unsigned __int128 swaps_value;

/** One direction of what a rank exchanges with another. */
struct swaps_arc {
  uint32_t rank;      /**< the partner */
  uint32_t in : 1;    /**< the partner sends */
  uint32_t pair : 31; /**< number of the directed pair, below that of pairs */
  uint64_t bytes;     /**< > 0 */
};

/** A link that ranks load. */
struct swaps_link {
  uint64_t load; /**< bytes */
  int64_t delta; /**< of the exchange that is tried */
  double power;  /**< of the load, in the smooth maximum; and with delta */
  double fresh;
};

struct swaps {
  enum objective objective;
  uint32_t ranks, per_host, hosts, slots;
  uint32_t *slot, *host; /**< by rank; owned, as the following */
  uint32_t *at;          /**< by slot: its rank or SWAPS_NOBODY */
  size_t *first;         /**< rank r has the arcs first[r] to first[r + 1] - 1 */
  struct swaps_arc *arc;
  uint32_t pairs; /**< directed pairs that communicate */
  struct routes *routes;
  uint64_t bytes, heaviest; /**< of all pairs; of one */
  uint64_t hop_bytes;
  uint32_t links; /**< that exist, loopbacks not counted */
  bool fat;       /**< some are not shared: they have no load */

  /* private */
  uint32_t ids, touches;
  struct swaps_link *link;  /* by id */
  double *bandwidth;        /* by id; NULL: all alike, or the objective counts bytes */
  double *scale;            /* by id: what makes loads comparable; NULL: 1 */
  uint32_t *touched;        /* links whose delta the exchange that is tried changed */
  uint8_t *mark;            /* by id: it is among these */
  uint64_t top;             /* largest key of a link, or more if none has it */
  uint32_t tops;            /* links that have it */
  double hop_weight, slope; /* of the smooth objective: a hop-byte, and a unit of powers */
  int squarings;
  double unit, sum;      /* a load of this has power 1; sum of the powers */
  uint32_t rank, target; /* the exchange that is tried */
  int64_t hop_change;
  double power_change;
  struct paths *paths; /* of OBJECTIVE_RMATT */
};

/** The placement of @p host (by rank) on in->platform, which is not opaque; keeps to
 *  in->ranks_per_host.  Fails if the traffic names other ranks or its hop-bytes may reach 2^62.  On
 *  success @p s is the caller's: swaps_clear(). */
enum status swaps_new(struct swaps *s, const struct mapper_input *in, enum objective objective,
                      const uint32_t *host, struct err *e);

/** Accepts a zeroed one. */
void swaps_clear(struct swaps *s);

/** Tries to exchange @p rank with what is in slot @p target: a smooth measure of the change, below
 *  0 for the better; 0 if they are on one host.  Then comes swaps_take() or swaps_drop(). */
double swaps_try(struct swaps *s, uint32_t rank, uint32_t target);
void swaps_take(struct swaps *s);
void swaps_drop(struct swaps *s);

/** Adjusts the smooth measure to the loads of now, and to the part of the search that is over, from
 *  0 to 1; to be called again and again, as once for each temperature.  O(links). */
void swaps_refresh(struct swaps *s, double share);

/** The objective's value now, exactly: of OBJECTIVE_LINKLOAD the load (or the bits of its seconds)
 *  times 2^64, plus hop-bytes; of OBJECTIVE_BLEND 2 * links times itself. */
swaps_value swaps_now(struct swaps *s);

/** A value that no placement is below: each pair a hop apart, the heaviest alone on its link; 0 if
 *  that says nothing. */
swaps_value swaps_bound(const struct swaps *s);

#endif

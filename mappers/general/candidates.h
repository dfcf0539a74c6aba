/** @file candidates.h
 *  Different mappings of a program, for a choice or as starts of a search.
 */
#pragma once

#include "common/arena.h"
#include "mappers/general/general.h"
#include "mappers/refine/search.h"

/** At most 19 mappings by mappers, 12 in planes and 20 by exchanges; for OBJECTIVE_TIME also 25 by
 *  exchanges, 4 with even boundaries, 8 by orders of digits and 8 by estimated time. */
enum { CANDIDATES_MOST = 96 };

/** How a candidate is made: by a mapper, or by changes of another candidate. */
enum candidate_kind {
  CANDIDATE_MAPPED,
  CANDIDATE_SEARCH,    /**< exchanges of ranks by an objective (refine/search.h) */
  CANDIDATE_HOSTS,     /**< exchanges of hosts with their ranks (refine/hosts.h) */
  CANDIDATE_EVEN,      /**< moves of ranks between hosts that even boundaries (refine/boundary.h) */
  CANDIDATE_DIGITS,    /**< exchanges of digits (tune/digit_order.h) */
  CANDIDATE_ESTIMATED, /**< changes by estimated time (tune/exchanges.h) */
  CANDIDATE_BLAMED     /**< the same, also of ranks on the critical path */
};

struct candidate {
  uint32_t number;      /**< in the order in which candidates are listed */
  uint32_t *host;       /**< by rank */
  double value;         /**< by the objective of candidates_make(); OBJECTIVE_TIME: by estimate.h */
  double computation_s; /**< OBJECTIVE_TIME: computation of the rank that computes longest */
  swaps_value load; /**< if by_load: value by OBJECTIVE_LINKLOAD; its lower 64 bits are hop-bytes */
  bool basic;       /**< the mapping of xyz or greedy, or a spread mapping by a mapper; if messages
                         depend on which ranks share a host, also of bisect and Slurm */
  bool spread;      /**< made from a mapping with as few ranks on each host as possible, although
                         hosts take more */
  bool grouped;     /**< by groups of ranks (inside/grouping.h) */
  bool sampled;     /**< only by bisections with several seeds (bisections.h); no start for orders
                         of digits, where it would displace a regular mapping */
  double time_s;    /**< for the caller, as the next field: simulated time */
  double behind;    /**< relative difference from the least time, without computation */

  /* private */
  enum candidate_kind kind;
  struct search_plan plan; /* CANDIDATE_SEARCH, CANDIDATE_HOSTS */
  uint32_t start;          /* number of the candidate that is changed */
  uint32_t place;          /* of candidates by estimated time: place of `start` by value */
  enum status status;
  struct err why;
};

struct candidates {
  struct arena mem; /**< owns the mappings */
  struct candidate candidate[CANDIDATES_MOST];
  uint32_t count;
  bool by_load; /**< true if the objective is OBJECTIVE_TIME, the traffic is a matrix without a
                     trace, and each host has a cable of its own (fixed.h) */
  uint64_t most_hop_bytes; /**< if by_load: limit for a mapping that is chosen by its load */
};

/** Makes different mappings, with values by @p objective:
 *  - by mappers: the general mapping; xyz with all its orders, greedy and bisect; on clusters
 *    hostname, and the best order of clusters (tune/cluster_order.h); on nodes with an inside,
 *    groups of ranks (inside/grouping.h) on as few nodes as possible and on all; if hosts have
 *    different speeds, the fastest hosts in order; if there are more slots than ranks, the general
 *    mapping, xyz, greedy and bisect with as few ranks on each host as possible; with
 *    OBJECTIVE_TIME and phases, the best of several bisections (bisections.h);
 *  - if there are phases and hosts take several ranks, by slurm-cyclic in planes of 1 rank, then of
 *    the products of the first prime factors of the number of ranks per host; by slurm-block, if
 *    messages depend on which ranks share a host;
 *  - by exchanges of ranks (refine/search.h), from the mappings by mappers without planes: from the
 *    first by blend and by linkload, from the others by hop-bytes, and, with OBJECTIVE_TIME and
 *    phases, from all by OBJECTIVE_TIME; if by_load, only from the first by linkload;
 *  - with OBJECTIVE_TIME and phases, the groups of ranks with even boundaries
 *    (refine/boundary.h);
 *  - with OBJECTIVE_TIME and phases, if all hosts take several ranks, equally many: from the first
 *    two by exchanges of hosts (refine/hosts.h);
 *  - with OBJECTIVE_TIME and phases: the four best mappings by mappers with other orders of digits
 *    (tune/digit_order.h), then the two best candidates changed by estimated time
 *    (tune/exchanges.h), each without and with changes of ranks on the critical path; these
 *    separately for spread candidates and the others.
 *
 *  With more than 4096 ranks, there are no planes, no bisect and no changed mappings.  The threads
 *  of @p in change no result.  The caller calls candidates_clear(), also after a failure. */
enum status candidates_make(struct candidates *c, const struct mapper_input *in,
                            const struct general_plan *plan, enum objective objective,
                            struct err *e);

void candidates_clear(struct candidates *c);

/** True if the candidate is made by changes of another one. */
static inline bool candidate_is_changed(const struct candidate *x)
{
  return x->kind != CANDIDATE_MAPPED;
}

/** @file candidates.h
 *  Several mappings of a program, among which a search by time can choose or begin.
 */
#ifndef MAPPERS_GENERAL_CANDIDATES_H
#define MAPPERS_GENERAL_CANDIDATES_H

#include "common/arena.h"
#include "mappers/general/general.h"
#include "mappers/refine/search.h"

/** 11 mappings by mappers, 12 by exchanges, and for OBJECTIVE_TIME 13 by exchanges, 4 by orders of
 *  digits and 2 by estimated time are the most. */
enum { CANDIDATES_MOST = 42 };

/** What makes a candidate: a mapper, or changes of another candidate. */
enum candidate_kind {
  CANDIDATE_MAPPED,
  CANDIDATE_SEARCH,   /**< exchanges of ranks by an objective (refine/search.h) */
  CANDIDATE_DIGITS,   /**< exchanges of digits (tune/digit_order.h) */
  CANDIDATE_ESTIMATED /**< changes by estimated time (tune/exchanges.h) */
};

struct candidate {
  uint32_t number;      /**< in the order in which candidates are listed */
  uint32_t *host;       /**< by rank */
  double value;         /**< by the objective of candidates_make(): OBJECTIVE_TIME: estimate.h */
  double computation_s; /**< OBJECTIVE_TIME: of the rank that computes longest */
  swaps_value load;     /**< by_load: by OBJECTIVE_LINKLOAD; the lower 64 bits are the hop-bytes */
  bool basic;           /**< the mapping of xyz or greedy */
  double time_s;        /**< this and the next: for the caller */
  double behind; /**< relative difference from the least time without computation, weighted */

  /* private */
  enum candidate_kind kind;
  struct search_plan plan; /* CANDIDATE_SEARCH */
  uint32_t start;          /* number of the candidate that is changed */
  enum status status;
  struct err why;
};

struct candidates {
  struct arena mem; /**< owns the mappings */
  struct candidate candidate[CANDIDATES_MOST];
  uint32_t count;
  bool by_load; /**< OBJECTIVE_TIME, a matrix alone, and hosts with cables of their own (fixed.h) */
  uint64_t most_hop_bytes; /**< by_load: that a mapping chosen by its load may have */
};

/** Makes different mappings: the general mapping, the mappers xyz, greedy and bisect, on clusters
 *  hostname in the order of host names and in the best order of clusters, if hosts differ the
 *  fastest hosts in order, on nodes with an inside the mappings of groups (inside/grouping.h) to as
 * few nodes as possible and to all, and exchanges of ranks: by blend and linkload from the first of
 * these, by hop-bytes from the others, and with OBJECTIVE_TIME and phases by their link loads from
 * all. With OBJECTIVE_TIME and phases also the four mappings of mappers with the least values, with
 *  other orders of digits (tune/digit_order.h), and the two best candidates so far, changed by
 *  estimated time (tune/exchanges.h).
 *  Above 4096 ranks there are neither bisect nor exchanges.  @p objective also gives the values.
 *  The threads of @p in change no result.  The caller calls candidates_clear(), also after a
 *  failure. */
enum status candidates_make(struct candidates *c, const struct mapper_input *in,
                            const struct general_plan *plan, enum objective objective,
                            struct err *e);

void candidates_clear(struct candidates *c);

/** True if the candidate is a changed one. */
static inline bool candidate_is_changed(const struct candidate *x)
{
  return x->kind != CANDIDATE_MAPPED;
}

#endif

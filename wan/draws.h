/** @file draws.h
 *  Private to wan/: draws the selections of bounding_new() (method mcmpi, uniform traffic) one at a
 *  time, so that a test of connectivity draws only the selections that decide its result.
 *
 *  A selection is a position in the RTT order of the other processes, and the process at that
 *  position.  Processes of equal RTT are in random order: at a position, each of them that is not
 *  yet drawn is equally likely.  Therefore neither the whole order nor the remaining positions need
 *  be drawn.  Selections of different processes are independent, and so are selections from
 *  different blocks.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/numeric/rng.h"
#include "wan/processes.h"

#define DRAWS_NONE UINT32_MAX

/** The positions of a block whose processes have equal RTT. */
struct draws_tie {
  uint32_t end; /**< position after the last one of the tie, counted from the first position of the
                   block */
  uint32_t other; /**< position in the RTT order of the first process of equal RTT */
  uint32_t count; /**< number of processes of equal RTT, including positions outside the block */
  bool blocked;   /**< firewalls block connections to all of these processes */
};

/** A selection to be drawn. */
struct draws_slot {
  uint32_t tie, ties;  /**< the ties of its block: draws_plan.tie[tie] to [tie + ties - 1] */
  uint32_t places;     /**< number of positions in the block; 0: every position of the block is
                          selected, and `tie` is the tie of the position of this slot */
  uint32_t block;      /**< number of the block; no position of it is selected twice */
  uint32_t part, unit; /**< the selection is made with probability part / unit */
};

/** Data shared by all graphs.  Empty if zeroed. */
struct draws_plan {
  const struct processes *processes;
  uint32_t *other;       /**< RTT order of process p, from p * (n - 1) on; owned */
  struct draws_tie *tie; /**< owned */
  size_t ties, tie_room;
  struct draws_slot *slot; /**< slots of process p: first[p] to first[p + 1] - 1; owned */
  size_t slots, slot_room;
  size_t *first; /**< owned */
};

/** @p p must outlive the plan.  @p beta: as in struct bounding_input.  Free with
 *  draws_plan_clear().  O(n^2 log n). */
enum status draws_plan_new(struct draws_plan *out, const struct processes *p, uint32_t beta,
                           struct err *e);

/** Accepts a zeroed struct. */
void draws_plan_clear(struct draws_plan *d);

/** Probability that process @p p opens no connection to another cluster.  NAN if some, but not all,
 *  processes of equal RTT are in other clusters and accept connections. */
double draws_none_outside(const struct draws_plan *d, uint32_t p);

/** The selections of one graph.  Empty if zeroed. */
struct draws {
  const struct draws_plan *plan;
  struct rng rng;
  uint32_t *revealed; /**< by process: number of selections revealed so far; owned */
  uint32_t *place;    /**< by slot, once revealed: position in the block; owned */
  uint32_t *other;    /**< by slot, once revealed: index in the RTT order of its process, or
                         DRAWS_NONE; owned */
};

/** @p plan must outlive @p out.  Free with draws_clear(). */
enum status draws_new(struct draws *out, const struct draws_plan *plan, struct err *e);

/** Accepts a zeroed struct. */
void draws_clear(struct draws *d);

/** Forgets all selections and starts graph number @p graph, with random stream (seed, graph). */
void draws_begin(struct draws *d, uint64_t seed, uint64_t graph);

/** True if process @p p has selections that are not revealed. */
static inline bool draws_more(const struct draws *d, uint32_t p)
{
  return d->plan->first[p] + d->revealed[p] < d->plan->first[p + 1];
}

/** Reveals the next selection of @p p; requires draws_more().  Returns the selected process, or
 *  DRAWS_NONE if the selection is not made or a firewall blocks it. */
uint32_t draws_reveal(struct draws *d, uint32_t p);

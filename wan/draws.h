/** @file draws.h
 *  Private to wan/: the selections of bounding_new(), mcmpi with uniform traffic, revealed one at a
 *  time, so that who asks for connectivity alone draws no more of them than decide it.
 *
 *  A selection is a place in the order of the others, and the process in that place.  Others of
 *  equal RTT share their places at random, so that given the places drawn so far each of those not
 *  yet seen is as likely as any other: neither the order nor the rest of the places need be drawn.
 *  Selections of different processes are independent, as are those of different blocks.
 */
#ifndef WAN_DRAWS_H
#define WAN_DRAWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/rng.h"
#include "wan/processes.h"

#define DRAWS_NONE UINT32_MAX

/** Others of equal RTT, as far as their places are in one block. */
struct draws_tie {
  uint32_t end;          /**< places of the block up to the last of these, from the block's first */
  uint32_t other, count; /**< all others of that RTT, those beyond the block included: in other[] */
  bool blocked;          /**< firewalls block connections to all of them */
};

/** A selection to come. */
struct draws_slot {
  uint32_t tie, ties; /**< in tie[] */
  uint32_t places; /**< of the block; 0: the tie is known, as all places of the block are taken */
  uint32_t block;  /**< number of the block: its places are taken once */
  uint32_t part, unit; /**< the selection is made with probability part / unit */
};

/** What all graphs have in common.  Zeroed: empty. */
struct draws_plan {
  const struct processes *processes;
  uint32_t *other; /**< the others of p in the order of their RTTs from p * (n - 1) on; owned */
  struct draws_tie *tie;
  size_t ties, tie_room;
  struct draws_slot *slot; /**< of process p from first[p] to first[p + 1] - 1; owned */
  size_t slots, slot_room;
  size_t *first;
};

/** @p p outlives it.  The caller's: draws_plan_clear().  O(n^2 log n). */
enum status draws_plan_new(struct draws_plan *out, const struct processes *p, uint32_t beta,
                           struct err *e);

/** Accepts a zeroed one. */
void draws_plan_clear(struct draws_plan *d);

/** Probability that process @p p selects no process of another cluster that takes its connection;
 *  NAN where others of one RTT are both of that kind and not. */
double draws_none_outside(const struct draws_plan *d, uint32_t p);

/** The selections of one graph.  Zeroed: empty. */
struct draws {
  const struct draws_plan *plan;
  struct rng rng;
  uint32_t *revealed; /**< by process: how many; owned */
  uint32_t *place;    /**< by slot, once revealed: its place in the block; owned */
  uint32_t *other;    /**< by slot, once revealed: in plan->other[], or DRAWS_NONE; owned */
};

/** @p plan outlives it.  The caller's: draws_clear(). */
enum status draws_new(struct draws *out, const struct draws_plan *plan, struct err *e);

/** Accepts a zeroed one. */
void draws_clear(struct draws *d);

/** Starts graph @p graph of a seed. */
void draws_begin(struct draws *d, uint64_t seed, uint64_t graph);

/** Has process @p p selections that are not revealed? */
static inline bool draws_more(const struct draws *d, uint32_t p)
{
  return d->plan->first[p] + d->revealed[p] < d->plan->first[p + 1];
}

/** Reveals the next selection of @p p, which has more; DRAWS_NONE: it makes none, or a firewall
 *  blocks it. */
uint32_t draws_reveal(struct draws *d, uint32_t p);

#endif

/** @file phases.h
 *  The messages of a program in phases.  The messages of a phase do not depend on each other; they
 *  start at about the same time if all ranks progress equally.  Equal phases, as in iterations, are
 *  stored once.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/matrix/matrix.h"

/** Equal messages of a phase.  src and dst differ. */
struct phase_message {
  uint32_t src, dst;
  uint64_t bytes;  /**< payload of one message */
  double messages; /**< above 0; in phases that are merged, the mean number */
};

/** One or more occurrences of a phase in the program. */
struct phase_step {
  uint32_t phase; /**< number of the phase */
  uint64_t times; /**< number of occurrences, at least 1 */
};

/** One or more occurrences of a message in the program. */
struct phase_transfer {
  uint32_t message; /**< index of its phase_message; PHASE_NONE: from a rank to itself */
  uint32_t times;   /**< number of occurrences, at least 1 */
};

/** An event of a rank. */
struct phase_event {
  uint32_t rank;
  uint32_t transfer : 31; /**< index in phase_order.transfer */
  uint32_t end : 1;       /**< 1: the rank has waited for its end; 0: the rank posts its send or
                               receive */
  double flops;           /**< that the rank computes before this event, after its previous one */
};

#define PHASE_NONE UINT32_MAX

/** The order of events, in which all dependences point backwards: a message starts at the later of
 *  its two posts, and its ends follow. */
struct phase_order {
  struct phase_event *event; /**< owned */
  size_t events;
  struct phase_transfer *transfer; /**< owned */
  size_t transfers;
  double *rest; /**< by rank: flops after its last event; owned */
};

struct phases {
  uint32_t ranks;
  uint32_t count; /**< different phases */
  size_t *first;  /**< phase p has the messages first[p] to first[p + 1] - 1; owned */
  struct phase_message *message; /**< by phase, sorted by (src, dst, bytes); owned */
  struct phase_step *step;       /**< in the order of the program; owned */
  size_t steps;
  double *flops;            /**< by rank: its computations; owned */
  struct phase_order order; /**< without events if it is unknown */
};

/** Collects the messages of a program.  Zeroed: empty. */
struct phase_list {
  struct phase_entry *entry;
  size_t count, room;
};

/** Adds a message of depth @p depth, which stands for @p times messages.  @p number is its number
 *  in the order of the program, or PHASE_NONE. */
enum status phase_list_add(struct phase_list *l, const struct phase_message *x, uint64_t depth,
                           uint64_t times, uint32_t number, struct err *e);

/** Accepts a zeroed struct. */
void phase_list_clear(struct phase_list *l);

/** Makes the phases of @p ranks ranks: the messages of equal depth and equal `times` are a step.
 *  Sorts @p l.  flops[] is 0.  Unless @p order is NULL, sets the message of each numbered transfer
 *  of *order, whose transfers the caller has allocated.  O(messages * log messages).  On success
 *  the caller frees @p out with phases_clear(). */
enum status phases_new(struct phases *out, struct phase_list *l, uint32_t ranks,
                       struct phase_order *order, struct err *e);

/** Makes one phase of the traffic of a matrix.  Pairs without bytes are left out. */
enum status phases_of_matrix(struct phases *out, const struct matrix *m, uint32_t ranks,
                             struct err *e);

/** Copies @p p and merges similar phases until at most @p most messages are stored or one phase is
 *  left.  A merged phase has the mean messages of its phases, weighted by `times`.  The copy has
 *  one step per phase, not in the order of the program.  O(messages * log messages).  On success
 *  the caller frees @p out with phases_clear(). */
enum status phases_merge(struct phases *out, const struct phases *p, size_t most, struct err *e);

/** Sets *out to the phases of groups of ranks: @p group has the number of each rank's group, below
 *  @p groups.  Messages within a group are left out; a group has the computations of all its ranks.
 *  *out has one step per phase, not in the order of the program.  O(messages * log messages).  On
 *  success the caller frees @p out with phases_clear(). */
enum status phases_contract(struct phases *out, const struct phases *p, const uint32_t *group,
                            uint32_t groups, struct err *e);

/** Accepts a zeroed struct. */
void phase_order_clear(struct phase_order *o);

/** Accepts a zeroed struct. */
void phases_clear(struct phases *p);

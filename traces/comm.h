/** @file comm.h
 *  Communicators other than the world, as stated by a trace: an id and the ordered list of the
 *  members' ranks in the world.  Each is stored once, even if many ranks state it.  The world,
 *  which holds every rank in order, is a NULL pointer.  Does not depend on actions.
 *
 *  Members are stored as runs of equal stride (first, first + stride, ...), so that a row or column
 *  of a grid takes a few bytes, whatever its size.  The runs depend on the members alone, not on
 *  how the trace groups them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/containers/index.h"
#include "common/err.h"

/** @p count members: first, first + stride, first + 2 * stride, ... */
struct comm_run {
  int64_t first, stride;
  uint32_t count;
  uint32_t before; /**< members in the runs before this one */
};

/** An ordered list of members.  Empty if zeroed. */
struct comm_list {
  struct comm_run *run; /**< owned; freed by comm_list_clear() */
  size_t room;          /**< runs allocated */
  uint32_t runs, size;  /**< numbers of runs and of members */
};

struct comm {
  uint64_t id;    /**< name in the trace, from 1 */
  uint32_t index; /**< from 1, in the order of definition */
  struct comm_list members;
};

enum { COMM_INDEX_MAX = 1 << 24 };

/** The communicators of a trace.  Empty if zeroed. */
struct comm_table {
  struct comm **comm; /**< in the order of their definition; owned */
  size_t room;
  uint32_t count;
  struct index by_id;
};

/** Appends the members of @p run.  Its count must be >= 1; run->before is ignored.  Fails if a
 *  member is not below @p ranks, or if the list would have more than @p ranks members. */
enum status comm_list_add(struct comm_list *l, uint32_t ranks, const struct comm_run *run,
                          struct err *e);

/** Frees the runs and zeroes the list. */
void comm_list_clear(struct comm_list *l);

/** Finds or adds the communicator @p id with the members of @p l, which is emptied on success. *out
 *  belongs to @p t.  Fails if @p id is known with other members, if the list is empty, and if a
 *  rank is listed twice.  O(ranks) for a new communicator, O(runs) for a known one. */
enum status comm_define(struct comm_table *t, uint64_t id, uint32_t ranks, struct comm_list *l,
                        const struct comm **out, struct err *e);

/** The communicator @p id; NULL if it is not defined. */
const struct comm *comm_by_id(const struct comm_table *t, uint64_t id);

/** Frees all communicators and zeroes the table. */
void comm_table_clear(struct comm_table *t);

/** Index of the communicator; 0 for the world (NULL). */
static inline uint32_t comm_index(const struct comm *c)
{
  return c == NULL ? 0 : c->index;
}

/** Number of members; @p ranks for the world (NULL). */
static inline uint32_t comm_size(const struct comm *c, uint32_t ranks)
{
  return c == NULL ? ranks : c->members.size;
}

/** Rank in the world of member @p i (below the size). O(log runs). */
uint32_t comm_world_rank(const struct comm *c, uint32_t i);

/** Sets *i to the member number of the rank @p world; false if it is not a member.  O(runs). */
bool comm_member(const struct comm *c, uint32_t world, uint32_t *i);

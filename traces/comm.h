/** @file comm.h
 *  Communicators other than the world, as a trace states them: an id and the ranks of the world
 *  that are its members, in order.  Each is kept once, however many ranks state it; the world is
 *  a NULL pointer and holds every rank in order.  Knows no actions.
 *
 *  Members are kept as runs of equal strides (first, first + stride, ...), so that rows and columns
 *  of a grid take a few bytes whatever their size.  The runs depend on the members alone, not on
 *  how they were written.
 */
#ifndef TRACES_COMM_H
#define TRACES_COMM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/index.h"

struct comm_run {
  int64_t first, stride;
  uint32_t count;
  uint32_t before; /**< members in the runs before this one */
};

/** The members while they are listed; zeroed to begin with. */
struct comm_list {
  struct comm_run *run; /**< owned: comm_list_clear() */
  size_t room;
  uint32_t runs, size;
};

struct comm {
  uint32_t id;    /**< the trace's own name, from 1 */
  uint32_t index; /**< from 1, in the order in which the trace was read */
  struct comm_list members;
};

enum { COMM_ID_MAX = INT32_MAX, COMM_INDEX_MAX = 1 << 26 };

/** The communicators of a trace; zeroed to begin with. */
struct comm_table {
  struct comm **comm; /**< in the order of their definition; owned */
  size_t room;
  uint32_t count;
  struct index by_id;
};

/** Appends the members first, first + stride, ..., @p count (>= 1) of them.  Refuses ranks that are
 *  not below @p ranks, and more members than that. */
enum status comm_list_add(struct comm_list *l, uint32_t ranks, const struct comm_run *run,
                          struct err *e);
void comm_list_clear(struct comm_list *l);

/** The communicator @p id with the members of @p l, which is emptied on success: a new one, or the
 *  one there is if its members are the same.  Refuses another list for the same id, no members, and
 *  a member twice.  O(ranks) for a new one, else O(runs). */
enum status comm_define(struct comm_table *t, uint32_t id, uint32_t ranks, struct comm_list *l,
                        const struct comm **out, struct err *e);

/** NULL if there is none. */
const struct comm *comm_by_id(const struct comm_table *t, uint32_t id);
void comm_table_clear(struct comm_table *t);

/** Number of members; of the world (NULL) @p ranks. */
static inline uint32_t comm_size(const struct comm *c, uint32_t ranks)
{
  return c == NULL ? ranks : c->members.size;
}

/** Rank in the world of member @p i (below the size). O(log runs). */
uint32_t comm_world_rank(const struct comm *c, uint32_t i);

/** Which member the rank @p world is; false if none. O(runs). */
bool comm_member(const struct comm *c, uint32_t world, uint32_t *i);

#endif

/** @file pending.h
 *  Private to traces/: the waits and tests of one rank as operations.  Turns the pending requests
 *  (requests.h), those of nonblocking collectives too, into the handles that a WAIT, WAITALL,
 *  WAITANY or TEST names, and takes them back once that operation has completed.
 */
#ifndef TRACES_PENDING_H
#define TRACES_PENDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/action.h"
#include "traces/op.h"
#include "traces/requests.h"

struct pending {
  struct requests requests;
  uint32_t *open; /**< handles of the current collective or exchange, or those that the last
                       operation names; owned */
  size_t open_room;
  uint32_t opens;        /**< entries of open */
  enum op_kind last;     /**< the last operation given out; OP_EXEC: nothing to release */
  uint32_t last_request; /**< its handle; of a TEST of a collective: the group's */
  double due;            /**< flops of collectives that have been waited for, to be computed next */
};

/** Nothing is pending; to be called first. */
void pending_init(struct pending *p);

/** Frees what @p p holds. */
void pending_clear(struct pending *p);

/** Begins a nonblocking collective, whose messages requests_join() adds to *group. */
enum status pending_begin(struct pending *p, const struct action *a, uint32_t *group,
                          struct err *e);

/** Appends a handle to open. */
enum status pending_open(struct pending *p, uint32_t handle, struct err *e);

/** The operation for a waitall or waitAny that counts @p count requests, -1: it does not say.
 *  *ready is false if there is nothing to wait for.  One that counts no more than there are
 *  messages is not about collectives, and those that have a name are never meant. */
enum status pending_wait_all(struct pending *p, int64_t count, struct op *op, bool *ready,
                             struct err *e);
enum status pending_wait_any(struct pending *p, int64_t count, struct op *op, bool *ready,
                             struct err *e);

/** A WAITALL of whatever is pending, collectives with a name too. */
enum status pending_wait_rest(struct pending *p, struct op *op, bool *ready, struct err *e);

/** The operation for the wait or test @p a; *ready is false if it completes at once.  Fails, naming
 *  the request, if there is none. */
enum status pending_find(struct pending *p, const struct action *a, struct op *op, bool *ready,
                         struct err *e);

/** The rank gets the operation @p op. */
void pending_given(struct pending *p, const struct op *op);

/** The last operation has completed: its handles are free again. */
void pending_settle(struct pending *p);

/** The last operation, a TEST that has succeeded or a WAITANY, has completed @p request, see
 *  program_completed(). */
void pending_completed(struct pending *p, uint32_t request);

#endif

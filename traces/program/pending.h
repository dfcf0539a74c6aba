/** @file pending.h
 *  Private to traces/: the waits and tests of one rank as operations.  Turns pending requests
 *  (requests.h), including nonblocking collectives, into the handles that a WAIT, WAITALL, WAITANY
 *  or TEST names, and releases the handles once that operation has completed.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/action.h"
#include "traces/program/op.h"
#include "traces/program/requests.h"

struct pending {
  struct requests requests;
  uint32_t *open; /**< handles of the current collective or exchange, or op->requests of the last
                     operation; owned */
  size_t open_room;
  uint32_t opens;        /**< number of handles in open */
  enum op_kind last;     /**< the last operation given out; OP_EXEC: nothing to release */
  uint32_t last_request; /**< its handle; for a TEST of a collective, the handle of the group */
  double due;            /**< flops of completed collectives, to be computed next */
};

/** Initialises @p p without pending requests.  Call first. */
void pending_init(struct pending *p);

/** Frees the memory of @p p. */
void pending_clear(struct pending *p);

/** Begins a nonblocking collective. requests_join() adds its messages to *group. */
enum status pending_begin(struct pending *p, const struct action *a, uint32_t *group,
                          struct err *e);

/** Appends a handle to open. */
enum status pending_open(struct pending *p, uint32_t handle, struct err *e);

/** Makes the operation for a waitall or waitAny of @p count requests (-1: unknown).  *ready is
 *  false if there is nothing to wait for.  A waitall waits for all pending messages and, up to @p
 *  count requests in all, for collectives without a name.  A waitAny waits for one of these
 *  collectives alone if there is one and @p count exceeds the number of pending messages. */
enum status pending_wait_all(struct pending *p, int64_t count, struct op *op, bool *ready,
                             struct err *e);
enum status pending_wait_any(struct pending *p, int64_t count, struct op *op, bool *ready,
                             struct err *e);

/** Makes a WAITALL of all pending requests, including collectives with a name. */
enum status pending_wait_rest(struct pending *p, struct op *op, bool *ready, struct err *e);

/** Makes the operation for the wait or test @p a. *ready is false if it completes at once.  Fails,
 *  naming the request, if it does not exist. */
enum status pending_find(struct pending *p, const struct action *a, struct op *op, bool *ready,
                         struct err *e);

/** Call when the rank gets the operation @p op. */
void pending_given(struct pending *p, const struct op *op);

/** Call when the last operation has completed: releases its handles. */
void pending_settle(struct pending *p);

/** Call when the last operation, a successful TEST or a WAITANY, has completed @p request; see
 *  program_completed(). */
void pending_completed(struct pending *p, uint32_t request);

/** @file program.h
 *  A lowered trace: a stream of operations (op.h) for each rank, made from its actions on demand.
 *  The only place where collectives become messages, datatypes become bytes, and SMPI's request
 *  keys (source, destination, tag) become handles.  Does not depend on simulated time.
 *
 *  Checks that all ranks call the same collectives in the same order with matching arguments, and
 *  that each wait names a request that was posted.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/collectives/collective.h"
#include "traces/program/op.h"
#include "traces/trace.h"

struct program;

/** Makes a program that lowers @p t with the algorithms of @p c (copied).  The trace must outlive
 *  the program, and only the program may read it.  Free *out with program_free(). */
enum status program_new(struct program **out, struct trace *t, const struct collectives *c,
                        struct err *e);

/** Accepts NULL. */
void program_free(struct program *p);

/** Number of ranks. */
uint32_t program_ranks(const struct program *p);

/** The trace that @p p lowers. */
const struct trace *program_trace(const struct program *p);

/** Gives the next operation of @p rank; *more is false at the end of its stream.  If requests
 *  are still pending at the end of the trace, the rank waits for them (WAITALL), as in SMPI's
 *  replay. */
enum status program_next(struct program *p, uint32_t rank, struct op *op, bool *more,
                         struct err *e);

/** Enters the collective @p a of @p rank, which the caller has from the graph of the rank
 *  (traces/graph/graph.h), instead of reading an action.  @p a must stay valid until
 *  program_next_inside() has given the last operation.  A rank is in one collective at a time. */
enum status program_enter(struct program *p, uint32_t rank, const struct action *a, struct err *e);

/** Gives the next operation of the collective that @p rank has entered; *more is false at its
 *  end. */
enum status program_next_inside(struct program *p, uint32_t rank, struct op *op, bool *more,
                                struct err *e);

/** Must be called when the rank's last TEST or PROBE has succeeded or its last WAITANY has ended.
 *  @p request is the completed request, or OP_NO_REQUEST for a PROBE and for a TEST of several
 *  requests. */
void program_completed(struct program *p, uint32_t rank, uint32_t request);

/** File, line and name of the action that the rank's last operation comes from; *file and *action
 *  belong to the program. */
void program_where(const struct program *p, uint32_t rank, const char **file, uint64_t *line,
                   const char **action);

/** The line that program_where() returns. */
uint64_t program_line(const struct program *p, uint32_t rank);

/** Number of collectives that @p rank has entered.  A reader should stop all ranks at each
 *  collective: if it reads one rank to its end first, the checks keep records of all its
 *  collectives. */
uint64_t program_collectives(const struct program *p, uint32_t rank);

/** Array of ACTION_KINDS counts of the actions read so far, by kind, each weighted by
 *  trace_weight(). */
const uint64_t *program_actions(const struct program *p);

/** True if an algorithm has asked which ranks share a host, so that the operations may depend on
 *  the mapping. */
bool program_asks_hosts(const struct program *p);

/** Makes program_next() give an OP_MARK at the beginning of each iteration of the main loop, and
 *  after the last one.  Call before the first program_next(). */
void program_show_marks(struct program *p);

/** Skips to iteration @p to; see trace_skip().  The last operation of @p rank must be an OP_MARK.
 */
enum status program_skip(struct program *p, uint32_t rank, uint64_t to, struct err *e);

/** Reads a single iteration of equal ones, see trace_single_iteration().  Call before the first
 *  program_next(). */
void program_single_iteration(struct program *p);

/** True if the rank's last operation is of lower_prepare, which a communicator runs only once: at
 *  the first of its collectives whose algorithm needs it. */
bool program_prepares(const struct program *p, uint32_t rank);

/** Number of operations that the rank's last operation stands for, see trace_weight().  1 if all
 *  iterations are read, and if program_prepares(). */
uint64_t program_weight(const struct program *p, uint32_t rank);

/** Call once all ranks have ended: fails if some rank did not call a collective that others
 *  called. */
enum status program_finish(const struct program *p, struct err *e);

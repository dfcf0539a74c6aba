/** @file program.h
 *  A lowered trace: for each rank a stream of operations (op.h), made from its actions on demand.
 *  The one place where collectives become messages, datatypes become bytes and SMPI's request
 *  keys (source, destination, tag) become handles.  Knows no simulated time.
 *
 *  Checks that all ranks call the same collectives in the same order with matching arguments, and
 *  that each wait names a request that was posted.
 */
#ifndef TRACES_PROGRAM_H
#define TRACES_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/collectives/collective.h"
#include "traces/op.h"
#include "traces/trace.h"

struct program;

/** Lowers @p t by the algorithms of @p c (copied).  The trace must outlive the program, and nothing
 *  else may read it meanwhile.  On success *out is the caller's: program_free(). */
enum status program_new(struct program **out, struct trace *t, const struct collectives *c,
                        struct err *e);

/** Accepts NULL. */
void program_free(struct program *p);

/** Number of ranks. */
uint32_t program_ranks(const struct program *p);

/** The trace that @p p lowers. */
const struct trace *program_trace(const struct program *p);

/** Gives the next operation of @p rank; *more is false at the end of its stream.  The last one is
 *  a WAITALL of the requests still pending, if any, as in SMPI's replay. */
enum status program_next(struct program *p, uint32_t rank, struct op *op, bool *more,
                         struct err *e);

/** To be called when the rank's last TEST has succeeded or its WAITANY has ended: @p request is the
 *  one completed, OP_NO_REQUEST for a TEST of several. */
void program_completed(struct program *p, uint32_t rank, uint32_t request);

/** File, line and name of the action that the rank's last operation comes from; *file and *action
 *  stay the program's. */
void program_where(const struct program *p, uint32_t rank, const char **file, uint64_t *line,
                   const char **action);

/** The line that program_where() gives. */
uint64_t program_line(const struct program *p, uint32_t rank);

/** Number of collectives that @p rank has entered.  A reader should stop all ranks at each
 *  collective: reading one rank to its end first makes the checks keep all its collectives. */
uint64_t program_collectives(const struct program *p, uint32_t rank);

/** Array of ACTION_KINDS counts: actions read so far by kind, each with its program_weight(). */
const uint64_t *program_actions(const struct program *p);

/** Has an algorithm asked who shares a host, so that other hosts may mean other operations? */
bool program_asks_hosts(const struct program *p);

/** Gives an OP_MARK where an iteration of the main loop begins, and after the last one; to be
 *  called before the first program_next(). */
void program_show_marks(struct program *p);

/** To be called when the last operation of @p rank was an OP_MARK: see trace_skip(). */
enum status program_skip(struct program *p, uint32_t rank, uint64_t to, struct err *e);

/** Folds the trace, see trace_fold(); to be called before the first program_next(). */
void program_fold(struct program *p);

/** How many operations the rank's last one stands for, see trace_weight(); 1 unless folded, and for
 *  what a communicator does once. */
uint64_t program_weight(const struct program *p, uint32_t rank);

/** To be called when all ranks have ended: refuses a collective that some ranks did not call. */
enum status program_finish(const struct program *p, struct err *e);

#endif

/** @file program.h
 *  A lowered trace: for each rank a stream of operations (op.h), made from its actions on demand.
 *  The one place where collectives become messages, datatypes become bytes and SMPI's request
 *  keys (source, destination, tag) become handles.  Knows no time.
 *
 *  Checks along the way what one rank alone cannot: that all ranks call the same collectives with
 *  matching arguments in the same order, that waits name requests that were posted.
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

/** Lowers @p t by the algorithms of @p c (copied).  The trace must outlive the program and is read
 *  by no one else meanwhile.  The caller's: program_free(). */
enum status program_new(struct program **out, struct trace *t, const struct collectives *c,
                        struct err *e);

/** Accepts NULL. */
void program_free(struct program *p);

uint32_t program_ranks(const struct program *p);

/** The trace that it lowers. */
const struct trace *program_trace(const struct program *p);

/** The next operation of @p rank; *more is false at the end of its stream, once every request
 *  left open has been waited for, as SMPI's replay does. */
enum status program_next(struct program *p, uint32_t rank, struct op *op, bool *more,
                         struct err *e);

/** Tells which request the rank's last TEST or WAITANY completed. */
void program_completed(struct program *p, uint32_t rank, uint32_t request);

/** Where the action stands that the rank's last operation belongs to, and the action's name. */
void program_where(const struct program *p, uint32_t rank, const char **file, uint64_t *line,
                   const char **action);

/** The line of that alone. */
uint64_t program_line(const struct program *p, uint32_t rank);

/** Number of collectives that @p rank has entered, to pause there: a reader that goes through one
 *  rank after another would make the checks remember all collectives of the first. */
uint64_t program_collectives(const struct program *p, uint32_t rank);

/** The actions read so far, by kind, weighted; ACTION_KINDS of them. */
const uint64_t *program_actions(const struct program *p);

/** As trace_fold() and trace_weight() of the trace, for those who count operations; to be called
 *  before the first program_next(). */
void program_fold(struct program *p);
uint64_t program_weight(const struct program *p, uint32_t rank);

/** To be called when all ranks have ended: refuses a collective that some ranks did not call. */
enum status program_finish(const struct program *p, struct err *e);

#endif

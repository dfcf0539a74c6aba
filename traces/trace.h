/** @file trace.h
 *  A trace: for each rank a stream of actions, read on demand, so that memory does not grow with
 *  the length of the trace.  An index file, a merged file, a folder with an index, each perhaps
 *  compressed or in a tar (docs/formats.md), or the spec of a generator (generator.h).
 *
 *  Errors name FILE:LINE; a line that cannot be right ends the reading of its trace.
 */
#ifndef TRACES_TRACE_H
#define TRACES_TRACE_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/action.h"

struct trace;

/** Opens @p path, or the generator it is a spec of: a file of that name is not looked for.  Reads
 *  no actions yet, but unpacks archives and splits merged files into one unnamed temporary file (in
 *  TMPDIR), of at most @p unpack_limit bytes (SPOOL_LIMIT for most uses); a compressed rank file
 *  joins them when it is first read.  On success *out is the caller's: trace_free(). */
enum status trace_open(struct trace **out, const char *path, uint64_t unpack_limit, struct err *e);

/** Accepts NULL. */
void trace_free(struct trace *t);

uint32_t trace_ranks(const struct trace *t);

/** (src, dst) that exchange messages, if that is known before the trace is read; else 0. */
uint64_t trace_pairs(const struct trace *t);

/** The name that the trace was opened by. */
const char *trace_name(const struct trace *t);

/** The files on disk that it is read from, an index before those it names; NULL past the last.
 *  A generated trace has none. */
const char *trace_input(const struct trace *t, size_t i);

/** Reads the next action of @p rank.  *more is false, and @p a untouched, at the end of its
 *  stream.  The counts in @p a stay valid until the next call for the same rank. */
enum status trace_next(struct trace *t, uint32_t rank, struct action *a, bool *more, struct err *e);

/** Where the last action of @p rank stands: its file and line (from 1); of a generator, the spec
 *  and the number of the action. */
const char *trace_file(const struct trace *t, uint32_t rank);
uint64_t trace_line(const struct trace *t, uint32_t rank);

/** Back to the first action of every rank, and unfolded. */
void trace_rewind(struct trace *t);

/** Back to the first action of every rank; from then on the iterations of a generator's main loop,
 *  if they send and receive alike, are read once and stand for all: for those who count with
 *  trace_weight() and want no time.  Other traces are only rewound. */
void trace_fold(struct trace *t);

/** How often the last action of @p rank stands in the trace: 1 unless it is folded. */
uint64_t trace_weight(const struct trace *t, uint32_t rank);

#endif

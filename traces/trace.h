/** @file trace.h
 *  A trace: for each rank a stream of actions, read on demand, so that memory does not grow with
 *  the length of the trace.  Its source is an index file, a merged file or a folder with an index,
 *  possibly compressed or archived (docs/formats.md), or the spec of a generator (generator.h).
 *
 *  Errors name FILE:LINE; the first invalid line ends the reading of the trace.
 */
#ifndef TRACES_TRACE_H
#define TRACES_TRACE_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/action.h"

struct trace;

/** Opens @p path; the spec of a generator takes precedence over a file of that name.  Reads no
 *  actions yet, but unpacks archives and splits merged files into one unnamed temporary file (in
 *  TMPDIR) of at most @p unpack_limit bytes (usually SPOOL_LIMIT); a compressed rank file is
 *  unpacked there on its first reading.  On success *out is the caller's: trace_free(). */
enum status trace_open(struct trace **out, const char *path, uint64_t unpack_limit, struct err *e);

/** Accepts NULL. */
void trace_free(struct trace *t);

/** Number of ranks. */
uint32_t trace_ranks(const struct trace *t);

/** Number of ordered pairs (src, dst) with messages, if known without reading; else 0. */
uint64_t trace_pairs(const struct trace *t);

/** The path or spec that the trace was opened by. */
const char *trace_name(const struct trace *t);

/** File @p i of those that the trace is read from, an index before the files it names; NULL past
 *  the last.  A generated trace has none. */
const char *trace_input(const struct trace *t, size_t i);

/** Reads the next action of @p rank, NULL at the end of its stream.  It and its counts stay valid
 *  until the next call for the same rank.  *a is untouched on failure. */
enum status trace_next(struct trace *t, uint32_t rank, const struct action **a, struct err *e);

/** File of the last action of @p rank; of a generator, the spec. */
const char *trace_file(const struct trace *t, uint32_t rank);

/** Line of the last action of @p rank, from 1; of a generator, the number of the action. */
uint64_t trace_line(const struct trace *t, uint32_t rank);

/** Goes back to the first action of every rank and undoes trace_fold(). */
void trace_rewind(struct trace *t);

/** Goes back to the first action of every rank and folds a generator's main loop: of iterations
 *  with the same messages one is read, and trace_weight() says how many it stands for.  For readers
 *  that count and do not simulate.  Other traces are only rewound. */
void trace_fold(struct trace *t);

/** Number of actions that the last action of @p rank stands for: 1 unless the trace is folded. */
uint64_t trace_weight(const struct trace *t, uint32_t rank);

/** The main loop of a generated trace; 0 iterations for others, see survey.h. */
struct trace_loop {
  uint64_t iterations;
  bool last_differs; /**< the last one has other actions than the others */
};

struct trace_loop trace_loop(const struct trace *t);

/** Where a rank's main loop is: numbers of actions that action_is_counted(). */
struct trace_cut {
  uint64_t first;  /**< actions before the loop */
  uint64_t length; /**< actions of an iteration, at least 1 */
};

/** Gives a trace without marks those of @p iterations iterations.  @p cut, by rank, becomes the
 *  trace's, which frees it.  To be called after trace_rewind(). */
void trace_cut(struct trace *t, struct trace_cut *cut, uint64_t iterations);

/** To be called when the last action of @p rank was the mark of an iteration: goes on with the mark
 *  of iteration @p to, a later one, or with the mark that follows the last (ACTION_MARK_END).  A
 *  generator leaves out what is between in O(1); files are read over.  All ranks must leave out the
 *  same iterations. */
enum status trace_skip(struct trace *t, uint32_t rank, uint64_t to, struct err *e);

#endif

/** @file trace.h
 *  A trace: a stream of actions for each rank, read on demand, so that memory does not grow with
 *  the length of the trace.  Its source is an index file, a merged file or a folder with an index,
 *  possibly compressed or archived (docs/formats.md), or the spec of a generator (generator.h).
 *  Further formats can be added (format.h).
 *
 *  Errors name FILE:LINE.  Reading fails at the first invalid line.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/action.h"

struct trace;

/** Opens @p path; the spec of a generator takes precedence over a file of that name.  Reads no
 *  actions yet, but unpacks archives and splits merged files into one unnamed temporary file (in
 *  TMPDIR) of at most @p unpack_limit bytes (usually SPOOL_LIMIT).  A compressed rank file is
 *  unpacked there on its first reading.  Free *out with trace_free(). */
enum status trace_open(struct trace **out, const char *path, uint64_t unpack_limit, struct err *e);

/** True if a format other than SMPI's, which is the format of all other paths, accepts @p path. */
bool trace_has_format(const char *path);

/** Accepts NULL. */
void trace_free(struct trace *t);

/** How to read a trace that was recorded on a machine and states times instead of flops. */
struct trace_settings {
  double speed; /**< flops of a second of recorded computation, > 0 */
  bool align;   /**< ranks start as in the recording, with clocks corrected so that no message is
                   received before it is sent; false: all ranks start at once */
};

/** Applies the settings and rewinds the trace.  No effect on traces that state flops. */
enum status trace_configure(struct trace *t, const struct trace_settings *s, struct err *e);

/** What a recorded trace lacks. */
struct trace_gap {
  char text[512]; /**< one sentence that names the trace; empty: nothing */
  bool whole;     /**< not even its messages can be counted */
};

/** The gap of the trace; NULL if the trace lacks nothing.  A trace with a gap can still be read. */
const struct trace_gap *trace_gap(const struct trace *t);

/** Memory traffic of the trace's computations in bytes per flop; 0 if the trace does not state
 *  it. */
double trace_per_flop(const struct trace *t);

/** The next sentence that a user should see, as "TRACE: ...": about the trace, or about the actions
 *  read so far.  Returns each sentence once, then NULL; valid until the next call. */
const char *trace_next_note(struct trace *t);

/** Number of ranks. */
uint32_t trace_ranks(const struct trace *t);

/** Number of ordered pairs (src, dst) with messages; 0 if not known without reading the trace. */
uint64_t trace_pairs(const struct trace *t);

/** The path or spec passed to trace_open(). */
const char *trace_name(const struct trace *t);

/** File number @p i of the trace; an index precedes the files that it names.  NULL past the last
 *  file; a generated trace has no files. */
const char *trace_input(const struct trace *t, size_t i);

/** Reads the next action of @p rank; NULL at the end of its stream.  The action and its counts stay
 *  valid until the next call for the same rank. *a is unchanged on failure. */
enum status trace_next(struct trace *t, uint32_t rank, const struct action **a, struct err *e);

/** File of the last action of @p rank; the spec if the trace is generated. */
const char *trace_file(const struct trace *t, uint32_t rank);

/** Line of the last action of @p rank, from 1; the number of the action if the trace is
 *  generated. */
uint64_t trace_line(const struct trace *t, uint32_t rank);

/** Rewinds every rank to its first action and undoes trace_single_iteration(). */
void trace_rewind(struct trace *t);

/** Rewinds every rank.  Of the iterations of a generated trace that have equal messages, only
 *  one is then read, and trace_weight() returns how many it stands for.  For readers that count
 *  actions instead of simulating them.  Other traces are only rewound. */
void trace_single_iteration(struct trace *t);

/** Number of actions that the last action of @p rank stands for: 1 unless only a single
 *  iteration is read. */
uint64_t trace_weight(const struct trace *t, uint32_t rank);

/** The main loop of a generated trace; 0 iterations for other traces, see survey.h. */
struct trace_loop {
  uint64_t iterations;
  bool last_differs; /**< the last iteration has other actions than the earlier ones */
  uint32_t trend;    /**< iterations differ, their sizes change smoothly, and each rank has the same
                        role again after this number of them; 0: no */
};

struct trace_loop trace_loop(const struct trace *t);

/** Position of a rank's main loop, in actions with action_is_counted().  Set the first two
 *  fields and zero the others, which are private to trace.c. */
struct trace_cut {
  uint64_t first;   /**< actions before the loop */
  uint64_t length;  /**< actions of an iteration, at least 1 */
  uint64_t counted; /**< number of counted actions so far */
  uint64_t marks;   /**< number of marks so far */
  struct action mark;
};

struct graph;

/** True if the ranks of the trace are graphs of operations (graph/graph.h), not sequences. */
bool trace_is_graph(const struct trace *t);

/** Reads the graph of @p rank. trace_is_graph() must be true.  The caller frees *out with
 *  graph_clear(). */
enum status trace_graph(struct trace *t, uint32_t rank, struct graph *out, struct err *e);

/** Sets trace_line() of @p rank to @p record, a node of its graph. */
void trace_at(struct trace *t, uint32_t rank, uint64_t record);

/** Fails, with the reason, for a trace that only has the messages that the ranks send: these can be
 *  counted, but not simulated. */
enum status trace_need_calls(const struct trace *t, struct err *e);

/** Fails for a trace of graphs, and if trace_need_calls() fails.  @p what names the use that needs
 *  sequences of calls, for the message. */
enum status trace_need_sequences(const struct trace *t, const char *what, struct err *e);

/** Adds marks of @p iterations iterations to a trace without marks.  The trace takes over @p cut,
 *  by rank, and frees it.  Call after trace_rewind(). */
void trace_cut(struct trace *t, struct trace_cut *cut, uint64_t iterations);

/** Call when the last action of @p rank was the mark of an iteration.  Skips to the mark of the
 *  later iteration @p to, or, if @p to is ACTION_MARK_END, to the mark after the last iteration.
 *  O(1) for a generated trace; the lines of files are read and dropped.  All ranks must skip the
 *  same iterations. */
enum status trace_skip(struct trace *t, uint32_t rank, uint64_t to, struct err *e);

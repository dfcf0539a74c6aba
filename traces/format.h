/** @file format.h
 *  Private to traces/: formats of traces.  A format is a source file that defines one struct
 *  trace_format, which trace.c lists.  Users of traces see trace.h only.
 *
 *  A trace in a format may be a file, a folder, an archive, or a spec without files.  The number of
 *  ranks is known once it is open.  It gives the actions of each rank in order, on demand, and
 *  holds a bounded number of actions in memory, however long the trace is.  A format that records
 *  messages instead of calls gives actions with counts of DATATYPE_BYTE.
 *
 *  Errors are reported with err_at(), which takes the file and the number of the record in it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/action.h"
#include "traces/trace.h"

/** The position of one rank. */
struct trace_rank {
  uint64_t record;           /**< see trace_line(); set by next(); 0 after rewind() */
  uint64_t weight;           /**< see trace_weight(); may be set by next(); 1 after rewind() */
  const struct action *held; /**< trace.c: read ahead; trace_next() returns it next; NULL: none */
};

/** An open trace.  The struct of each format begins with it.  open() sets ranks; and pairs, loop,
 *  gap, per_flop and no_calls_reason if they are known. */
struct trace {
  uint32_t ranks;              /**< at least 1 */
  uint64_t pairs;              /**< see trace_pairs() */
  const char *no_calls_reason; /**< why the trace cannot be simulated, see trace_need_calls(); NULL:
                                    it can */
  struct trace_loop loop;      /**< see trace_loop() */
  struct trace_gap gap;        /**< see trace_gap() */
  double per_flop;             /**< see trace_per_flop() */
  /* of trace.c: */
  const struct trace_format *format;
  char *name;              /**< the path or the spec; set before open() */
  struct trace_rank *rank; /**< NULL until open() has returned */
  struct trace_cut *cut;   /**< by rank; NULL unless marks are added */
  uint64_t iterations;     /**< number of marked iterations, if cut is set */
  size_t notes;            /**< number of notes that trace_next_note() has returned */
};

struct graph;

/** A format of traces. */
struct trace_format {
  const char *name;
  size_t bytes; /**< size of the struct of the format */
  /** True if @p path names a trace in this format.  May read the first bytes of a regular file, but
   *  not of a pipe. */
  bool (*sniff)(const char *path);
  /** Opens the trace t->name; the other fields of the format's struct are zero.  As trace_open(),
   *  with the limit in bytes.  After a failure, close() is called, too. */
  enum status (*open)(struct trace *t, uint64_t unpack_limit, struct err *e);
  /** Frees what open() made, but not the struct. */
  void (*close)(struct trace *t);
  /** As trace_next(); sets t->rank[rank].record. */
  enum status (*next)(struct trace *t, uint32_t rank, const struct action **a, struct err *e);
  /** Rewinds every rank, and undoes single_iteration(). */
  void (*rewind)(struct trace *t);
  /** As trace_file().  NULL: the name of the trace. */
  const char *(*file)(const struct trace *t, uint32_t rank);
  /** As trace_input().  NULL: the name of the trace is the only file. */
  const char *(*input)(const struct trace *t, size_t i);
  /** As trace_configure(), for a rewound trace.  NULL: the settings do not apply. */
  enum status (*configure)(struct trace *t, const struct trace_settings *s, struct err *e);
  /** Sentence number @p i of trace_next_note(); NULL past the last.  NULL: none. */
  const char *(*note)(struct trace *t, size_t i);
  /** As trace_skip(), in O(1).  NULL: actions are read and dropped. */
  void (*skip)(struct trace *t, uint32_t rank, uint64_t to);
  /** As trace_single_iteration(), for a rewound trace.  NULL: all iterations are read. */
  void (*single_iteration)(struct trace *t);
  /** As trace_graph(), for a format of dependency graphs (graph/graph_trace.h).  NULL: the format
   *  has sequences. */
  enum status (*graph)(struct trace *t, uint32_t rank, struct graph *out, struct err *e);
};

/** @file inputs.h
 *  Inputs of a command: a platform, a trace, and the traffic of the trace.  Traces are opened, and
 *  their traffic is counted, on first use and then kept; the workers of a campaign inherit both.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "common/registry.h"
#include "platforms/mapping/mapping.h"
#include "platforms/platform.h"
#include "traces/collectives/collective.h"
#include "traces/matrix/matrix.h"
#include "traces/matrix/phases.h"
#include "traces/program/program.h"
#include "traces/trace.h"

/** Options for reading traces. */
struct reading {
  struct collectives collectives;
  uint64_t unpack_limit;          /**< maximum size of the temporary files of one trace, in bytes */
  struct trace_settings recorded; /**< of traces with times */
  bool counts;                    /**< only messages are counted: see struct trace_gap */
  bool partial;                   /**< accept a trace with a gap */
  void (*note)(const char *text); /**< gets the notes of a trace that is opened; NULL: none */
};

/** SimGrid's default collectives; unpack_limit is SPOOL_LIMIT; a second is 1e9 flops. */
struct reading reading_defaults(void);

/** True for the name of an existing file or folder, and for "-", standard input. */
bool inputs_is_file(const char *text);

/** True if @p text has the form "NAME" or "NAME:..." (a-z and '-') and is not an existing file. */
bool inputs_looks_like_spec(const char *text);

/** Writes "TEXT: no such file; unknown WHAT 'NAME', ..." and returns FAIL. */
enum status inputs_unknown(const struct registry *r, const char *text, struct err *e);

/** Opens a platform file, or builds the platform of a spec with default parameters.  If @p cores is
 *  not 0, each host has @p cores cores; files and descriptions of clusters refuse that.  On
 *  success, free *out with platform_free(). */
enum status inputs_platform(struct platform **out, const char *text, uint32_t cores, struct err *e);

/** Like inputs_platform(), with parameters; files and descriptions of clusters also refuse a
 *  bandwidth and a latency.  If @p whole is not NULL, a file that refers to other files is refused,
 *  with @p whole as the reason. */
enum status inputs_platform_with(struct platform **out, const char *text,
                                 const struct platform_params *params, const char *whole,
                                 struct err *e);

/** A trace that is opened on first use.  Set `name` and `reading`, which must outlive it, and zero
 *  the other fields. */
struct input_trace {
  const char *name; /**< a file or a generator's spec */
  const struct reading *reading;
  struct trace *trace; /**< NULL: not open */
  struct matrix traffic;
  struct matrix placed;                /**< see input_trace_placed_traffic() */
  struct phases phases, placed_phases; /**< see input_trace_phases() */
  bool noted;                          /**< its notes were given */
  bool counted, phased;                /**< `traffic` is valid; `phases` is valid */
  bool asks_hosts;                     /**< the traffic depends on which ranks share a host */
};

/** Opens the trace unless it is open.  If the name looks like a misspelt spec, the error lists the
 *  generators.  *out is owned by @p t. */
enum status input_trace_open(struct input_trace *t, struct trace **out, struct err *e);

/** Traffic of the trace, collectives included; the first call reads the whole trace to count it.
 *  Without a mapping, the ranks are assumed to fill the hosts in order,
 *  reading->collectives.ranks_per_host on each.  *out is owned by @p t. */
enum status input_trace_traffic(struct input_trace *t, const struct matrix **out, struct err *e);

/** Traffic under mapping @p m: two-level collectives send other messages if other ranks share a
 *  host.  Counts the trace again only if it has two-level collectives.  *out stays valid until the
 *  next call. */
enum status input_trace_placed_traffic(struct input_trace *t, const struct mapping *m,
                                       const struct matrix **out, struct err *e);

/** Phases of the trace (setup/runs/phases.h) under mapping @p m; NULL: of ranks in order, as for
 *  input_trace_traffic().  Reads the whole trace on the first call, and on each call if the traffic
 *  depends on the mapping.  *out stays valid until the next call. */
enum status input_trace_phases(struct input_trace *t, const struct mapping *m,
                               const struct phases **out, struct err *e);

/** Rewinds the trace and starts a program on it; only one program may exist at a time.  @p m, the
 *  mapping, must outlive the program; NULL: the ranks are not placed yet.  Free *out
 *  with program_free(). */
enum status input_trace_program(struct input_trace *t, const struct mapping *m,
                                struct program **out, struct err *e);

/** Closes a trace that is read from files, which frees its temporary files, and keeps the counted
 *  traffic; the next use opens the trace again.  A generated trace stays open. */
void input_trace_close_files(struct input_trace *t);

/** Frees the trace and its traffic; the next use opens and counts again. */
void input_trace_clear(struct input_trace *t);

/** @file inputs.h
 *  What a command reads: a platform, a trace, the trace's traffic.  Each is opened, or counted, at
 *  most once a process, and a campaign's workers inherit it.
 */
#ifndef CAMPAIGN_INPUTS_H
#define CAMPAIGN_INPUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "common/names.h"
#include "platforms/platform.h"
#include "traces/collectives/collective.h"
#include "traces/matrix/matrix.h"
#include "traces/program.h"
#include "traces/trace.h"

/** How traces are read. */
struct reading {
  struct collectives collectives;
  uint64_t unpack_limit; /**< bytes of temporary files that a trace may take */
};

struct reading reading_defaults(void);

/** Is there a file or folder of this name? */
bool inputs_is_file(const char *text);

/** Of "NAME" or "NAME:...", which is no file: could it be meant as a spec? */
bool inputs_looks_like_spec(const char *text);

/** Writes "TEXT: no such file; unknown WHAT 'NAME', ..." and returns FAIL. */
enum status inputs_unknown(names_fn *names, const char *what, const char *text, struct err *e);

/** Opens a platform file or builds a spec's with the default parameters.  A file that names others
 *  is refused with the reason @p whole, unless that is NULL.  The caller's: platform_free(). */
enum status inputs_platform(struct platform **out, const char *text, const char *whole,
                            struct err *e);

/** A trace by its name; zeroed but for the name and the reading, which must outlive it.  Opens
 *  itself when it is first needed. */
struct input_trace {
  const char *name; /**< a file or a generator's spec */
  const struct reading *reading;
  struct trace *trace; /**< NULL: not open */
  struct matrix traffic;
  bool counted;
};

/** Opens it, if it is not open; of a name that was more likely meant as a spec the error names the
 *  generators.  *out stays the input's. */
enum status input_trace_open(struct input_trace *t, struct trace **out, struct err *e);

/** Its traffic, collectives included: counted by the first call.  *out stays the input's. */
enum status input_trace_traffic(struct input_trace *t, const struct matrix **out, struct err *e);

/** Its operations from the first one on; one program at a time.  The caller's: program_free(). */
enum status input_trace_program(struct input_trace *t, struct program **out, struct err *e);

/** Gives back the temporary files of a trace that is read from files, until it is needed again; the
 *  traffic stays. */
void input_trace_rest(struct input_trace *t);

/** Frees all that it has; it may be used again. */
void input_trace_clear(struct input_trace *t);

#endif

/** @file print.h
 *  Private to traces/: prints an action as a line of a trace, the reverse of parse.h. writer.h
 *  writes the files.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/action.h"

/** A growing string.  Empty if zeroed.  The caller frees text. */
struct action_text {
  char *text; /**< size characters and a NUL */
  size_t size, room;
};

/** The rank of a line, and the number of ranks of the trace. */
struct action_line {
  uint32_t rank, ranks;
};

/** Appends the line of @p a with a newline and all optional arguments. */
enum status action_print(struct action_text *t, struct action_line line, const struct action *a,
                         struct err *e);

/** True if smpirun's replay does not support @p a. */
bool action_is_extension(const struct action *a);

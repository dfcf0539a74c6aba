/** @file action_print.h
 *  From an action to its line of a trace, the reverse of action_parse.h.  Private to traces/:
 *  writer.h writes the files.
 */
#ifndef TRACES_FILES_PRINT_H
#define TRACES_FILES_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/action.h"

/** Text that grows; zeroed to begin with.  The owner frees text. */
struct action_text {
  char *text; /**< size characters and a NUL */
  size_t size, room;
};

/** Whose line is printed, in a trace of how many ranks. */
struct action_line {
  uint32_t rank, ranks;
};

/** Appends the line of @p a with its newline, every optional argument written out. */
enum status action_print(struct action_text *t, struct action_line line, const struct action *a,
                         struct err *e);

/** Does smpirun's replay lack @p a? */
bool action_is_extension(const struct action *a);

#endif

/** @file tool.h
 *  Runs another program, such as squeue, without a shell, and collects its output.
 */
#pragma once

#include <stdbool.h>

#include "common/err.h"
#include "common/files/memfile.h"
#include "common/process/child.h"

struct tool {
  struct memfile out;       /**< its standard output, rewound */
  int code;                 /**< its exit code; 128 and more: killed, or no answer in time */
  char message[CHILD_LINE]; /**< first line of its standard error, or the last one if the first is a
                            warning; "": none */
};

/** True if PATH has a program @p name. */
bool tool_exists(const char *name);

/** Runs the program @p argv[0], for at most @p seconds; @p argv ends with NULL.  Succeeds even if
 *  the program fails: check `code`.  On success, close t->out. */
enum status tool_run(struct tool *t, const char *const *argv, double seconds, struct err *e);

/** Replaces a child process by the program @p argv[0], with default signal handling; returns 127 if
 *  that fails. */
int tool_become(const char *const *argv);

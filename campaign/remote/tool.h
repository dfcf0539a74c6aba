/** @file tool.h
 *  Runs another program, such as squeue, and collects what it prints.  No shell: the words reach
 * the program as they are.
 */
#ifndef CAMPAIGN_REMOTE_TOOL_H
#define CAMPAIGN_REMOTE_TOOL_H

#include <stdbool.h>

#include "common/child.h"
#include "common/err.h"
#include "common/memfile.h"

struct tool {
  struct memfile out;    /**< its standard output, from the beginning */
  int code;              /**< its exit code; 128 and more: killed, or no answer in time */
  char says[CHILD_SAYS]; /**< its first line on standard error, but the last after a warning; "":
                            none */
};

/** Is there a program @p name in PATH? */
bool tool_exists(const char *name);

/** Runs the program @p argv[0], for at most @p seconds; @p argv ends with NULL.  A program that
 *  fails is no error: its code says so.  On success *t is the caller's: tool_clear(). */
enum status tool_run(struct tool *t, const char *const *argv, double seconds, struct err *e);

void tool_clear(struct tool *t);

/** Becomes the program @p argv[0] in a child process, with signals as usual; 127 if it cannot. */
int tool_become(const char *const *argv);

#endif

/** @file guard.h
 *  SimGrid prints errors on standard error and aborts the process.  Between simgrid_guard_begin()
 *  and simgrid_guard_end(), standard error goes to a file in memory, and an abort or crash ends the
 *  process with exit code 1, leaves no temporary file, and prints one line that quotes SimGrid's
 *  first line: "haichi: FILE: SimGrid stops: WORDS".
 */
#pragma once

#include "common/err.h"
#include "sim/simgrid/api.h"

/** @p file is the name of the platform in that line and must outlive the guard.  One guard at a
 *  time. */
enum status simgrid_guard_begin(const char *file, struct err *e);

/** Calls simgrid_init() and installs the signal handlers again: simgrid_init() replaces the handler
 *  of SIGINT.  A signal from outside that arrives meanwhile takes effect afterwards. */
void simgrid_guard_init(const struct simgrid_api *sg, int *argc, char **argv);

/** Restores standard error and the default actions of the signals. */
void simgrid_guard_end(void);

/** The reason in an error line of SimGrid, without the name of the exception. */
const char *simgrid_words(const char *line);

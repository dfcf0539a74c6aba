/** @file guard.h
 *  SimGrid prints errors on standard error and aborts the process.  Between simgrid_guard_begin()
 *  and simgrid_guard_end(), standard error goes to a file in memory, and an abort or crash ends the
 *  process with exit code 1, leaves no temporary file, and prints one line that quotes SimGrid's
 *  first line: "haichi: FILE: SimGrid stops: WORDS".
 */
#ifndef SIM_SIMGRID_GUARD_H
#define SIM_SIMGRID_GUARD_H

#include "common/err.h"

/** @p file is the name of the platform in that line and must outlive the guard.  One guard at a
 *  time. */
enum status simgrid_guard_begin(const char *file, struct err *e);

/** Installs the signal handlers again after simgrid_init(), which replaces some of them. */
void simgrid_guard_signals(void);

/** Restores standard error and the default actions of the signals. */
void simgrid_guard_end(void);

/** The reason in an error line of SimGrid, without the name of the exception. */
const char *simgrid_words(const char *line);

#endif

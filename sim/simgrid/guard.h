/** @file guard.h
 *  Protection against SimGrid inside this process, which prints on standard error and aborts on
 *  errors.  Between simgrid_guard_begin() and simgrid_guard_end() standard error goes to a file in
 *  memory, and an abort or crash ends the process with exit code 1, no temporary file left, and one
 *  line that quotes the first one printed: "haichi: FILE: SimGrid stops: WORDS".
 */
#ifndef SIM_SIMGRID_GUARD_H
#define SIM_SIMGRID_GUARD_H

#include "common/err.h"

/** @p file is the platform's name in that line and must outlive the guard.  One guard at a time. */
enum status simgrid_guard_begin(const char *file, struct err *e);

/** Installs the signal handlers again, after simgrid_init(), which replaces some. */
void simgrid_guard_signals(void);

/** Restores standard error and the default actions of the signals. */
void simgrid_guard_end(void);

/** The reason in a line that SimGrid prints for an error, without the name of the exception. */
const char *simgrid_words(const char *line);

#endif

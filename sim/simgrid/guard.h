/** @file simgrid_guard.h
 *  SimGrid inside this process: it prints what it likes on standard error, and aborts where
 *  something is wrong.  Between simgrid_guard_begin() and simgrid_guard_end() its words go into a
 *  file in memory, and an abort or a crash ends the process with one line that has the first of
 *  them, "haichi: FILE: SimGrid stops: WORDS", exit code 1, and no temporary file left.
 */
#ifndef SIM_SIMGRID_GUARD_H
#define SIM_SIMGRID_GUARD_H

#include "common/err.h"

/** @p file, the platform's, names it in that line; it must outlive the guard.  One at a time. */
enum status simgrid_guard_begin(const char *file, struct err *e);

/** To be called after simgrid_init(), which takes some signals for itself. */
void simgrid_guard_signals(void);

/** Standard error is as it was before. */
void simgrid_guard_end(void);

/** What SimGrid says of an error, without the words before it that say in which form. */
const char *simgrid_words(const char *line);

#endif

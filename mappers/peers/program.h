/** @file program.h
 *  Runs another program with a time limit and writes its standard output to a file.  When the
 *  program ends, all processes that it has started are killed.  When haichi ends, for any reason,
 *  the program and these processes are killed too.
 */
#pragma once

#include "common/err.h"

struct program_run {
  char *const *argv; /**< argv[0] is the program's path; NULL ends the list */
  int output;        /**< file descriptor for its standard output */
  double seconds;    /**< time limit */
};

/** Fails if the program cannot be started, exceeds the time limit, is killed by a signal, or has an
 *  exit code other than 0.  The error has the last line of its standard error. */
enum status program_run(const struct program_run *r, struct err *e);

/** @file program.h
 *  Runs another program with a time limit, its standard output in a file.  Whatever it has started
 *  ends with it, and all of it ends when haichi does, however that is.
 */
#ifndef MAPPERS_PEERS_PROGRAM_H
#define MAPPERS_PEERS_PROGRAM_H

#include "common/err.h"

struct program_run {
  char *const *argv; /**< argv[0] is its path; NULL ends the list */
  int output;        /**< descriptor of a file: its standard output */
  double seconds;    /**< time limit */
};

/** Fails if the program cannot be started, takes longer, is ended by a signal or exits with another
 *  code than 0; the error has the last line on its standard error. */
enum status program_run(const struct program_run *r, struct err *e);

#endif

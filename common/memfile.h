/** @file memfile.h
 *  A file in memory for what reads files only, as another program or SimGrid: it has a path, but no
 *  place in a folder, and nothing is left of it however the process ends.
 */
#ifndef COMMON_MEMFILE_H
#define COMMON_MEMFILE_H

#include <stdio.h>

#include "common/err.h"

struct memfile {
  const char *what; /**< as errors call it; the caller's */
  FILE *f;          /**< to write and to read; whoever opens the path sees what has been flushed */
  char path[40];    /**< for this process and its children, while it is open */
};

/** An empty one, to be ended by memfile_close(); errors call it @p what, the caller's. */
enum status memfile_open(struct memfile *m, const char *what, struct err *e);

/** Has what was written in the file, all of it. */
enum status memfile_flush(struct memfile *m, struct err *e);

/** Accepts a zeroed one, or one that was closed. */
void memfile_close(struct memfile *m);

#endif

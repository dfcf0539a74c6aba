/** @file memfile.h
 *  File in memory, for readers that need a path, such as SimGrid or another program.  It is in
 *  no folder, and nothing is left of it however the process ends.
 */
#ifndef COMMON_MEMFILE_H
#define COMMON_MEMFILE_H

#include <stdio.h>

#include "common/err.h"

struct memfile {
  const char *what; /**< its name in errors; the caller's */
  FILE *f;          /**< for writing and reading; readers of the path see what has been flushed */
  char path[40];    /**< valid in this process and its children while the file is open */
};

/** Creates an empty file; @p what, its name in errors, must outlive it.  The caller ends it with
 *  memfile_close(). */
enum status memfile_open(struct memfile *m, const char *what, struct err *e);

/** Flushes what was written, so that readers of the path see all of it. */
enum status memfile_flush(struct memfile *m, struct err *e);

/** Drops the file.  Accepts a zeroed or closed one. */
void memfile_close(struct memfile *m);

#endif

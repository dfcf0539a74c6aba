/** @file memfile.h
 *  File in memory, for readers that need a path, such as SimGrid or another program.  It is in no
 *  folder and disappears with the process, even after a crash.
 */
#pragma once

#include <stdio.h>

#include "common/err.h"

struct memfile {
  const char *what; /**< name in errors; borrowed from the caller */
  FILE *f;          /**< for writing and reading; readers of the path see only flushed data */
  char path[40];    /**< valid in this process and its children while the file is open */
};

/** Creates an empty file.  @p what, its name in errors, must outlive it.  The caller calls
 *  memfile_close(). */
enum status memfile_open(struct memfile *m, const char *what, struct err *e);

/** Flushes the file, so that readers of the path see all of it. */
enum status memfile_flush(struct memfile *m, struct err *e);

/** Closes and deletes the file.  Accepts a zeroed or closed struct. */
void memfile_close(struct memfile *m);

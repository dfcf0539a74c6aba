/** @file memfile.h
 *  Files in memory.  A memfile is for readers that need a path, such as SimGrid or another program:
 *  it is in no folder and disappears with the process, even after a crash.  A memtext becomes a
 *  string.
 */
#ifndef COMMON_FILES_MEMFILE_H
#define COMMON_FILES_MEMFILE_H

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

struct memtext {
  FILE *f; /**< for writing */
  /* private */
  char *text;
  size_t size;
};

/** Starts an empty text.  The caller calls memtext_close(). */
enum status memtext_open(struct memtext *m, struct err *e);

/** Ends the text and returns it; NULL with @p e filled on failure.  The caller frees it with
 *  free(). */
char *memtext_close(struct memtext *m, struct err *e);

#endif

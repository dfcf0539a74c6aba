/** @file outfile.h
 *  Output that is complete or absent: it goes to a temporary file beside the target, which
 *  replaces the target only once all of it is written.
 */
#ifndef COMMON_OUTFILE_H
#define COMMON_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "common/err.h"
#include "common/temp.h"

struct outfile {
  FILE *f;          /**< write here */
  char *path;       /**< NULL: standard output */
  struct temp temp; /**< its path is NULL if @p f is the target itself */
  bool durable;     /**< set by the caller: outfile_commit() waits until the file and its name
                         are on the disk, where a crash of the machine does not lose them */
};

/** Opens @p path: "-" or NULL is standard output; a device or pipe is written directly.  The caller
 *  ends it with outfile_commit() or outfile_abandon(). */
enum status outfile_open(struct outfile *o, const char *path, struct err *e);

/** Fails if outfile_open() would: a check before long work.  Pipes always pass. */
enum status outfile_check(const char *path, struct err *e);

/** Refuses an existing path that is not a regular file: a program's own files are never devices or
 *  pipes, which would make it wait.  A path where nothing exists passes. */
enum status outfile_check_plain(const char *path, struct err *e);

/** Makes a folder for output, with those above it; one that exists passes. */
enum status outfile_folder(const char *path, struct err *e);

/** Waits until a file that was written is on the disk. */
enum status outfile_sync(const char *path, struct err *e);

/** Flushes and puts the file in place.  On failure the target is untouched, except when only the
 *  sync of a durable file's folder fails.  Ends @p o. */
enum status outfile_commit(struct outfile *o, struct err *e);

/** Drops what was written.  Ends @p o; does nothing to an ended one. */
void outfile_abandon(struct outfile *o);

#endif

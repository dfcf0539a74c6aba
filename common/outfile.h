/** @file outfile.h
 *  Output that is complete or absent: text goes to a temporary file beside the target, which
 *  takes the target's place only when all of it has reached the disk's buffers.
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
  bool durable;     /**< for the caller to set: outfile_commit() waits until the file and its name
                         are on the disk, where a crash of the machine does not lose them */
};

/** "-" or NULL is standard output; a device or pipe is written directly. */
enum status outfile_open(struct outfile *o, const char *path, struct err *e);

/** Could outfile_open() open it?  For work that takes long before there is something to write. */
enum status outfile_check(const char *path, struct err *e);

/** Refuses a path where something stands that is no file: a program's own files are never pipes,
 *  which would make it wait, or devices.  Nothing may stand there. */
enum status outfile_check_plain(const char *path, struct err *e);

/** Waits until a file that was written is on the disk. */
enum status outfile_sync(const char *path, struct err *e);

/** Flushes and puts the file in place; on failure the target is untouched, unless all that failed
 * is to sync the folder of a durable one.  Ends @p o. */
enum status outfile_commit(struct outfile *o, struct err *e);

/** Drops what was written.  Ends @p o.  Does nothing to one that was ended. */
void outfile_abandon(struct outfile *o);

#endif

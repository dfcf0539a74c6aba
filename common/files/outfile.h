/** @file outfile.h
 *  Output that is complete or absent: it is written to a temporary file in the folder of the
 *  target, and the file replaces the target after the last write.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "common/err.h"
#include "common/files/temp.h"

struct outfile {
  FILE *f;          /**< write here */
  char *path;       /**< NULL: standard output */
  struct temp temp; /**< its path is NULL if `f` writes to the target directly */
  bool durable; /**< set by the caller: outfile_commit() waits until the file and its name are on
                   disk, so that a crash of the machine does not lose them */
};

/** Opens @p path; "-" or NULL is standard output.  Devices and pipes are written directly.  A
 *  symbolic link to a file stays, and its target is replaced; a link to a missing file is refused.
 *  Fails if the process has read the file (inputs.h).  The caller calls outfile_commit()
 *  or outfile_abandon(). */
enum status outfile_open(struct outfile *o, const char *path, struct err *e);

/** Calls outfile_open() unless @p path is NULL. */
enum status outfile_open_if(struct outfile *o, const char *path, struct err *e);

/** Fails if outfile_open() would fail, to report this before a long computation.  Pipes always
 *  pass. */
enum status outfile_check(const char *path, struct err *e);

/** Fails if two of @p n paths, which may be NULL, are the same regular file: one would replace the
 *  other. */
enum status outfile_check_distinct(const char *const *path, size_t n, struct err *e);

/** Refuses an existing path that is not a regular file: devices and pipes could block.  A path that
 *  does not exist passes. */
enum status outfile_check_plain(const char *path, struct err *e);

/** Creates a folder for output and its missing parents.  An existing folder passes; "-" is
 *  refused. */
enum status outfile_folder(const char *path, struct err *e);

/** As outfile_folder().  An existing folder passes only if it is empty, or if it has a file @p own,
 * a sign of an earlier output, which the new one replaces. */
enum status outfile_own_folder(const char *path, const char *own, struct err *e);

/** Waits until a written file is on disk. */
enum status outfile_sync(const char *path, struct err *e);

/** Flushes @p f.  Fails, with the reason, if this or an earlier write to it has failed; @p f may
 *  then have one more byte.  Errors call it @p name. */
enum status outfile_flush(FILE *f, const char *name, struct err *e);

/** Flushes the file and renames it to the target.  Fails if the process has read the target since
 *  outfile_open().  On failure the target is unchanged, unless only the sync of the folder of a
 *  durable file failed.  Ends @p o; does nothing if it has ended or was not opened (zeroed). */
enum status outfile_commit(struct outfile *o, struct err *e);

/** Commits the output if @p s, the status of its writer, is OK, and discards it if not.  Returns
 *  FAIL if the writer or the commit failed. */
enum status outfile_end(struct outfile *o, enum status s, struct err *e);

/** Discards the output.  Ends @p o; does nothing if it has already ended. */
void outfile_abandon(struct outfile *o);

/** Copies a text file of at most 16 MB to an output file. */
enum status outfile_copy(const char *from, const char *to, struct err *e);

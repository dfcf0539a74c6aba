/** @file temp.h
 *  Temporary files and folders.  Named ones stand beside what they will become, so that a rename
 *  puts them in place, and a signal that ends the process removes them (cleanup.h).  Unnamed ones
 *  have no name that could be left behind.
 */
#ifndef COMMON_TEMP_H
#define COMMON_TEMP_H

#include "common/cleanup.h"
#include "common/err.h"

struct temp {
  char *path; /**< "PATH.abcdef"; NULL: there is none */
  struct cleanup *cleanup;
};

/** Creates an empty file with the permissions of any new file; *fd is the caller's.  Errors name
 *  @p path.  To be ended by temp_commit() or temp_abandon(). */
enum status temp_file(struct temp *t, const char *path, int *fd, struct err *e);

/** The same for an empty folder. */
enum status temp_folder(struct temp *t, const char *path, struct err *e);

/** Gives it the name @p path; a file or an empty folder of that name is replaced.  On failure it is
 *  still temporary. */
enum status temp_commit(struct temp *t, const char *path, struct err *e);

/** Removes a file, or a folder with all in it.  Accepts a zeroed one, or one that has ended. */
void temp_abandon(struct temp *t);

/** A file to write and read without a name, in TMPDIR, else /tmp; *fd is the caller's. */
enum status temp_unnamed(int *fd, struct err *e);

/** The folder of unnamed files. */
const char *temp_dir(void);

#endif

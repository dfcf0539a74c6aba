/** @file temp.h
 *  Temporary files and folders.  Named ones are beside their target, so that a rename puts them
 *  in place, and a signal that ends the process removes them (cleanup.h).  Unnamed ones leave
 *  no name behind.
 */
#ifndef COMMON_TEMP_H
#define COMMON_TEMP_H

#include "common/cleanup.h"
#include "common/err.h"

struct temp {
  char *path; /**< "PATH.abcdef"; NULL: none */
  struct cleanup *cleanup;
};

/** Creates an empty file beside @p path with the permissions of any new file; *fd is the caller's.
 *  Errors name @p path.  The caller ends it with temp_commit() or temp_abandon(). */
enum status temp_file(struct temp *t, const char *path, int *fd, struct err *e);

/** The same for an empty folder. */
enum status temp_folder(struct temp *t, const char *path, struct err *e);

/** Renames it to @p path, and replaces a file or an empty folder of that name.  On failure it is
 *  still temporary. */
enum status temp_commit(struct temp *t, const char *path, struct err *e);

/** Removes it, a folder with its contents.  Accepts a zeroed or ended one. */
void temp_abandon(struct temp *t);

/** Creates a file without a name in temp_dir(), to write and read; *fd is the caller's. */
enum status temp_unnamed(int *fd, struct err *e);

/** The folder of unnamed files: TMPDIR, else /tmp. */
const char *temp_dir(void);

#endif

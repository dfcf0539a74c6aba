/** @file temp.h
 *  Temporary files and folders.  Named ones are created in the folder of their target, so that they
 *  can be renamed to it; a signal that ends the process removes them (cleanup.h).  Unnamed files
 *  disappear when they are closed.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/files/cleanup.h"

struct temp {
  char *path; /**< "PATH.abcdef"; NULL: none */
  struct cleanup *cleanup;
};

/** Creates an empty file in the folder of @p path, with the permissions of the umask.  The caller
 *  closes *fd and calls temp_commit() or temp_abandon().  Errors name @p path. */
enum status temp_file(struct temp *t, const char *path, int *fd, struct err *e);

/** Refuses "-", the name of standard output, as a folder. */
enum status temp_check_name(const char *path, struct err *e);

/** Fails if temp_commit() of a folder could not replace @p path: if it is "-", or exists and is not
 *  an empty folder. */
enum status temp_check_folder(const char *path, struct err *e);

/** Like temp_file(), for an empty folder. */
enum status temp_folder(struct temp *t, const char *path, struct err *e);

/** Renames the temporary file or folder to @p path, replacing a file or an empty folder of that
 *  name.  On failure it stays temporary. */
enum status temp_commit(struct temp *t, const char *path, struct err *e);

/** Removes the file, or the folder with its contents.  Accepts a zeroed or ended struct. */
void temp_abandon(struct temp *t);

/** Creates a file without a name in temp_dir(), for reading and writing.  The caller closes *fd. */
enum status temp_unnamed(int *fd, struct err *e);

/** Writes @p size bytes at offset @p at of a file of temp_unnamed().  Errors name its contents, @p
 *  what. */
enum status temp_write(int fd, uint64_t at, const void *data, size_t size, const char *what,
                       struct err *e);

/** Reads @p size bytes from offset @p at on, which must exist. */
enum status temp_read(int fd, uint64_t at, void *data, size_t size, const char *what,
                      struct err *e);

/** The folder for unnamed files: TMPDIR if set, or /tmp. */
const char *temp_dir(void);

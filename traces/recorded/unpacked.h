/** @file unpacked.h
 *  Private to traces/: finds the main file of a recorded trace that has several files.  The user
 *  names the main file, its folder, or an archive.  An archive is unpacked into a temporary folder.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "common/files/temp.h"
#include "traces/recorded/scratch.h"

/** How the main file of a format is recognised. */
struct unpacked_form {
  const char *what;                  /**< "trace in OTF2" */
  const char *ending;                /**< of the main file's name */
  const char *endings[4];            /**< of names that only this format has; the last is NULL */
  bool (*is_main)(const char *path); /**< true if the regular file @p path is a main file */
};

/** True if @p path is a main file, a folder that contains a main file, or an archive in which one
 *  of the first names has an ending of the format. */
bool unpacked_sniff(const struct unpacked_form *form, const char *path);

struct unpacked {
  char *main;                   /**< path of the main file; owned */
  struct temp temp;             /**< folder of an unpacked archive; zeroed for other traces */
  struct scratch_budget budget; /**< of --unpack-limit, with the bytes of the unpacked files */
};

/** Finds the main file, and unpacks an archive whose files have at most @p limit bytes in all.
 *  Fails if there is not exactly one main file.  Ignores files whose names begin with '.', such as
 *  the `._*' files of macOS.  Free with unpacked_clear(). */
enum status unpacked_open(struct unpacked *u, const struct unpacked_form *form, const char *path,
                          uint64_t limit, struct err *e);

/** The name in messages of @p file, the main file or a file beside it.  For a file of an archive:
 *  @p name, the name of the trace, then the path within the archive.  NULL if memory runs out; the
 *  caller frees the name. */
char *unpacked_name(const struct unpacked *u, const char *name, const char *file, struct err *e);

/** Removes the temporary folder, and zeroes *u.  Accepts a zeroed struct. */
void unpacked_clear(struct unpacked *u);

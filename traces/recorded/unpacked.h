/** @file unpacked.h
 *  Private to traces/: the files of a recorded trace, which consists of many: named by one of them,
 *  by their folder, or by an archive, which is unpacked into a temporary folder.
 */
#ifndef TRACES_RECORDED_UNPACKED_H
#define TRACES_RECORDED_UNPACKED_H

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

/** True if @p path is a main file, a folder or an archive with one. */
bool unpacked_sniff(const struct unpacked_form *form, const char *path);

struct unpacked {
  char *main;                   /**< path of the main file; owned */
  struct temp temp;             /**< of an archive */
  struct scratch_budget budget; /**< of --unpack-limit, with the bytes of the unpacked files */
};

/** Finds the main file, and unpacks an archive of at most @p limit bytes.  Fails if there is not
 *  exactly one main file.  Files named `._*', which archives from macOS have, are ignored.  Free
 * with unpacked_clear(). */
enum status unpacked_open(struct unpacked *u, const struct unpacked_form *form, const char *path,
                          uint64_t limit, struct err *e);

/** The name to show for @p file, which is the main file or beside it, in the trace @p name: without
 *  the temporary folder.  NULL if memory runs out; the caller frees it. */
char *unpacked_name(const struct unpacked *u, const char *name, const char *file, struct err *e);

/** Removes the temporary folder, and zeroes *u.  Accepts a zeroed struct. */
void unpacked_clear(struct unpacked *u);

#endif

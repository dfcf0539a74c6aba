/** @file members.h
 *  The files of an archive, unpacked into a spool and found by name.
 */
#ifndef TRACES_FILES_MEMBERS_H
#define TRACES_FILES_MEMBERS_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/files/spool.h"
#include "traces/files/unpack.h"

struct member {
  char *name;      /**< path in the archive, without empty, "." and ".." parts */
  uint32_t stream; /**< of the spool */
};

/** All files of an archive; zeroed: none. */
struct members {
  struct member *member; /**< sorted by name, no two alike; owned */
  size_t count, capacity;
};

/** Unpacks all files of @p u into @p s; @p archive names it in errors.  Refuses two files of one
 *  name.  The caller's: members_clear(). */
enum status members_load(struct members *m, struct unpack *u, const char *archive, struct spool *s,
                         struct err *e);

/** The file @p folder + @p name, the folder "" or ending in '/'; NULL if none, or out of memory.
 *  O(log files). */
const struct member *members_find(const struct members *m, const char *folder, const char *name);

/** The file to open first: the index.txt in the topmost folder, else the only file.  Refuses
 *  several index.txt at one depth, and several files without any. */
enum status members_top(const struct members *m, const struct member **top, const char *archive,
                        struct err *e);

/** Frees the names and zeroes @p m; the spool keeps its streams. */
void members_clear(struct members *m);

#endif

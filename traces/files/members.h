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
  char *name; /**< without "." and ".." */
  uint32_t stream;
};

/** Zeroed: none. */
struct members {
  struct member *member; /**< sorted by name, no two alike; owned */
  size_t count, capacity;
};

/** Unpacks all files of @p u, whose name is @p archive, into @p s. */
enum status members_load(struct members *m, struct unpack *u, const char *archive, struct spool *s,
                         struct err *e);

/** The file @p folder + @p name, the folder "" or ending in '/'; NULL if there is none or memory
 *  is short. */
const struct member *members_find(const struct members *m, const char *folder, const char *name);

/** Where the trace begins: the index.txt in the topmost folder, or else the only file. */
enum status members_top(const struct members *m, const struct member **top, const char *archive,
                        struct err *e);

void members_clear(struct members *m);

#endif

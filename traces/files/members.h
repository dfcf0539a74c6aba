/** @file members.h
 *  The files of an archive, unpacked into a spool and found by name.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/files/spool.h"
#include "traces/files/unpack.h"

struct member {
  char *name;      /**< path in the archive, without empty, "." and ".." parts */
  uint32_t stream; /**< number of its stream in the spool */
};

/** All files of an archive.  Empty if zeroed. */
struct members {
  struct member *member; /**< sorted by name, without duplicates; owned */
  size_t count, capacity;
};

/** Unpacks all files of @p u into @p s; errors name the @p archive.  Fails if two files have the
 *  same name.  Free with members_clear(). */
enum status members_load(struct members *m, struct unpack *u, const char *archive, struct spool *s,
                         struct err *e);

/** The file @p folder + @p name; folder is "" or ends in '/'.  NULL if there is none or memory runs
 *  out.  O(log files). */
const struct member *members_find(const struct members *m, const char *folder, const char *name);

/** Sets *top to the file to open first: the index.txt at the least folder depth, or the only file.
 *  Fails if several index.txt have this depth, or if there are several files and no index.txt. */
enum status members_top(const struct members *m, const struct member **top, const char *archive,
                        struct err *e);

/** Frees the names and zeroes @p m; the spool keeps its streams. */
void members_clear(struct members *m);

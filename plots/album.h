/** @file album.h
 *  Lists the pictures that a campaign has drawn, to report pictures that an earlier campaign left
 *  in the same folder.  These are never removed: they may belong to the user.
 */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "common/err.h"

/** Set `list` and zero the rest.  The caller frees it with album_clear(). */
struct album {
  FILE *list;  /**< stream for the paths of drawn pictures; owned by the caller */
  char **name; /**< file names of the drawn pictures without extension; owned */
  size_t count, room;
};

/** Adds a copy of @p name, a file name without extension. */
enum status album_add(struct album *a, const char *name, struct err *e);

/** Searches @p folder for files that are named like pictures of a campaign but are not in the
 *  album.  If there are any, prints their number and the alphabetically first one on @p f. */
enum status album_check(const struct album *a, const char *folder, FILE *f, struct err *e);

/** Accepts a zeroed album. */
void album_clear(struct album *a);

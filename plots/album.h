/** @file album.h
 *  List of the pictures that a campaign has drawn, to report those that an earlier campaign left in
 *  the same folder.  These are never removed: they may be the user's.
 */
#ifndef PLOTS_ALBUM_H
#define PLOTS_ALBUM_H

#include <stddef.h>
#include <stdio.h>

#include "common/err.h"

/** Set `list` and zero the rest; the caller's: album_clear(). */
struct album {
  FILE *list;  /**< stream for the paths of drawn pictures; the caller's */
  char **name; /**< file names of the drawn pictures without extension; owned */
  size_t count, room;
};

/** Adds a copy of @p name, a file name without extension. */
enum status album_add(struct album *a, const char *name, struct err *e);

/** Looks in @p folder for files that are named as a campaign names its pictures but are not in the
 *  album; prints on @p f how many there are, if any, and the alphabetically first. */
enum status album_check(const struct album *a, const char *folder, FILE *f, struct err *e);

/** Accepts a zeroed album. */
void album_clear(struct album *a);

#endif

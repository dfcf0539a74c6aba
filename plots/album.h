/** @file album.h
 *  The pictures that a campaign has made, to tell those of an earlier one in the same folder apart.
 *  Removes nothing: what looks like a picture of haichi may be the user's.
 */
#ifndef PLOTS_ALBUM_H
#define PLOTS_ALBUM_H

#include <stddef.h>
#include <stdio.h>

#include "common/err.h"

/** Zeroed but for `list`; ended by album_clear(). */
struct album {
  FILE *list;  /**< where the paths of pictures are printed; the caller's */
  char **name; /**< of those made, without ending */
  size_t count, room;
};

enum status album_add(struct album *a, const char *name, struct err *e);

/** Prints one sentence on @p f if @p folder has pictures of a campaign, by their names, that are
 *  not in the album: how many, and the first by name. */
enum status album_check(const struct album *a, const char *folder, FILE *f, struct err *e);

void album_clear(struct album *a);

#endif

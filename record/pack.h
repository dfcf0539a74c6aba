/** @file pack.h
 *  Compression of a file of out.h while it is written.  libzstd is loaded only if it is used.
 */
#pragma once

#include <stdbool.h>

#include "record/out.h"

/** Loads libzstd and creates PATH.zst.  Fails with errno. */
bool pack_open(struct out *o, const char *path);

/** Appends to PATH.zst the text of the window that it lacks.  Frees the space of the file before
 *  the window, except for the last 64 KiB.  A failure sets o->error. */
void pack(struct out *o);

/** Closes PATH.zst.  Does nothing without compression. */
void pack_close(struct out *o);

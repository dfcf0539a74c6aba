/** @file share.h
 *  Finds files that belong to the program, such as picture templates, in the source tree or in the
 *  installation.
 */
#pragma once

#include <limits.h>

#include "common/err.h"

/** Size of the buffer for a folder path, in bytes. */
enum { SHARE_ROOM = PATH_MAX + 64 };

/** Sets @p folder to the first of two places, relative to the folder of the program, that contains
 *  the readable file @p name. */
enum status share_find(char folder[SHARE_ROOM], const char *const place[2], const char *name,
                       struct err *e);

/** Finds the folder scripts/. */
enum status share_scripts(char folder[SHARE_ROOM], const char *name, struct err *e);

/** @file share.h
 *  The files that come with the program and that it reads as it runs, such as templates of
 *  pictures: scripts/ of the source tree or of the installation.
 */
#ifndef COMMON_SHARE_H
#define COMMON_SHARE_H

#include <limits.h>

#include "common/err.h"

/** Bytes of a folder's path. */
enum { SHARE_ROOM = PATH_MAX + 32 };

/** Finds the folder that has the file @p name: the first of ../share/haichi/scripts and
 *  ../../scripts, relative to the program. */
enum status share_scripts(char folder[SHARE_ROOM], const char *name, struct err *e);

#endif

/** @file share.h
 *  Finds the folder scripts/, with data files of the program such as picture templates, in the
 *  source tree or in the installation.
 */
#pragma once

#include <limits.h>

#include "common/err.h"

/** Size of the buffer for a folder path, in bytes. */
enum { SHARE_ROOM = PATH_MAX + 32 };

/** Finds the folder that contains the file @p name: the first match of ../share/haichi/scripts and
 *  ../../scripts, relative to the folder of the program. */
enum status share_scripts(char folder[SHARE_ROOM], const char *name, struct err *e);

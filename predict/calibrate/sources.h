/** @file sources.h
 *  The programs that measure a machine (scripts/calibrate/), and their Makefile.
 */
#pragma once

#include "common/err.h"

/** Copies the programs into the folder @p path, which is created if necessary; replaces files of
 *  the same names. */
enum status sources_write(const char *path, struct err *e);

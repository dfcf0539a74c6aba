/** @file sources.h
 *  The programs that measure a machine: a ping-pong and two kernels in MPI C, and how to run them.
 */
#pragma once

#include "common/err.h"

/** Writes them into the folder @p path, which is created if necessary; replaces files of the same
 *  names. */
enum status sources_write(const char *path, struct err *e);

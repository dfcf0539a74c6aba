/** @file dumpi_translate.h
 *  Private to traces/: reads the files of a DUMPI trace into a recording.
 */
#pragma once

#include "common/err.h"
#include "traces/recorded/recording.h"
#include "traces/recorded/unpacked.h"

/** Reads the rank files named by the .meta file, files->main, twice: first the communicators of all
 *  ranks, then all calls. */
enum status dumpi_translate(struct recording *r, const struct unpacked *files, struct err *e);

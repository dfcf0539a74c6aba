/** @file dumpi_translate.h
 *  Private to traces/: reads the files of a DUMPI trace into a recording.
 */
#ifndef TRACES_DUMPI_DUMPI_TRANSLATE_H
#define TRACES_DUMPI_DUMPI_TRANSLATE_H

#include "common/err.h"
#include "traces/recorded/recording.h"
#include "traces/recorded/unpacked.h"

/** Reads the files that files->main, the .meta file, names, one rank at a time, twice: first the
 *  communicators, then all calls. */
enum status dumpi_translate(struct recording *r, const struct unpacked *files, struct err *e);

#endif

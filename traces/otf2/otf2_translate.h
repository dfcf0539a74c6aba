/** @file otf2_translate.h
 *  Private to traces/: reads an OTF2 archive into a recording.
 */
#pragma once

#include "common/err.h"
#include "traces/recorded/recording.h"
#include "traces/recorded/unpacked.h"

/** Reads the archive with the anchor files->main, one location at a time.  Fails if haichi was
 * built without the library. */
enum status otf2_translate(struct recording *r, const struct unpacked *files, struct err *e);

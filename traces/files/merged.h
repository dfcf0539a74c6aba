/** @file merged.h
 *  Splits a merged file, in which each line begins with the rank that it is of, into one stream a
 *  rank.  Blank lines and comments are of no rank and go, but for those that say something
 *  (comment.h): they are of the rank whose line comes next.
 */
#ifndef TRACES_FILES_MERGED_H
#define TRACES_FILES_MERGED_H

#include <stdint.h>

#include "common/err.h"
#include "common/lines.h"
#include "traces/files/spool.h"

/** The streams, one a rank from *first on, hold "NUMBER LINE": source_numbered().  Ranks must be
 *  0..*ranks-1, each with a line. */
enum status merged_split(const struct lines_input *in, struct spool *s, uint32_t *first,
                         uint32_t *ranks, struct err *e);

#endif

/** @file stretches.h
 *  The stretches of a critical path (sim/explain/path.h) as a file.
 */
#pragma once

#include <stddef.h>

#include "cli/explain/tables.h"
#include "common/err.h"
#include "sim/explain/path.h"

/** From the last to the first; empty if zeroed.  The caller frees `at`. */
struct stretches {
  struct path_stretch *at;
  size_t count, room;
};

/** Adds a stretch to a struct stretches: path_options.stretch. */
enum status stretches_keep(void *data, const struct path_stretch *s, struct err *e);

/** Writes the stretches from date 0 on: as TSV, or, if the name ends in .csv, as a timeline for
 *  `haichi plot timeline`, whose states are causes; a stretch that is slowed for most of its length
 *  is contention. */
enum status stretches_write(const struct stretches *all, const struct tables *t, const char *path,
                            struct err *e);

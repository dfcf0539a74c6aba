/** @file stretches.h
 *  The stretches of a critical path (sim/explain/path.h) as a file.
 */
#pragma once

#include <stddef.h>

#include "cli/explain/tables.h"
#include "common/err.h"
#include "sim/explain/path.h"

/** Stretches of a path, from the last to the first.  A zeroed struct is empty.  The caller frees
 *  `at`. */
struct stretches {
  struct path_stretch *at;
  size_t count, room;
};

/** Adds a stretch to @p data, a struct stretches.  Callback for path_options.stretch. */
enum status stretches_keep(void *data, const struct path_stretch *s, struct err *e);

/** The cause of a stretch in a timeline.  If more than half of the stretch is slowed: contention
 *  for a transfer, a crowded host for all others. */
enum path_cause stretches_cause(const struct path_stretch *s);

/** Writes the stretches in the order of their dates, as TSV.  If @p path ends in .csv, writes a
 *  timeline for `haichi plot timeline`, whose states are the causes by stretches_cause(). */
enum status stretches_write(const struct stretches *all, const struct tables *t, const char *path,
                            struct err *e);

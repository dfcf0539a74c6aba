/** @file scenes.h
 *  An explained run as a timeline (sim/output/scene.h): ranks by job, the critical path, messages
 *  with their slowdown, and the use of the links with the most contention on the path.
 */
#pragma once

#include <stdio.h>

#include "cli/explain/stretches.h"
#include "cli/explain/tables.h"
#include "common/err.h"
#include "sim/explain/explained.h"
#include "sim/output/timeline.h"

/** Writes the timeline of a run with a chronicle.  Shows the use of t->most links, in 1,000
 *  intervals. */
enum status scenes_print(const struct explained *x, const struct stretches *all,
                         const struct tables *t, const struct timeline_format *format, FILE *f,
                         struct err *e);

/** Writes the use of t->most links over time for `haichi plot timeline`: 200 intervals, each in one
 *  of four steps.  First come the links with the most contention on the path, then, if the run has
 *  a chronicle, the links with the most bytes. */
enum status scenes_write_use(const struct explained *x, const struct tables *t, const char *path,
                             struct err *e);

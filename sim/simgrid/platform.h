/** @file platform.h
 *  Loading of a platform into SimGrid, at most once a process.
 */
#ifndef SIM_SIMGRID_PLATFORM_H
#define SIM_SIMGRID_PLATFORM_H

#include <limits.h>

#include "sim/engine.h"
#include "sim/simgrid/api.h"

/** Buffer size in bytes for simgrid_platform_folder(). */
#define SIMGRID_FOLDER_SIZE (PATH_MAX + 16)

/** Writes SimGrid's option that names the folder of @p p's own file, where the files that it names
 *  are, to @p text and returns @p text; NULL: none is needed, as SimGrid loads that file or @p p
 *  has none.  @p file: what SimGrid loads. */
char *simgrid_platform_folder(const struct platform *p, const char *file, char *text, size_t size);

/** Within a guard (guard.h): opens SimGrid, starts it with the model and precisions of @p c
 *  and loads its platform's file.
 *  @p full: SimGrid computes all rates again at every event, not only those that it thinks may
 *  change. */
enum status simgrid_platform_load(struct simgrid_api *sg, const struct engine_config *c, bool full,
                                  struct err *e);

#endif

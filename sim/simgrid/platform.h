/** @file platform.h
 *  Loads a platform into SimGrid, at most once per process.
 */
#pragma once

#include <limits.h>

#include "sim/engine.h"
#include "sim/simgrid/api.h"

/** Buffer size in bytes for simgrid_platform_folder(). */
#define SIMGRID_FOLDER_SIZE (PATH_MAX + 16)

/** Writes to @p text SimGrid's option for the folder of @p p's own file, where the files named in
 *  it are found, and returns @p text.  Returns NULL if the option is not needed, because SimGrid
 *  loads this file or @p p has none.  @p file is the file that SimGrid loads. */
char *simgrid_platform_folder(const struct platform *p, const char *file, char *text, size_t size);

/** Opens SimGrid, starts it with the model and precisions of @p c, and loads the platform's file.
 *  To be called within a guard (guard.h).  With @p full SimGrid recomputes all rates at every
 *  event, not only the rates that it expects to change. */
enum status simgrid_platform_load(struct simgrid_api *sg, const struct engine_config *c, bool full,
                                  struct err *e);

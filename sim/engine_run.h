/** @file engine_file.h
 *  The platform as a file, for engines that load it from one.
 */
#ifndef SIM_ENGINE_FILE_H
#define SIM_ENGINE_FILE_H

#include "common/files/memfile.h"
#include "sim/engine.h"

/** Sets platform_file and platform_name of @p c, whose platform and profiles are set.  The file is
 *  the platform's own.  The function writes one to @p memory, which is zeroed, if the engine loads
 *  a file and the platform has none, lacks speeds of the profiles, or has a cluster that is in no
 *  zone.  The caller calls memfile_close() after the run. */
enum status engine_file(struct engine_config *c, const struct engine *engine,
                        struct memfile *memory, struct err *e);

#endif

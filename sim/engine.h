/** @file engine.h
 *  What advances simulated time.  An engine starts and ends transfers, computations and timers, and
 *  knows of what drives it (driver.h) no more than that: nothing of MPI, mappers or files.  A new
 *  engine is one file and one row of the table in engine.c.
 */
#ifndef SIM_ENGINE_H
#define SIM_ENGINE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/err.h"
#include "platforms/platform.h"
#include "sim/driver.h"
#include "sim/model.h"

struct engine_config {
  const struct platform *platform;
  const char *platform_file; /**< the platform as SimGrid XML; NULL if the engine loads none and the
                                  platform was built from a spec */
  const char *platform_name; /**< for messages: the file, or "platform" */
  const struct sim_model *model;
  double precision_s;      /**< events closer than this merge: SimGrid's surf/precision */
  double maxmin_precision; /**< of SimGrid's solver: its maxmin/precision */
};

struct engine {
  const char *name;
  const char *help; /**< one line */
  bool loads_file;  /**< needs engine_config.platform_file of every platform */
  /** Runs @p d until all of its actors have ended or one says stop, which is no failure of the
   *  engine.  Once a process. */
  enum status (*run)(const struct engine_config *c, const struct driver *d, struct err *e);
};

/** Row @p i of the table, the default first; NULL past the last. */
const struct engine *engine_at(size_t i);

enum status engine_find(const char *name, const struct engine **out, struct err *e);

#endif

/** @file engine_run.h
 *  Runs drivers (driver.h) on an engine: with background load, and with the platform as a file for
 *  engines that load it from one.
 */
#pragma once

#include "common/err.h"
#include "sim/crew.h"
#include "sim/effects/effects.h"
#include "sim/engine.h"
#include "sim/load/load.h"

/** Input of a run; owned by the caller. */
struct engine_run {
  const struct platform *platform;
  const struct engine *engine;
  const struct sim_model *model;        /**< factors of the platform replace its own */
  double precision_s, maxmin_precision; /**< as in struct engine_config */
  struct loads *loads;                  /**< NULL: none */
  const struct effects *effects;        /**< NULL: none */
  uint64_t seed;                        /**< added to the seeds of the effects */
  struct causes *causes;                /**< this and the next: as in struct engine_config */
  struct coverage *coverage;
  const uint32_t *unlimited; /**< a link of the platform that limits no message; NULL:
                                  none */
};

/** Runs until all members that are not background have ended, or until a driver stops the run.  The
 *  loads start first, then the background members, then the others, each in the order of @p member.
 *  At most once per process unless the engine has runs_again. */
enum status engine_run(const struct engine_run *r, const struct crew_member *member, size_t members,
                       struct err *e);

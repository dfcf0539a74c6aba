/** @file engine.h
 *  Engines, which advance simulated time: they start and end the transfers, computations and timers
 *  of a driver (driver.h) and know nothing of MPI, mappers or files.  A new engine is one file and
 *  one row of the list in engine.c.
 */
#pragma once

#include <stdbool.h>

#include "common/err.h"
#include "common/registry.h"
#include "platforms/platform.h"
#include "platforms/profiles.h"
#include "sim/driver.h"
#include "sim/model.h"

struct causes;
struct coverage;
struct effects;

struct engine_config {
  const struct platform *platform;
  const char *platform_file; /**< the platform as SimGrid XML, with the speeds of @a profiles; NULL
                                  if the engine loads no file and the platform was built from a
                                  spec */
  const char *platform_name; /**< for messages: the file, or "platform" */
  const struct sim_model *model;
  const struct profiles *profiles; /**< profiles in addition to the platform's own; platform_file
                                      has only the profiles of speeds */
  double precision_s;            /**< events closer than this coincide: SimGrid's surf/precision */
  double maxmin_precision;       /**< SimGrid's maxmin/precision; flow does not use it */
  const struct effects *effects; /**< optional models (effects/effects.h); NULL: none */
  struct causes *causes;     /**< records the causes of events (flow/causes.h), with an engine that
                                  `records`; NULL: no */
  struct coverage *coverage; /**< counts each message when it starts (coverage.h); NULL: no */
};

struct engine {
  const char *name;
  const char *help;   /**< one line */
  bool loads_file;    /**< needs engine_config.platform_file for every platform */
  bool knows_effects; /**< applies engine_config.effects to messages and hosts */
  bool records;       /**< can fill engine_config.causes */
  bool runs_again;    /**< a process may run it several times; SimGrid cannot start twice */
  /** Runs @p d until all of its actors have ended, or until one takes STEP_STOP, which is not an
   *  error. */
  enum status (*run)(const struct engine_config *c, const struct driver *d, struct err *e);
};

/** Registry of struct engine. */
extern const struct registry engines;

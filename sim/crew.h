/** @file crew.h
 *  Combines several drivers into one: programs that share a platform, and background load, which
 *  ends with the last program.  Each member keeps its own numbers of actors.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/err.h"
#include "sim/driver.h"

struct crew_member {
  struct driver driver;
  bool background; /**< the run does not wait for it */
  /** Called once, within a step, when the run is about to end; may be NULL. */
  void (*finish)(void *state);
};

struct crew;

/** Copies the members.  Actors are numbered, and start, in the order of @p member.  The caller
 *  frees *out with crew_free(). */
enum status crew_new(struct crew **out, const struct crew_member *member, size_t members,
                     struct err *e);

/** Accepts NULL. */
void crew_free(struct crew *c);

/** The crew as a driver, which must not outlive it. */
struct driver crew_driver(struct crew *c);

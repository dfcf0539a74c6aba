/** @file crew.h
 *  Several drivers as one: programs that share a platform, and background load, which ends with the
 *  last program.  The actors of a member keep their numbers towards it.
 */
#ifndef SIM_CREW_H
#define SIM_CREW_H

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

/** Members are copied; their actors come in this order, which is the order in which they start.  On
 *  success *out is the caller's: crew_free(). */
enum status crew_new(struct crew **out, const struct crew_member *member, size_t members,
                     struct err *e);

/** Accepts NULL. */
void crew_free(struct crew *c);

/** The crew as a driver, which must not outlive it. */
struct driver crew_driver(struct crew *c);

#endif

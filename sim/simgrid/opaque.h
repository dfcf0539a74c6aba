/** @file opaque.h
 *  SimGrid as the router of an opaque platform.  A child process with limits of time
 *  and memory loads the platform, sends its hosts, and answers for one pair of hosts at a time; an
 *  abort of SimGrid becomes an error of one sentence.  The child ends with its parent.
 */
#ifndef SIM_SIMGRID_OPAQUE_H
#define SIM_SIMGRID_OPAQUE_H

#include "common/err.h"
#include "platforms/platform.h"

/** Gives @p p (opaque, from a file) its hosts, numbers within names in numeric order, and its
 *  router.  Refuses a platform that SimGrid refuses, has no hosts, or takes more than two minutes
 *  or three quarters of the memory to load. */
enum status opaque_open(struct platform *p, struct err *e);

#endif

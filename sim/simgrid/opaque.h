/** @file opaque.h
 *  SimGrid as the router of an opaque platform.  A child process with limits of time and memory
 *  loads the platform, sends its hosts, and answers queries for one pair of hosts at a time.  An
 *  abort of SimGrid becomes a one-line error.  The child ends with its parent.
 */
#pragma once

#include "common/err.h"
#include "platforms/platform.h"

/** Sets the hosts and the router of @p p (opaque, from a file).  Hosts are sorted by name, with
 *  numbers in names in numeric order.  Fails if SimGrid refuses the platform, if it has no hosts,
 *  or if loading takes more than two minutes or three quarters of the memory. */
enum status opaque_open(struct platform *p, struct err *e);

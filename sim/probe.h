/** @file probe.h
 *  Loads a foreign platform in a child process, so that SimGrid's abort on an error in it becomes
 *  one sentence here, and learns the names of its hosts.
 */
#ifndef SIM_PROBE_H
#define SIM_PROBE_H

#include "common/err.h"
#include "platforms/platform.h"

/** Gives @p p (foreign, from a file) its hosts, numbers within names in numeric order. */
enum status sim_probe_platform(struct platform *p, struct err *e);

#endif

/** @file haichi.h
 *  All of libhaichi: placement of the ranks of parallel programs, and simulation of the result.
 */
#ifndef HAICHI_HAICHI_H
#define HAICHI_HAICHI_H

#include <haichi/error.h>
#include <haichi/mapper.h>
#include <haichi/mapping.h>
#include <haichi/metrics.h>
#include <haichi/platform.h>
#include <haichi/simulation.h>
#include <haichi/trace.h>
#include <haichi/traffic.h>

/** Version of the library, such as "0.2.0". */
HAICHI_PUBLIC const char *haichi_version(void);

#endif

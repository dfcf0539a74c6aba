/** @file link_loads.h
 *  The tables of `haichi sim --links`: the bytes that crossed each link of a platform.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "platforms/platform.h"
#include "plots/plot.h"

/** Maximum number of tables in a picture. */
#define LINK_LOADS_MOST 8

/** Zeroed: no tables. */
struct link_loads {
  const struct platform *platform; /**< not opaque */
  size_t files;
  uint64_t *bytes[LINK_LOADS_MOST]; /**< by link id of the platform; owned */
  uint64_t max;                     /**< maximum of all entries in bytes */
};

/** True if the tables list the link: false for loopbacks. */
bool link_loads_has(const struct platform *p, uint32_t link);

/** Reads the inputs of @p p, which must list the links in the order of p->platform.  The caller
 *  calls link_loads_clear(), also after a failure. */
enum status link_loads_read(struct link_loads *l, const struct plot *p, struct err *e);

void link_loads_clear(struct link_loads *l);

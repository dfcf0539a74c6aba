/** @file names.h
 *  Names that replace the host names of a platform, such as the names that a machine gives its
 *  nodes.  SimGrid keeps the names of the platform file.  For platforms/ only.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/containers/index.h"
#include "common/err.h"
#include "platforms/mapping/hostlist.h"

/** Zeroed: no names. */
struct host_names {
  struct hostlist list; /**< by host */
  struct index index;   /**< of the list */
};

/** Reads @p hosts names, all different, from the host list @p text (hostlist.h), or from the lines
 *  of a file if @p text is "@FILE".  Each line of the file is a host list; '#' begins a comment.
 *  The caller calls host_names_clear(). */
enum status host_names_read(struct host_names *out, const char *text, uint32_t hosts,
                            struct err *e);

/** Finds a host by name. */
bool host_names_find(const struct host_names *n, const char *name, uint32_t *host);

/** Accepts a zeroed struct. */
void host_names_clear(struct host_names *n);

/** @file format.h
 *  A format of task networks.  Each format is one file that defines one row.  For files/ only.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "tasks/files/files.h"

/** A file in memory. */
struct tasknet_text {
  const char *path;
  char *bytes;   /**< followed by a NUL; readers may change the bytes */
  size_t length; /**< in bytes, none of which is NUL */
};

struct tasknet_format {
  const char *name; /**< such as "xml" */
  const char *help; /**< one line of help */
  /** True if the file has this format.  @p begin is its first byte after white space. */
  bool (*is)(const char *begin);
  /** Builds the network but does not seal it.  @p n is empty except for the file name.  Errors name
   *  file and line. */
  enum status (*read)(struct tasknet *n, struct tasknet_text *text, struct err *e);
};

/** True if @p name is the name of the first element in the XML text at @p begin. */
bool tasknet_root_is(const char *begin, const char *name);

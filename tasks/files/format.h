/** @file format.h
 *  A format of task networks: one file that defines one row.  For files/ only.
 */
#ifndef TASKS_FILES_FORMAT_H
#define TASKS_FILES_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "tasks/files/files.h"

/** A file in memory. */
struct tasknet_text {
  const char *path;
  char *bytes;   /**< with a NUL behind them; readers may change them */
  size_t length; /**< no NUL is among them */
};

struct tasknet_format {
  const char *name; /**< "xml" */
  const char *help; /**< one line */
  /** Is it of this format?  @p begin: its first byte that is not white space. */
  bool (*is)(const char *begin);
  /** Builds the network, which is empty but for its file's name; it is not sealed.  Errors have
   * file and line. */
  enum status (*read)(struct tasknet *n, struct tasknet_text *text, struct err *e);
};

/** Does the first element of an XML text that begins there have this name? */
bool tasknet_root_is(const char *begin, const char *name);

#endif

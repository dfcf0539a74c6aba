/** @file comment.h
 *  Comment lines that say something: `# haichi: KEY VALUE...`, which smpirun skips.  Any other
 *  comment, and any other KEY, says nothing.  Private to traces/.
 */
#ifndef TRACES_COMMENT_H
#define TRACES_COMMENT_H

#include <stdbool.h>

#include "common/err.h"
#include "traces/action.h"

/** Reads a line from its `#` on.  *skip: it has no effect, and @p a is of no use. */
enum status comment_parse(const char *text, struct action *a, bool *skip, struct err *e);

#endif

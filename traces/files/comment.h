/** @file comment.h
 *  Comment lines that say something: `# haichi: KEY VALUE...`, which smpirun skips
 *  (docs/formats.md).  Any other comment says nothing; another KEY is refused, since it may change
 *  what the actions mean.  Private to traces/: trace.c reads the lines and adds FILE:LINE to what
 *  is refused here.
 */
#ifndef TRACES_FILES_COMMENT_H
#define TRACES_FILES_COMMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "common/err.h"
#include "traces/files/parse.h"

/** A comment from its `#` on: text[length] is ours too. */
struct comment {
  char *text;
  size_t length;
  struct action_words *words; /**< to cut it into */
};

/** Does it say something? */
bool comment_speaks(const char *text, size_t length);

/** Reads a comment.  *skip: it says nothing, or something about the next action, and @p a is of no
 *  use. */
enum status comment_parse(struct action_reader *r, const struct comment *c, struct action *a,
                          bool *skip, struct err *e);

/** Applies to @p a, just read, what a comment said of the next action. */
enum status comment_apply(struct action_reader *r, struct action *a, struct err *e);

/** At the end of the stream: refuses a comment about an action that does not come. */
enum status comment_finish(const struct action_reader *r, struct err *e);

#endif

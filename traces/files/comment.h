/** @file comment.h
 *  Private to traces/: comment lines with a meaning, `# haichi: KEY VALUE...`, which smpirun skips
 *  (docs/formats.md).  All other comments are ignored.  An unknown KEY is an error, since it may
 *  change the meaning of actions.  Errors have no FILE:LINE: smpi.c adds it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/err.h"
#include "traces/files/parse.h"

/** A comment, starting at its `#`; text[length] may be overwritten. */
struct comment {
  char *text;
  size_t length;
  struct action_words *words; /**< scratch for its words */
};

/** True if the comment is a `# haichi:` line. */
bool comment_has_key(const char *text, size_t length);

/** Parses a comment. *a is its action, valid until the reader's next line, or NULL if the comment
 *  is ignored or applies to the next action. */
enum status comment_parse(struct action_reader *r, const struct comment *c, const struct action **a,
                          struct err *e);

/** Applies pending comments to r->action, which has just been read. */
enum status comment_apply(struct action_reader *r, struct err *e);

/** Call at the end of the stream: fails if a comment still waits for its action. */
enum status comment_finish(const struct action_reader *r, struct err *e);

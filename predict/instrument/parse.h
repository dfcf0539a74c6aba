/** @file parse.h
 *  Parses C sources with libclang into one tree.  What system headers define is left out.
 */
#ifndef PREDICT_INSTRUMENT_PARSE_H
#define PREDICT_INSTRUMENT_PARSE_H

#include "common/err.h"
#include "predict/instrument/messages.h"
#include "predict/instrument/tree.h"

struct parse_job {
  const char *const *source; /**< paths of C files */
  size_t sources;
  const char *const *argument; /**< of the compiler: "-DN=3", "-I", "include" */
  size_t arguments;
};

/** Fills an empty tree; on failure it may hold a part: tree_clear() in any case.  The compiler's
 *  errors, if any, are in @p said, one each; then @p e counts them. */
enum status parse_sources(struct tree *t, const struct parse_job *job, struct messages *said,
                          struct err *e);

#endif

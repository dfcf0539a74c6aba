/** @file parse.h
 *  Parses C sources with libclang into one tree, without the definitions in system headers.
 */
#pragma once

#include "common/err.h"
#include "predict/instrument/source/messages.h"
#include "predict/instrument/source/tree.h"

struct parse_job {
  const char *const *source; /**< paths of C files */
  size_t sources;
  const char *const *argument; /**< arguments of the compiler: "-DN=3", "-I", "include" */
  size_t arguments;
  size_t mpi_arguments; /**< the last ones, which give the folder of mpi.h */
};

/** Fills an empty tree.  After a failure it may be incomplete; the caller calls tree_clear() in any
 *  case.  Compiler errors are added to @p said; @p e then gives their number. */
enum status parse_sources(struct tree *t, const struct parse_job *job, struct messages *said,
                          struct err *e);

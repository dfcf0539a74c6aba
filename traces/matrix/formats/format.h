/** @file format.h
 *  Private to traces/matrix/: a format of traffic matrices.  Each format is one file that defines
 *  one row, which load.c lists.
 */
#pragma once

#include <stdbool.h>

#include "common/err.h"
#include "traces/matrix/formats/file.h"
#include "traces/matrix/formats/head.h"

/** How well the beginning of a file fits a format. */
enum matrix_match {
  MATRIX_NO,
  MATRIX_MAYBE, /**< fits, but may also be in another format */
  MATRIX_YES    /**< fits: load.c chooses the first such format of its table */
};

struct matrix_format {
  const char *name; /**< such as "metis" */
  const char *help; /**< one line of help */
  bool bytes;       /**< the format says that its numbers are bytes: it takes no --matrix-unit */
  enum matrix_match (*sniff)(const struct matrix_head *head);
  /** Reads the file from its first line and adds its entries. */
  enum status (*read)(struct matrix_file *f, struct err *e);
};

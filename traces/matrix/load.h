/** @file load.h
 *  Reads traffic matrices from files: haichi's TSV, and formats of other tools for matrices, graphs
 *  and profiles (docs/matrices.md).  Each format is one file in formats/ and one row of the list in
 *  load.c.  Files may be compressed.
 *
 *  Rows of a square matrix are sources, columns are destinations.  An undirected edge is traffic in
 *  both directions.  In formats without numbers of messages, each entry above 0 is one message.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/err.h"
#include "common/registry.h"
#include "traces/matrix/matrix.h"

/** Maximum number of ranks of a file. */
#define MATRIX_RANKS_MAX (1u << 20)

struct matrix_format;

/** The formats that can be read.  Rows are struct matrix_format. */
extern const struct registry matrix_formats;

/** One line of help about format @p i of the registry. */
const char *matrix_format_help(size_t i);

/** How to read a file.  Zeroed: the defaults. */
struct matrix_reading {
  const struct matrix_format *format; /**< NULL: detected from the beginning of the file */
  double unit; /**< bytes, or bytes per second, that the number 1 in the file stands for; 0: 1 */
  bool rate;   /**< the unit is per second: fractions are rounded to bytes per second */
};

/** Sets unit and rate from "kB", "64KiB", "Bps" or "10Mbps" (common/num.h). */
enum status matrix_reading_unit(struct matrix_reading *r, const char *text, struct err *e);

/** Reads a file, or standard input if @p path is "-"; @p how NULL: the defaults.  m->ranks is the
 *  size of the matrix or graph, or the largest rank of a list + 1.  Refuses negative numbers,
 *  fractions of a byte, rates of which rounding changes 1 % or more, sums of messages or bytes of
 *  2^63 or more, and files that fit no format or several.  *m is unchanged on failure.  Free with
 *  matrix_clear().  O(n log n) for n entries. */
enum status matrix_load(struct matrix *m, const char *path, const struct matrix_reading *how,
                        struct err *e);

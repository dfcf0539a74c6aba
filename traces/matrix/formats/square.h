/** @file square.h
 *  Private to traces/matrix/: a square matrix that is read row by row.  The first row determines
 *  its size.
 */
#pragma once

#include <stdint.h>

#include "traces/matrix/formats/file.h"

/** Zeroed: before the first row. */
struct matrix_square {
  uint32_t n;      /**< numbers of the first row, once it has ended */
  uint32_t rows;   /**< rows that have ended */
  uint32_t column; /**< numbers of the current row so far */
};

/** Adds the next number of the current row; refuses more numbers or rows than the first row has
 *  numbers. */
enum status matrix_square_cell(struct matrix_square *s, struct matrix_file *f, const char *word,
                               struct err *e);

/** Ends a row; refuses one with fewer numbers than the first. */
enum status matrix_square_end_row(struct matrix_square *s, struct matrix_file *f, struct err *e);

/** Ends the matrix: refuses fewer rows than numbers in a row. */
enum status matrix_square_end(const struct matrix_square *s, const struct matrix_file *f,
                              struct err *e);

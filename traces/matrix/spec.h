/** @file spec.h
 *  Traffic matrices generated from a spec, for sizes at which files are impractical.
 *
 *  "dense:N" (at least 2 ranks, at most MATRIX_PAIRS_MAX pairs): one message for each ordered pair
 *  of ranks, of random size, uniform in 1..2^20 bytes.  "grid:AxBxC" (1 to 8 sides, 2 to 2^20
 *  ranks): one message of 65,536 bytes from each rank to each neighbour on a mesh of these sides,
 *  on which the ranks are placed at random.  Both take ":seed=S", 1 by default.
 */
#pragma once

#include <stdbool.h>

#include "common/err.h"
#include "traces/matrix/load.h"
#include "traces/matrix/matrix.h"

/** True if @p text names a generated matrix, not a file. */
bool matrix_spec_is(const char *text);

/** Makes the matrix of a spec.  Free with matrix_clear().  O(entries); 4 bytes per entry if dense,
 *  24 if not. */
enum status matrix_spec_make(struct matrix *m, const char *spec, struct err *e);

/** If @p text is a spec, makes its matrix; fails if @p how is neither NULL nor zeroed.  Otherwise
 *  calls matrix_load().  Free with matrix_clear(). */
enum status matrix_spec_open(struct matrix *m, const char *text, const struct matrix_reading *how,
                             struct err *e);

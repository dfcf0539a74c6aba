/** @file spec.h
 *  Traffic matrices made from a specification string, for sizes at which files are impractical.
 *
 *  Specs: "dense:N" (2 ranks or more, at most MATRIX_PAIRS_MAX pairs): one message from each rank
 *  to each other, of random size, uniform in 1..2^20 bytes.  "grid:AxBxC" (1 to 8 sides, 2 to 2^20
 *  ranks): one message of 65,536 bytes from each rank to each neighbour on a mesh of these sides,
 *  on which the ranks are placed at random.  Both take ":seed=S", 1 by default.
 */
#ifndef TRACES_MATRIX_SPEC_H
#define TRACES_MATRIX_SPEC_H

#include <stdbool.h>

#include "common/err.h"
#include "traces/matrix/matrix.h"

/** Does @p text name a generated matrix rather than a file? */
bool matrix_spec_is(const char *text);

/** Makes the matrix of a spec.  The caller's: matrix_clear().  O(entries), 4 bytes each of
 *  dense ones, else 24. */
enum status matrix_spec_make(struct matrix *m, const char *spec, struct err *e);

/** Makes the matrix if @p text is a spec, else loads the file of that name. */
enum status matrix_spec_open(struct matrix *m, const char *text, struct err *e);

#endif

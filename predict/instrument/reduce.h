/** @file reduce.h
 *  Removes the text that a slice does not keep: statements become ';', initialisers are removed,
 *  calls of MPI become MPI_SUCCESS.
 */
#pragma once

#include "predict/instrument/comm.h"
#include "predict/instrument/slice.h"
#include "predict/instrument/source/edits.h"
#include "predict/instrument/source/tree.h"

/** Adds the edits. */
enum status reduce_text(const struct tree *t, const struct slice *s, struct edits *out,
                        struct err *e);

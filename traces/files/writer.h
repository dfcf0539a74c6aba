/** @file writer.h
 *  Writes a trace in SMPI's time-independent format, which `smpirun -replay` reads: a folder with
 *  index.txt and ranks/rank-NNNN.txt.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/action.h"

struct writer;

/** Begins a trace of @p ranks ranks in the folder @p dir, which must be missing or empty.  Writes
 *  into a temporary folder, which writer_commit() renames to @p dir.  Free with writer_commit() or
 *  writer_abandon(). */
enum status writer_new(struct writer **out, const char *dir, uint32_t ranks, struct err *e);

/** Appends @p a to the stream of @p rank.  An action that smpirun's replay does not support (any
 *  source, any tag, send modes, waitAny) is written as by SMPI's tracer, and a `#` line at the top
 *  of the rank's file announces it. */
enum status writer_put(struct writer *w, uint32_t rank, const struct action *a, struct err *e);

/** True if writer_put() got an action that smpirun's replay does not support. */
bool writer_is_extended(const struct writer *w);

/** Completes the folder.  Frees @p w, also on failure. */
enum status writer_commit(struct writer *w, struct err *e);

/** Removes the files written so far and frees @p w.  Accepts NULL. */
void writer_abandon(struct writer *w);

/** @file writer.h
 *  Writes a trace in SMPI's time-independent format, which `smpirun -replay` reads: a folder
 *  with index.txt and ranks/rank-NNNN.txt.
 */
#ifndef TRACES_FILES_WRITER_H
#define TRACES_FILES_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/action.h"

struct writer;

/** Begins the folder @p dir (which must not exist, or be empty) for @p ranks ranks.  Nothing is
 *  visible under that name before writer_commit(), which or writer_abandon() ends the writer. */
enum status writer_new(struct writer **out, const char *dir, uint32_t ranks, struct err *e);

/** Appends @p a to the stream of @p rank.  An action that smpirun's replay lacks (any source, any
 *  tag, send modes, waitAny) is written as SMPI's tracer writes it, and announced by a `#` line at
 *  the top of the rank's file. */
enum status writer_put(struct writer *w, uint32_t rank, const struct action *a, struct err *e);

/** Has an action been put that smpirun's replay lacks? */
bool writer_is_extended(const struct writer *w);

/** Completes the folder; frees @p w whatever the outcome. */
enum status writer_commit(struct writer *w, struct err *e);

/** Removes what was written; frees @p w.  Accepts NULL. */
void writer_abandon(struct writer *w);

#endif

/** @file generated.h
 *  The streams of a generator's ranks, one action at a time, as trace.h reads them from files.
 *  Holds one block a rank; private to traces/.
 */
#ifndef TRACES_GENERATORS_GENERATED_H
#define TRACES_GENERATORS_GENERATED_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/action.h"

struct generated;

/** Opens @p spec, see generator.h.  The caller's: generated_free(). */
enum status generated_open(struct generated **out, const char *spec, struct err *e);

/** Accepts NULL. */
void generated_free(struct generated *g);

uint32_t generated_ranks(const struct generated *g);

/** As trace_pairs(). */
uint64_t generated_pairs(const struct generated *g);

/** As trace_next(). */
enum status generated_next(struct generated *g, uint32_t rank, struct action *a, bool *more,
                           struct err *e);

/** Number of actions of @p rank handed out, marks too. */
uint64_t generated_line(const struct generated *g, uint32_t rank);

/** Back to the first action of every rank, and unfolded. */
void generated_rewind(struct generated *g);

/** As trace_fold(). */
void generated_fold(struct generated *g);

/** As trace_weight(). */
uint64_t generated_weight(const struct generated *g, uint32_t rank);

#endif

/** @file generated.h
 *  Private to traces/: gives the actions of a generator's ranks one by one, for trace.h.  Holds one
 *  block for each rank in memory.
 */
#ifndef TRACES_GENERATORS_GENERATED_H
#define TRACES_GENERATORS_GENERATED_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/action.h"
#include "traces/trace.h"

struct generated;

/** Opens @p spec, see generator.h.  Free with generated_free(). */
enum status generated_open(struct generated **out, const char *spec, struct err *e);

/** Accepts NULL. */
void generated_free(struct generated *g);

/** Number of ranks. */
uint32_t generated_ranks(const struct generated *g);

/** As trace_pairs(). */
uint64_t generated_pairs(const struct generated *g);

/** As trace_next(). */
enum status generated_next(struct generated *g, uint32_t rank, const struct action **a,
                           struct err *e);

/** Number of actions of @p rank given so far, marks included. */
uint64_t generated_line(const struct generated *g, uint32_t rank);

/** As trace_rewind(). */
void generated_rewind(struct generated *g);

/** As trace_fold(). */
void generated_fold(struct generated *g);

/** As trace_weight(). */
uint64_t generated_weight(const struct generated *g, uint32_t rank);

/** As trace_loop(). */
struct trace_loop generated_loop(const struct generated *g);

/** As trace_skip(). */
void generated_skip(struct generated *g, uint32_t rank, uint64_t to);

#endif

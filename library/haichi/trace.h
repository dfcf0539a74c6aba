/** @file trace.h
 *  The communication and computation of a parallel program.
 */
#ifndef HAICHI_TRACE_H
#define HAICHI_TRACE_H

#include <stdint.h>

#include <haichi/error.h>

struct haichi_trace;

/** Opens a trace file, folder or archive, or a generator such as "npb:cg.C.256" (`haichi list
 *  benchmarks`).  @p collectives names the MPI library whose choice of collective algorithms is
 *  followed (default, ompi, mpich, mvapich2, impi), or NULL for SMPI's.  Free *out with
 *  haichi_trace_free(). */
HAICHI_PUBLIC enum haichi_status haichi_trace_open(struct haichi_trace **out,
                                                   const char *spec_or_path,
                                                   const char *collectives, struct haichi_error *e);

/** Accepts NULL. */
HAICHI_PUBLIC void haichi_trace_free(struct haichi_trace *t);

/** Number of ranks, at least 1. */
HAICHI_PUBLIC uint32_t haichi_trace_ranks(const struct haichi_trace *t);

#endif

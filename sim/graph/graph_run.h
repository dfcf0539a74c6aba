/** @file graph_run.h
 *  The driver of programs that are dependency graphs (traces/graph/graph.h): GOAL, Chakra.  Starts
 *  each operation when its dependences allow it.  Each stream of a rank is an actor; operations of
 *  a stream do not overlap, except messages that do not hold their stream.  The counterpart of
 *  replay/replay.h, with the same options, results and errors.
 *
 *  Rules: a ready operation begins when its stream is free, first ready first.  A send ends when
 *  its transfer does, or at once if it is eager or below SMPI_DETACHED_BELOW bytes and does not
 *  hold its stream (struct graph_node); a receive ends with the transfer.  Both ends take effect
 *  when their stream does not compute.  Messages match as in a replay (replay/match.h).  A
 *  collective is the sequence of operations of its algorithm.
 *
 *  Memory: the graphs of all ranks, some 60 bytes for each operation and 4 for each dependence.
 */
#pragma once

#include "sim/replay/replay.h"
#include "traces/trace.h"

struct graph_run;

/** Reads the graphs of all ranks of @p t.  @p p, a program on @p t, lowers its collectives.  Both,
 *  the outputs that @p o names, and @p e, which receives errors of the run, must outlive it.
 *  @p host: by rank.  The caller frees *out with graph_run_free(). */
enum status graph_run_new(struct graph_run **out, struct trace *t, struct program *p,
                          const uint32_t *host, const struct replay_options *o, struct err *e);

/** Accepts NULL. */
void graph_run_free(struct graph_run *r);

/** The run as a driver.  Actor i below the number of ranks is stream 0 of rank i; the other streams
 *  follow. */
struct driver graph_run_driver(struct graph_run *r);

/** Counterparts of the functions of replay.h. */
enum status graph_run_finish(struct graph_run *r, struct err *e);
bool graph_run_failed(const struct graph_run *r);
const struct rank_result *graph_run_result(const struct graph_run *r, uint32_t rank);
void graph_run_print_blocked(const struct graph_run *r, uint32_t most, FILE *f);

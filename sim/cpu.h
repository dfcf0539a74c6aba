/** @file cpu.h
 *  Computations of ranks on hosts, and what else takes a rank a known time: when each ends.  Ranks
 *  that compute on one host share it equally, each at most one core's speed (CpuCas01 in
 *  src/surf/cpu_cas01.cpp of SimGrid 3.32).  Knows no MPI.
 */
#ifndef SIM_CPU_H
#define SIM_CPU_H

#include <stdint.h>

#include "common/err.h"
#include "sim/event_heap.h"

struct cpu_host {
  double speed;     /**< of a core, in flop/s */
  uint32_t cores;   /**< 1 or more */
  uint32_t running; /**< ranks that compute here: cpu.c's */
  uint32_t first;   /**< of them, + 1: cpu.c's */
};

struct cpu_task;

struct cpu {
  struct cpu_host *host; /**< filled by the caller after cpu_new(): speed and cores */
  struct event_heap end; /**< by rank: the date of its end; for the caller to read */
  struct cpu_task *task; /**< by rank */
};

/** Room for @p hosts hosts and @p ranks ranks.  @p c is the caller's: cpu_clear(). */
enum status cpu_new(struct cpu *c, uint32_t hosts, uint32_t ranks, struct err *e);

/** Accepts a zeroed one. */
void cpu_clear(struct cpu *c);

/** From date @p now on, @p rank, which does nothing else, computes @p flops on @p host; or
 *  sleeps. */
void cpu_compute(struct cpu *c, uint32_t rank, uint32_t host, double flops, double now);
void cpu_sleep(struct cpu *c, uint32_t rank, double seconds, double now);

/** What the rank does is over: O(ranks computing on its host). */
void cpu_end(struct cpu *c, uint32_t rank, double now);

#endif

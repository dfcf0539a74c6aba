/** @file cpu.h
 *  Computations of ranks on hosts, and what else takes a rank a known time: when each ends.  Ranks
 *  that compute on one host share it equally, each at most one core's speed (CpuCas01 in
 *  src/surf/cpu_cas01.cpp of SimGrid 3.32).  Knows no MPI.
 *
 *  What ends at exactly one date ends in SimGrid's order, that in which the ends were set (its heap
 *  is stable: Action.hpp).  They are set when all ranks have run that can: first those of sleeps,
 *  the last to begin first (CpuCas01::sleep), then those of computations, by host, in the order in
 *  which hosts had one begin or end (System::solve in src/kernel/lmm/System.cpp); of those on one
 *  host, the last to begin first.  (For SimGrid sleeps and waits of other ranks on a host are
 *  reasons to set its ends again; here they are not.)
 */
#ifndef SIM_FLOW_CPU_H
#define SIM_FLOW_CPU_H

#include <stdint.h>

#include "common/err.h"
#include "common/heap.h"

/** The order of setting ends: dates, then turns at one date. */
struct cpu_turn {
  uint64_t date; /**< number of the date */
  int32_t turn;  /**< < 0: of a sleep */
};

struct cpu_host {
  double speed;         /**< of a core, in flop/s */
  uint32_t cores;       /**< 1 or more */
  uint32_t running;     /**< ranks that compute here: cpu.c's */
  uint32_t first;       /**< of them, + 1: cpu.c's */
  struct cpu_turn turn; /**< of their ends: cpu.c's */
};

struct cpu_task;

struct cpu_ended {
  uint32_t rank;
  double date; /**< of the end: not after that which it counts for, or by less than the precision */
  struct cpu_turn turn;
  uint64_t begun; /**< number among the computations and sleeps */
};

struct cpu {
  struct cpu_host *host;   /**< filled by the caller after cpu_new(): speed and cores */
  struct heap end;         /**< by rank: the date of its end; for the caller to read */
  struct cpu_task *task;   /**< by rank */
  struct cpu_ended *ended; /**< by the last cpu_end(), in order; for the caller to read */
  uint64_t date, begun;    /**< number of the date; of computations and sleeps so far */
  int32_t touched, sleeps; /**< at this date: hosts that had a begin or end; sleeps begun */
};

/** Room for @p hosts hosts and @p ranks ranks.  @p c is the caller's: cpu_clear(). */
enum status cpu_new(struct cpu *c, uint32_t hosts, uint32_t ranks, struct err *e);

/** Accepts a zeroed one. */
void cpu_clear(struct cpu *c);

/** From date @p now on, @p rank, which does nothing else, computes @p flops on @p host; or
 *  sleeps. */
void cpu_compute(struct cpu *c, uint32_t rank, uint32_t host, double flops, double now);
void cpu_sleep(struct cpu *c, uint32_t rank, double seconds, double now);

/** Goes on to the date @p now: ends what ends less than @p precision later and returns how many
 *  ended[] has.  To be called once a date, also if nothing ends.
 *  O(ended log ended + ranks computing on their hosts). */
uint32_t cpu_end(struct cpu *c, double now, double precision);

#endif

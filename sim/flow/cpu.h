/** @file cpu.h
 *  Computations and sleeps of ranks, and when each ends.  Ranks that compute on one host share it
 *  equally, each at most at one core's speed (CpuCas01 in src/surf/cpu_cas01.cpp of SimGrid 3.32).
 *  Knows no MPI.
 *
 *  Ends at exactly one simulated time happen in SimGrid's order, in which it scheduled them (its
 *  heap is stable: Action.hpp).  It schedules ends after all ready ranks have run: first those of
 *  sleeps, the last begun first (CpuCas01::sleep); then those of computations, host by host in the
 *  order in which a computation began or ended there (System::solve in src/kernel/lmm/System.cpp),
 *  on one host the last begun first.  (SimGrid also schedules the ends on a host anew when another
 *  rank there sleeps or waits; that is not modelled.)
 */
#ifndef SIM_FLOW_CPU_H
#define SIM_FLOW_CPU_H

#include <stdint.h>

#include "common/err.h"
#include "common/heap.h"

/** Position in the order in which ends are scheduled: by date, then by turn. */
struct cpu_turn {
  uint64_t date; /**< number of the simulated time: counts cpu_end() */
  int32_t turn;  /**< negative for a sleep */
};

struct cpu_host {
  double speed;         /**< of a core, in flop/s */
  uint32_t cores;       /**< 1 or more */
  uint32_t running;     /**< ranks that compute here; from here on private to cpu.c */
  uint32_t first;       /**< first of these ranks, plus 1; 0: none */
  struct cpu_turn turn; /**< of their ends */
};

struct cpu_task;

struct cpu_ended {
  uint32_t rank;
  double date; /**< computed end in s, below cpu_end()'s now + precision */
  struct cpu_turn turn;
  uint64_t begun; /**< number of the computation or sleep, in order of beginning */
};

struct cpu {
  struct cpu_host *host;   /**< filled by the caller after cpu_new(): speed and cores */
  struct heap end;         /**< by rank: the end of its task in s; for the caller to read */
  struct cpu_task *task;   /**< by rank */
  struct cpu_ended *ended; /**< by the last cpu_end(), in order; for the caller to read */
  uint64_t date, begun;    /**< current cpu_turn.date; computations and sleeps begun so far */
  int32_t touched, sleeps; /**< at this date: hosts with a begin or end; sleeps begun */
};

/** For @p ranks idle ranks on @p hosts hosts.  On success @p c is the caller's: cpu_clear(). */
enum status cpu_new(struct cpu *c, uint32_t hosts, uint32_t ranks, struct err *e);

/** Accepts a zeroed one. */
void cpu_clear(struct cpu *c);

/** Lets @p rank, which is idle, compute @p flops on @p host or sleep for @p seconds, from simulated
 *  time @p now (s) on. */
void cpu_compute(struct cpu *c, uint32_t rank, uint32_t host, double flops, double now);
void cpu_sleep(struct cpu *c, uint32_t rank, double seconds, double now);

/** Ends the sleep of @p rank now; does nothing if it does not sleep. */
void cpu_end_sleep(struct cpu *c, uint32_t rank);

/** The flops that @p rank, which computes, has yet to do at simulated time @p now (s). */
double cpu_left(const struct cpu *c, uint32_t rank, double now);

/** Gives a host another speed of a core, in flop/s, 0 or more, from simulated time @p now (s) on
 *  (CpuCas01::on_speed_change). */
void cpu_set_speed(struct cpu *c, uint32_t host, double speed, double now);

/** Advances to simulated time @p now: ends all tasks that end before @p now + @p precision (s) and
 *  returns the length of ended[].  Must be called once for each event time, even if nothing ends.
 *  O(ended log ended + ranks computing on their hosts). */
uint32_t cpu_end(struct cpu *c, double now, double precision);

#endif

/** @file cpu.h
 *  Computations and sleeps of ranks, and the time when each ends.  Ranks that compute on one host
 *  share it equally, each at most at the speed of one core (CpuCas01 in src/surf/cpu_cas01.cpp of
 *  SimGrid 3.32).  Knows no MPI.
 *
 *  Tasks with exactly the same end time end in the order in which SimGrid scheduled their ends,
 *  since its heap is stable (Action.hpp).  SimGrid schedules ends after all ready ranks have run:
 *  first sleeps, the last begun first (CpuCas01::sleep); then computations, host by host in the
 *  order in which a computation began or ended there (System::solve in src/kernel/lmm/System.cpp),
 *  and on each host the last begun first.  (SimGrid also reschedules the ends on a host when
 *  another rank there sleeps or waits; that is not modelled.)
 */
#pragma once

#include <stdint.h>

#include "common/containers/heap.h"
#include "common/err.h"

/** Position in the order in which ends are scheduled: by date, then by turn. */
struct cpu_turn {
  uint64_t date; /**< number of the simulated time: calls of cpu_end() so far */
  int32_t turn;  /**< negative for a sleep */
};

struct cpu_host {
  double speed;         /**< of a core, in flop/s */
  uint32_t cores;       /**< 1 or more */
  uint32_t running;     /**< ranks that compute here; this and the next fields are private to
                             cpu.c */
  uint32_t first;       /**< first of these ranks, plus 1; 0: none */
  struct cpu_turn turn; /**< scheduling position of the ends of these ranks */
  double even;          /**< speed of each of these ranks in flop/s, without effects */
};

struct cpu_task;
struct effects;

/** A computation. */
struct cpu_work {
  double flops;
  double traffic; /**< bytes of memory traffic per flop; counts with the effect `memory` */
};

struct cpu_ended {
  uint32_t rank;
  double date; /**< computed end in s, before now + precision of cpu_end() */
  struct cpu_turn turn;
  uint64_t begun; /**< serial number of the computation or sleep */
};

struct cpu {
  const struct effects *effects; /**< set by the caller after cpu_new(); NULL: none */
  struct cpu_host *host;         /**< the caller sets speed and cores after cpu_new() */
  struct heap end;               /**< by rank: end of its task in s; the caller may read it */
  struct cpu_task *task;         /**< by rank */
  struct cpu_ended *ended; /**< tasks ended by the last cpu_end(), in order; the caller may read
                                it */
  uint64_t date, begun;    /**< current cpu_turn.date; computations and sleeps begun so far */
  int32_t touched, sleeps; /**< at this date: hosts where a computation began or ended; sleeps
                                begun */
};

/** Makes @p ranks idle ranks on @p hosts hosts.  The caller frees @p c with cpu_clear(). */
enum status cpu_new(struct cpu *c, uint32_t hosts, uint32_t ranks, struct err *e);

/** Accepts a zeroed struct. */
void cpu_clear(struct cpu *c);

/** Starts a computation on @p host, or a sleep of @p seconds, at simulated time @p now (s).
 *  @p rank must be idle. */
void cpu_compute(struct cpu *c, uint32_t rank, uint32_t host, struct cpu_work w, double now);
void cpu_sleep(struct cpu *c, uint32_t rank, double seconds, double now);

/** Ends the sleep of @p rank now; does nothing if the rank is not asleep. */
void cpu_end_sleep(struct cpu *c, uint32_t rank);

/** Flops left at simulated time @p now (s) of the computation of @p rank. */
double cpu_left(const struct cpu *c, uint32_t rank, double now);

/** Sets the speed of one core of a host, in flop/s, 0 or more, from simulated time @p now (s) on
 *  (CpuCas01::on_speed_change). */
void cpu_set_speed(struct cpu *c, uint32_t host, double speed, double now);

/** Advances to simulated time @p now: ends all tasks that end before @p now + @p precision (s) and
 *  returns the length of ended[].  Must be called once for each event time, even if nothing ends.
 *  O(ended log ranks); on hosts whose ranks share cores, or slow each other by an effect, O(ranks
 *  computing there) more for each end. */
uint32_t cpu_end(struct cpu *c, double now, double precision);

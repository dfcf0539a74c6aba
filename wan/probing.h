/** @file probing.h
 *  Simulates how MC-MPI obtains the RTT matrix (2.1, figure 1), and how long that takes.  All
 *  processes run at once.  Each of them measures RTTs one after the other.  It estimates further
 *  RTTs from the RTTs reported by the measured processes.
 *
 *  To measure its RTT to process r, process p connects to r (1 RTT), pings r, then sends a request
 *  and receives the RTTs that r knows when the request arrives and p does not (1 RTT).  The request
 *  carries the measured RTT and the RTTs that p knows, from which r learns in the same way: a
 *  connection opened from behind a firewall serves both sides.  r answers at once.  The RTTs in a
 * request are taken when it arrives.  The size of a message, at most some KB, adds no time to the
 * latency.  Events come from a queue rather than an engine of sim/: no transfers share bandwidth.
 *
 *  If a firewall blocks the connection, p waits for the timeout, measures no RTT and does not try r
 *  again.  It learns the RTT only if another process reports it during the wait, or if r measures
 *  p.  At the end, entries d_pr of the matrix that are still missing are copied from d_rp.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "wan/processes.h"

/** Bytes of one RTT in a message: the process and the RTT. */
#define PROBING_ENTRY_BYTES 12

struct probing_input {
  const struct processes *processes;
  double alpha; /**< 1 or more; if RTTs p-r and r-q differ by a larger factor, the larger one is the
                   estimate of p-q */
  uint64_t timeout_ps; /**< wait for a connection that a firewall blocks */
  uint32_t pings;      /**< number per measurement, 1 or more */
  bool one_sided; /**< follow figure 1 to the letter: r learns nothing from a measurement by p */
  uint64_t seed;
};

/** Relative errors |estimate - RTT| / RTT of a set of estimates. */
struct probing_errors {
  uint64_t count;
  double mean, most;
};

struct probing_figures {
  uint64_t measured;    /**< connections that were measured */
  uint64_t timeouts;    /**< connection attempts that a firewall blocked */
  uint64_t bytes;       /**< PROBING_ENTRY_BYTES for each RTT listed in a request or an answer */
  uint64_t filled;      /**< matrix entries copied from the opposite entry at the end */
  uint64_t unknown;     /**< matrix entries that neither side knows; set to the timeout */
  double time_s;        /**< end of the last process */
  double mean_time_s;   /**< mean end over the processes */
  double round_trips_s; /**< mean time of a process without its waits for timeouts */
  /** Errors of estimates from two measured RTTs, where the true RTTs of p, q and r obey the
   *  triangle inequality (direct) or violate it (crooked), and of estimates from estimates
   *  (chained). */
  struct probing_errors direct, crooked, chained;
  uint32_t longest_chain; /**< maximum depth of an estimate */
};

/** Empty if zeroed. */
struct probing {
  uint32_t n;
  uint64_t *rtt_ps; /**< d_pq at p * n + q; owned */
  uint32_t *depth; /**< by pair; 0: measured; d + 1: estimated from an RTT of depth d; PROBING_NONE:
                      unknown; owned */
  struct probing_figures figures;
};

#define PROBING_NONE UINT32_MAX

/** Process p draws from random stream (seed, p).  Free with probing_clear().  Time: O(n) for each
 *  measurement; memory: O(n^2). */
enum status probing_run(struct probing *out, const struct probing_input *in, struct err *e);

/** Prints a tab-separated table with the columns "from to rtt_s true_rtt_s chain": one row for each
 *  ordered pair of different processes.  The chain is the depth of the RTT, 0 if measured, or "-"
 * if unknown, in which case rtt_s is copied from the opposite entry or is the timeout.  The caller
 *  checks @p f for write errors. */
void probing_print(const struct probing *x, const struct processes *p, FILE *f);

/** Accepts a zeroed struct. */
void probing_clear(struct probing *x);

/** @file probing.h
 *  The RTT matrix as MC-MPI obtains it (2.1, figure 1), simulated with its time: all processes
 *  at once, each of them measures RTTs one after the other and estimates the others from what
 *  those tell that it has measured.
 *
 *  To measure, p connects to r (1 RTT), pings it, then sends a request and receives the RTTs
 *  that r knows when the request arrives and p does not (1 RTT).  The request carries the RTT
 *  and what p knows, so that r learns as p does: a connection that a process behind a firewall
 *  opens serves both.  Requests are answered at once, and the bytes, at most some KB a message,
 *  take no time beside the latency; an engine of sim/ would find no load to share out, so dates
 *  come from a queue.
 *
 *  Where a firewall blocks p, it waits for the timeout, which yields no RTT: p does not try r
 *  again.  It takes what it is told of r, or what r measures, and at the end d_rp of the matrix
 *  for d_pr.
 */
#ifndef WAN_PROBING_H
#define WAN_PROBING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "wan/processes.h"

/** Bytes of one RTT in an answer: the process and the RTT. */
#define PROBING_ENTRY_BYTES 12

struct probing_input {
  const struct processes *processes;
  double alpha;        /**< 1 or more: RTTs of a larger ratio than this count as far apart */
  uint64_t timeout_ps; /**< of a connection that a firewall blocks */
  uint32_t pings;      /**< of a measurement, 1 or more */
  bool one_sided;      /**< figure 1 to the letter: r learns nothing from what p measures */
  uint64_t seed;
};

/** Relative errors |estimate - RTT| / RTT of some estimates. */
struct probing_errors {
  uint64_t count;
  double mean, most;
};

struct probing_figures {
  uint64_t measured;    /**< connections that were measured */
  uint64_t timeouts;    /**< tries that a firewall blocked */
  uint64_t bytes;       /**< of RTTs in answers */
  uint64_t filled;      /**< entries of the matrix taken from the other side's at the end */
  uint64_t unknown;     /**< entries that neither side knows: the timeout stands for them */
  double time_s;        /**< when the last process has ended */
  double mean_time_s;   /**< mean over the processes */
  double round_trips_s; /**< mean over the processes of the time without timeouts */
  /** Of entries estimated from two measured RTTs, where the true ones of p, q and r obey the
   *  triangle inequality and where they do not, and of estimates that use estimates. */
  struct probing_errors direct, crooked, chained;
  uint32_t longest_chain; /**< estimates one upon the other */
};

/** Zeroed: empty. */
struct probing {
  uint32_t n;
  uint64_t *rtt_ps; /**< d_pq at p * n + q; owned */
  uint32_t *depth;  /**< 0: measured; else 1 more than that of the RTT that it was estimated from;
                         PROBING_NONE: unknown; owned */
  struct probing_figures figures;
};

#define PROBING_NONE UINT32_MAX

/** Process p draws from random stream (seed, p).  The caller's: probing_clear().  Time: O(n) for
 *  each measurement; memory: O(n^2). */
enum status probing_run(struct probing *out, const struct probing_input *in, struct err *e);

/** Prints "from to rtt_s true_rtt_s chain", tab-separated, a row for each ordered pair of
 *  different processes; chain is how many estimates stand upon each other, 0 for a measured
 *  RTT, "-" where the RTT was not learned (taken from the other side, or the timeout).  The
 *  caller checks @p f for write errors. */
void probing_print(const struct probing *x, const struct processes *p, FILE *f);

/** Accepts a zeroed one. */
void probing_clear(struct probing *x);

#endif

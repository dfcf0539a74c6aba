/** @file connectivity.h
 *  How probable it is that firewalls leave the bounding graph disconnected: a simulation of many
 *  graphs (MC-MPI, 5.3), of mcmpi with uniform traffic.
 */
#ifndef WAN_CONNECTIVITY_H
#define WAN_CONNECTIVITY_H

#include <stdint.h>

#include "common/err.h"
#include "wan/processes.h"

struct connectivity_input {
  const struct processes *processes;
  uint32_t beta; /**< as in bounding.h, 1 or more */
  uint64_t seed;
  uint64_t graphs;  /**< 1 or more */
  uint32_t threads; /**< 0: OpenMP's choice; changes no result */
};

struct connectivity {
  uint64_t graphs, disconnected;
  double probability; /**< disconnected / graphs */
  double low, high;   /**< Wilson's 95 % interval of the probability (JASA 22, 1927) */
  /** Exact probability that some cluster that takes no connections opens none either, which is less
   *  than that of a disconnected graph by those that fall apart otherwise; NAN where processes of
   *  such a cluster have others of one RTT both inside and outside of their reach. */
  double cut_off;
};

/** Draws graph g from random stream (seed, g), and of it only what decides (draws.h).  About 300
 *  draws for a graph of 256 processes. */
enum status connectivity_run(struct connectivity *out, const struct connectivity_input *in,
                             struct err *e);

#endif

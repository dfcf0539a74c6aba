/** @file connectivity.h
 *  Estimates the probability that firewalls leave the bounding graph disconnected.  Draws many
 *  graphs (MC-MPI, 5.3) of method mcmpi with uniform traffic.
 */
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "wan/processes.h"

struct connectivity_input {
  const struct processes *processes;
  uint32_t beta; /**< as in bounding.h, 1 or more */
  uint64_t seed;
  uint64_t graphs;  /**< 1 or more */
  uint32_t threads; /**< 0: OpenMP's default; does not change the result */
};

struct connectivity {
  uint64_t graphs, disconnected;
  double probability; /**< disconnected / graphs */
  double low, high;   /**< Wilson's 95 % interval of the probability (JASA 22, 1927) */
  /** Exact probability that at least one cluster behind a firewall opens no connection to another
   *  cluster, which disconnects the graph: a lower bound of the probability above.  0 if there is
   *  one cluster.  NAN if a process of a closed cluster can connect to some, but not all, of a
   * group of other processes of equal RTT. */
  double cut_off_probability;
};

/** Draws graph g from random stream (seed, g).  Of the selections of a graph, draws only the ones
 *  needed to decide whether the graph is connected (draws.h). */
enum status connectivity_run(struct connectivity *out, const struct connectivity_input *in,
                             struct err *e);

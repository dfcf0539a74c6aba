/** @file bounding.h
 *  The bounding graph of MC-MPI (Saito, Taura, IPSJ Trans. ACS 2007, 3.3): each process selects a
 *  few others, many near ones and few far ones, and tries to open a connection to each; what no
 *  firewall blocks is the graph.  Connections open later only along its edges.
 */
#ifndef WAN_BOUNDING_H
#define WAN_BOUNDING_H

#include <stdint.h>

#include "common/err.h"
#include "common/registry.h"
#include "common/rng.h"
#include "traces/matrix/matrix.h"
#include "wan/adjacency.h"
#include "wan/processes.h"

/** How processes select: "mcmpi" by RTT and traffic, "random" as many, but uniformly among all
 *  others, "all" all of them. */
struct bounding_method {
  const char *name;
  const char *help; /**< one line */
};

extern const struct bounding_method bounding_mcmpi, bounding_random, bounding_all;

/** Of struct bounding_method. */
extern const struct registry bounding_methods;

struct bounding_input {
  const struct processes *processes;
  const uint64_t *rtt_ps; /**< estimated RTTs, as those of the processes; NULL: the true ones */
  const struct matrix *traffic;         /**< messages between processes, not dense; NULL: uniform */
  const struct bounding_method *method; /**< NULL: mcmpi */
  uint32_t beta;                        /**< density, 1 or more */
  uint64_t seed;
};

/** Zeroed: empty. */
struct bounding {
  struct adjacency graph;    /**< the connections that could be opened */
  uint64_t selected;         /**< by all processes; each selection is tried */
  uint64_t selected_between; /**< of those, between clusters */
  uint64_t selected_pairs;   /**< unordered pairs of which one side, or both, selected the other */
  uint64_t blocked;          /**< tries that a firewall blocked */
};

/** Draws the graph.  With mcmpi, process p has the others in the order of their RTTs, q_1, q_2,
 *  ..., equal ones in a random order; it selects q_1 to q_(beta-1), and of each block
 *  q_(2^(j-1) beta) to q_(2^j beta - 1) beta processes, of a last block that is not whole in
 *  proportion to its size (bounding_blocks()), one after the other, each with a probability in
 *  proportion to the messages that p sends to it; uniformly among those to which it sends none
 *  once no other is left.  Process p draws from random stream (seed, p).  @p out is the
 *  caller's: bounding_clear().  O(n^2 log n). */
enum status bounding_new(struct bounding *out, const struct bounding_input *in, struct err *e);

/** Accepts a zeroed one. */
void bounding_clear(struct bounding *b);

/** A block of the order of the others: q_first to q_(end-1), counted from 1. */
struct bounding_block {
  uint32_t first, end;
  uint32_t whole;      /**< selections of this block */
  uint32_t part, unit; /**< one more with probability part / unit < 1 */
};

/** The most blocks of a process, that of the beta - 1 nearest included. */
enum { BOUNDING_BLOCKS = 33 };

/** Writes the blocks of n processes, that of the beta - 1 nearest first, and returns their number.
 */
uint32_t bounding_blocks(struct bounding_block block[BOUNDING_BLOCKS], uint32_t n, uint32_t beta);

#endif

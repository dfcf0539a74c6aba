/** @file bounding.h
 *  The bounding graph of MC-MPI (Saito, Taura, IPSJ Trans. ACS 2007, 3.3): each process selects a
 *  few other processes, many near and few far ones, and tries to open a connection to each.  The
 *  graph consists of the connections that no firewall blocks.  Later connections are opened only
 *  along its edges.
 */
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "common/registry.h"
#include "traces/matrix/matrix.h"
#include "wan/adjacency.h"
#include "wan/processes.h"

/** Selection methods: "mcmpi" selects by RTT and traffic; "random" selects the same number on
 *  average, uniformly among all other processes; "all" selects all of them. */
struct bounding_method {
  const char *name;
};

extern const struct bounding_method bounding_mcmpi, bounding_random, bounding_all;

/** All methods, as struct bounding_method. */
extern const struct registry bounding_methods;

struct bounding_input {
  const struct processes *processes;
  const uint64_t *rtt_ps;       /**< estimates, indexed like processes->rtt_ps; NULL: true RTTs */
  const struct matrix *traffic; /**< between processes, not a dense matrix; NULL: uniform */
  const struct bounding_method *method; /**< NULL: mcmpi */
  uint32_t beta;                        /**< density: selections per block, 1 or more */
  uint64_t seed;
};

/** Empty if zeroed. */
struct bounding {
  struct adjacency graph;    /**< the connections that could be opened */
  uint64_t selected;         /**< selections of all processes; each is tried */
  uint64_t selected_between; /**< selections between clusters */
  uint64_t selected_pairs;   /**< unordered pairs of which at least one side selected the other */
  uint64_t blocked;          /**< tries that a firewall blocked */
};

/** Draws the graph.  With mcmpi, process p sorts the others by RTT into q_1, q_2, ..., ties in
 *  random order.  It selects q_1 to q_(beta-1), and beta processes of each block q_(2^(j-1) beta)
 *  to q_(2^j beta - 1); an incomplete last block gives a number in proportion to its size
 *  (bounding_blocks()).  Within a block, p draws one selection after the other: with probabilities
 *  in proportion to the messages that p sends to each process, and uniformly once all processes
 *  with messages are selected.  Process p draws from random stream (seed, p).  Free with
 *  bounding_clear().  O(n^2 log n); with traffic O(n^2 (beta + log n)). */
enum status bounding_new(struct bounding *out, const struct bounding_input *in, struct err *e);

/** Accepts a zeroed struct. */
void bounding_clear(struct bounding *b);

/** A block of the RTT order of the other processes: q_first to q_(end-1), counted from 1. */
struct bounding_block {
  uint32_t first, end;
  uint32_t whole;      /**< selections from this block */
  uint32_t part, unit; /**< one more selection with probability part / unit < 1 */
};

/** Maximum number of blocks of a process, including the block of the beta - 1 nearest. */
enum { BOUNDING_BLOCKS = 32 };

/** Writes the blocks of @p n processes, starting with the block of the beta - 1 nearest, and
 *  returns their number. */
uint32_t bounding_blocks(struct bounding_block block[BOUNDING_BLOCKS], uint32_t n, uint32_t beta);

/** @file cores.h
 *  Assigns the ranks of each node to its cores (platforms/inside/inside.h), after a mapper has
 *  assigned them to nodes.
 *
 *  The objective is the sum of the times that the messages within nodes take alone: bytes divided
 *  by the bandwidth of the lowest common level, plus bytes divided by the memory bandwidth of each
 *  object that the message crosses.  The cores of a node are halved along its levels, and its ranks
 *  are halved with them by cuts of their graph.  Then ranks are exchanged as long as an exchange
 *  improves the objective, by annealing, and again as long as an exchange improves it.  Equal
 *  objects are sorted by their lowest ranks, so that nodes with equal traffic get equal cores.
 */
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "platforms/inside/inside.h"
#include "platforms/mapping/mapping.h"
#include "traces/matrix/matrix.h"

/** How ranks take the cores of their node. */
enum cores_choice {
  CORES_EACH, /**< each node by its own traffic */
  CORES_SAME, /**< the i-th rank of each node on the same core, by the traffic summed over the
                   nodes: srun and mpiexec bind the ranks of all nodes by one list of cores */
  CORES_ORDER /**< in the order of the ranks */
};

/** The names of the choices; NULL ends the list. */
extern const char *const cores_choices[];

struct cores_request {
  const struct inside *inside;
  const struct mapping *nodes;  /**< by rank: its node */
  const struct matrix *traffic; /**< NULL: CORES_ORDER */
  enum cores_choice choice;
  uint32_t threads; /**< 0: the default of OpenMP; does not change the result */
};

/** Writes the core of each rank to @p core.  If a node has n ranks, each of its cores takes at most
 *  ceil(n / cores).  O(n^2 log n * degree of a rank) for each node with n ranks. */
enum status cores_assign(const struct cores_request *q, uint32_t *core, struct err *e);

/** Moves the highest ranks off cores with more than @p each ranks, each rank to the nearest core of
 *  its node with fewer than @p each.  No node may have more than @p each * cores ranks.  Adds the
 *  number of moved ranks to *moved. */
enum status cores_repair(const struct inside *in, const struct mapping *nodes, uint32_t each,
                         uint32_t *core, uint32_t *moved, struct err *e);

/** The objective for the ranks on their cores, in s. */
double cores_seconds(const struct cores_request *q, const uint32_t *core);

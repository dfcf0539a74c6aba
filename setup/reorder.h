/** @file reorder.h
 *  Exchanges the ranks of processes that already run on hosts, so that ranks that communicate are
 *  near each other.  No process moves.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "platforms/platform.h"
#include "traces/matrix/matrix.h"

struct reorder_request {
  const struct platform *platform; /**< not opaque */
  const struct matrix *traffic;    /**< of at most `processes` ranks */
  const uint32_t *host;            /**< host of each process; if nodes have an inside, its core */
  uint32_t processes;              /**< rank r is process r at first */
  const char *mapper; /**< a spec of a mapper that needs no trace; NULL: auto; for more than 1024
                         ranks auto:choose=quick; on grids auto:choose=hopbytes if its mapping is
                         near the optimum */
  uint32_t threads;   /**< 0: the default of OpenMP; does not change the result */
};

/** The traffic of the ranks on their hosts (mappers/metrics.h, mappers/estimate.h). */
struct reorder_cost {
  uint64_t hop_bytes;
  uint64_t max_link_load_bytes;
  double max_link_load_s;
  double estimated_time_s;
};

struct reorder_result {
  struct reorder_cost before, after;
  bool moved; /**< false: ranks keep their processes, because the order found lowers neither the
                 estimated time nor, at equal time, the load of the most loaded link by enough */
};

/** Writes the process of each rank to @p process, a permutation of all processes; ranks without
 *  traffic take the remaining processes in order.  A rank that stays on its host keeps its process,
 *  unless nodes have an inside.  If several processes share a core, the inside of nodes is ignored.
 *  Equal inputs give equal permutations.  Time: one or two mappings, and an estimate of each and of
 *  the first order; on nodes with an inside also two searches by exchanges of cores. */
enum status reorder_find(const struct reorder_request *q, uint32_t *process,
                         struct reorder_result *out, struct err *e);

/** Where a process runs: the name of its machine, with or without a domain, and the processing
 *  units to which it is bound.  Bit i % 64 of unit[i / 64] is set for unit i, as the operating
 *  system numbers it.  No words: the units are unknown. */
struct reorder_process {
  const char *machine;
  const uint64_t *unit;
  uint32_t words;
};

/** Finds the hosts of @p n processes.  If nodes have an inside, process i is bound to a core if it
 *  is bound to the first processing unit of the core, and host[i] is a free core to which process i
 *  is bound; processes bound to few cores choose first.  If no such core is free, host[i] is the
 *  next free core of the node, or any core if all are taken. Fails if the platform lacks a machine.
 *  O(n * cores of a node). */
enum status reorder_locate(uint32_t *host, const struct platform *p,
                           const struct reorder_process *process, uint32_t n, struct err *e);

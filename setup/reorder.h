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
  const uint32_t *host;            /**< by process: its host; of nodes with an inside, its core */
  uint32_t processes;              /**< rank r is process r at first */
  const char *mapper; /**< a spec of a mapper that needs no trace; NULL: auto, above 1024 processes
                           auto:choose=quick, on grids auto:choose=hopbytes if near the optimum */
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
  bool moved; /**< false: no order was found with a lower estimated time, or with equal time and a
                  lower load of the most loaded link: ranks stay */
};

/** Writes the process of each rank to @p process, a permutation of all processes; ranks without
 *  traffic take the remaining processes in order.  Ranks on one host keep their processes as far
 *  as possible.  If several processes share a core, nodes have no inside.  Equal inputs give equal
 *  permutations.  Time: one mapping and two estimates. */
enum status reorder_find(const struct reorder_request *q, uint32_t *process,
                         struct reorder_result *out, struct err *e);

/** A process, by the name of its machine, with or without a domain, and the processing units to
 *  which it is bound: bit i % 64 of unit[i / 64] is the one that the operating system numbers i.
 *  No words: unknown. */
struct reorder_process {
  const char *machine;
  const uint64_t *unit;
  uint32_t words;
};

/** Finds the hosts of @p n processes.  On nodes with an inside, host[i] is a core whose first
 *  processing unit is one of the process, as far as such cores are free: processes with few of them
 *  choose first.  Other processes get the next free core of their node, or any core if none is
 * free. Fails if the platform lacks a machine.  Time: n times the cores of a node. */
enum status reorder_locate(uint32_t *host, const struct platform *p,
                           const struct reorder_process *process, uint32_t n, struct err *e);

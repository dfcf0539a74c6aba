/** @file mapper.h
 *  Mappers: algorithms that place ranks on hosts.
 */
#ifndef HAICHI_MAPPER_H
#define HAICHI_MAPPER_H

#include <stddef.h>
#include <stdint.h>

#include <haichi/mapping.h>
#include <haichi/traffic.h>

/** Options of haichi_map().  Zeroed: the defaults. */
struct haichi_map_options {
  uint32_t ranks_per_host; /**< maximum number of ranks on a host; 0: 1 */
  uint32_t threads;        /**< at most 1024 are used; 0: the default of OpenMP; 1 is used if there
                                is a trace; does not change the result */
  struct haichi_trace *trace; /**< for mappers that simulate; if NULL, auto uses estimated times
                                   instead, and tune fails */
  const char *hosts; /**< the hosts that ranks may use, a list as `haichi map --hosts` takes it,
                        such as "nid[001-064,070]"; NULL: all */
};

/** Places the ranks of @p traffic with the mapper of a spec such as "auto" or
 *  "greedy:refine=work:1000" (`haichi list mappers`).  Equal inputs give equal mappings.  Free *out
 *  with haichi_mapping_free(). */
HAICHI_PUBLIC enum haichi_status haichi_map(struct haichi_mapping **out, const char *spec,
                                            const struct haichi_platform *p,
                                            const struct haichi_traffic *traffic,
                                            const struct haichi_map_options *o,
                                            struct haichi_error *e);

/** The traffic of ranks on their hosts (haichi/metrics.h), and the time of one exchange of all its
 *  messages, estimated from link loads and latencies. */
struct haichi_cost {
  uint64_t hop_bytes;
  uint64_t max_link_load_bytes;
  double max_link_load_s;
  double estimated_time_s;
};

struct haichi_reordering {
  struct haichi_cost before, after;
  int moved; /**< 1: ranks move.  0: ranks stay, because no order was found with an estimated time
                lower by more than 5 %, or with no higher time and hop-bytes and a load of the most
                loaded link lower by more than 10 % */
};

/** Processes that already run, and the traffic of their ranks. */
struct haichi_reorder_request {
  const struct haichi_platform *platform;
  const struct haichi_traffic *traffic; /**< of at most `processes` ranks */
  const uint32_t *host; /**< by process: its host; of nodes with an inside, its core */
  uint32_t processes;   /**< process i has rank i at first */
  const char *mapper;   /**< a spec of a mapper that needs no trace; NULL: "auto", for more than
                              1,024 ranks "auto:choose=quick", or on grids "auto:choose=hopbytes"
                              if that is near the optimum */
  uint32_t
      threads; /**< at most 1024 are used; 0: the default of OpenMP; does not change the result */
};

/** Exchanges the ranks of the processes.  Writes to process[r] the process that becomes rank r, a
 *  permutation of all processes.  Equal inputs give equal permutations. */
HAICHI_PUBLIC enum haichi_status haichi_reorder(uint32_t *process, struct haichi_reordering *out,
                                                const struct haichi_reorder_request *q,
                                                struct haichi_error *e);

/** Where a process runs. */
struct haichi_process {
  const char *machine;  /**< its name, with or without a domain */
  const uint64_t *unit; /**< the processing units to which it is bound: bit i % 64 of unit[i / 64]
                             is the one that the operating system numbers i */
  uint32_t words;       /**< of `unit`; 0: unknown */
};

/** Finds the hosts of @p n processes by the names of their machines, for haichi_reorder().  On
 *  nodes with an inside, host[i] is a free core to whose first processing unit the process is
 *  bound, if such a core exists; processes bound to few cores choose first.  Other processes get
 *  the next free core of their node, or any core if none is free.  Fails if the platform lacks a
 *  machine. */
HAICHI_PUBLIC enum haichi_status haichi_locate(uint32_t *host, const struct haichi_platform *p,
                                               const struct haichi_process *process, uint32_t n,
                                               struct haichi_error *e);

/** Name of mapper @p i and its one-line description; NULL past the last. */
HAICHI_PUBLIC const char *haichi_mapper_name(size_t i);
HAICHI_PUBLIC const char *haichi_mapper_help(size_t i);

#endif

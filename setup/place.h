/** @file place.h
 *  Turns the argument of --mapping into a mapping: reads a file or runs a mapper.
 */
#pragma once

#include <stdint.h>

#include "platforms/mapping/allocation.h"
#include "platforms/mapping/mapping.h"
#include "setup/inputs.h"
#include "sim/sim.h"

struct place {
  const char *mapping;                 /**< a file or a mapper spec */
  const struct allocation_list *hosts; /**< the hosts that ranks may use; NULL: all */
  const uint32_t *slot; /**< in place of `hosts`, for mappers only: the node of each slot, a host of
                           platform_nodes(); NULL: not given */
  uint32_t slots;
  uint32_t ranks_per_host; /**< 0: not given */
  uint32_t ranks;
  uint32_t threads; /**< for the mapper; 0: OpenMP's choice; does not change the result */
  const struct matrix *traffic; /**< for mappers that need it; NULL: the traffic of `trace` */
  uint32_t *moved; /**< NULL, or output: number of ranks that the mapper had to move (mapper.h) */
  struct input_trace *trace; /**< used by mappers that simulate, and by mappers that need traffic if
                                `traffic` is NULL */
  const struct sim_options *options; /**< options of simulations by mappers, and the overlay; NULL:
                                        mappers that simulate are refused */
  const struct platform *cored;      /**< private to place.c, with `core` and `order` */
  uint32_t *core;
  const struct mapping *order;
};

/** Maps the ranks to hosts of @p p.  If nodes have an inside, a mapper maps to nodes, and the ranks
 *  of each node take its cores (mappers/inside/cores.h).  If the messages of `trace` depend on the
 *  ranks that share a host, mappers get the messages of ranks in order on the slots.  A mapping
 *  from a file may put any number of ranks on a host, unless ranks_per_host is given, which is then
 *  the maximum; it may use only hosts of the list.  On success, free *out with mapping_clear(). */
enum status place_ranks(const struct place *a, const struct platform *p, struct mapping *out,
                        struct err *e);

/** Estimates the time of the program under mapping @p m (mappers/estimate.h).  The platform must
 * not be opaque; `options` and `traffic` are needed. */
enum status place_estimate(const struct place *a, const struct platform *p, const struct mapping *m,
                           double *time_s, struct err *e);

/** Exchanges the hosts of ranks to lower the estimated time (mappers/refine/timing.h); hosts that
 * no rank has stay free.  At most one rank per host.  The platform must not be opaque; `options`
 * and `traffic` are needed.  O(ranks * degree), limited to 2^17 exchanges. */
enum status place_exchange(const struct place *a, const struct platform *p, struct mapping *m,
                           struct err *e);

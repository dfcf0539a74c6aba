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
  uint32_t ranks_per_host;    /**< maximum number of ranks on a host; 0: 1 */
  uint32_t threads;           /**< 0: the default of OpenMP; 1 is used if there is a trace; does
                                   not change the result */
  struct haichi_trace *trace; /**< for mappers that simulate; NULL: auto estimates, tune fails */
  const char *hosts; /**< the hosts that ranks may use, a list as `haichi map --hosts` takes it,
                        such as "nid[001-064,070]"; NULL: all */
};

/** Places the ranks of @p traffic with the mapper of a spec such as "auto" or "greedy:refine=swap"
 *  (`haichi list mappers`).  Equal inputs give equal mappings.  Free *out with
 *  haichi_mapping_free(). */
HAICHI_PUBLIC enum haichi_status haichi_map(struct haichi_mapping **out, const char *spec,
                                            const struct haichi_platform *p,
                                            const struct haichi_traffic *traffic,
                                            const struct haichi_map_options *o,
                                            struct haichi_error *e);

/** Name of mapper @p i and its one-line description; NULL past the last. */
HAICHI_PUBLIC const char *haichi_mapper_name(size_t i);
HAICHI_PUBLIC const char *haichi_mapper_help(size_t i);

#endif

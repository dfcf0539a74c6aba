/** @file place.h
 *  Turns the argument of --mapping into a mapping: reads a file or runs a mapper.
 */
#ifndef CAMPAIGN_PLACE_H
#define CAMPAIGN_PLACE_H

#include <stdint.h>

#include "campaign/inputs.h"
#include "platforms/mapping/mapping.h"
#include "sim/sim.h"

struct place {
  const char *mapping;     /**< a file or a mapper spec */
  uint32_t ranks_per_host; /**< 0: not given */
  uint32_t ranks;
  uint32_t threads; /**< for the mapper; 0: OpenMP's choice; does not change the result */
  const struct matrix *traffic; /**< for mappers that need it; NULL: that of `trace` */
  uint32_t *moved; /**< NULL, or where to leave how many ranks the mapper had to move (mapper.h) */
  struct input_trace *trace; /**< used only if `traffic` is NULL and the mapper needs it, and by
                                  mappers that simulate */
  const struct sim_options *options; /**< how these simulate, and what connects the ranks; NULL:
                                          mappers that simulate are refused */
};

/** A mapping from a file may put any number of ranks on a host; if ranks_per_host is given, a
 *  larger number is refused.  On success *out is the caller's: mapping_clear(). */
enum status place_ranks(const struct place *a, const struct platform *p, struct mapping *out,
                        struct err *e);

#endif

/** @file place.h
 *  A --mapping argument made into a mapping: a file is read, a mapper spec is run.
 */
#ifndef CAMPAIGN_PLACE_H
#define CAMPAIGN_PLACE_H

#include <stdint.h>

#include "campaign/inputs.h"
#include "platforms/mapping/mapping.h"

struct place {
  const char *mapping;     /**< a file or a mapper spec */
  uint32_t ranks_per_host; /**< 0: not given */
  uint32_t ranks;
  uint32_t threads;             /**< of a mapper; 0: OpenMP's choice; changes no result */
  const struct matrix *traffic; /**< for mappers that look at it; NULL: the trace's */
  struct input_trace *trace;    /**< asked if there is no traffic and the mapper looks at it */
};

/** A file says itself how many ranks a host takes; ranks_per_host then only checks it.  The
 *  mapping is the caller's: mapping_clear(). */
enum status place_ranks(const struct place *a, const struct platform *p, struct mapping *out,
                        struct err *e);

#endif

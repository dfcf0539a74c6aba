/** @file place.h
 *  A --mapping argument made into a mapping: a file is read, a mapper spec is run.
 */
#ifndef CLI_PLACE_H
#define CLI_PLACE_H

#include <stdint.h>

#include "cli/cli.h"
#include "traces/matrix.h"

struct place {
  const char *mapping;     /**< a file or a mapper spec */
  uint32_t ranks_per_host; /**< 0: not given */
  uint32_t ranks;
  uint32_t threads;             /**< of a mapper; 0: OpenMP's choice; changes no result */
  const struct matrix *traffic; /**< for mappers that look at it; NULL: read from the trace */
  const char *trace;            /**< read as `reading` says, if there is no traffic */
  const struct cli_reading *reading;
};

/** A file says itself how many ranks a host takes; ranks_per_host then only checks it.  The
 *  mapping is the caller's: mapping_clear(). */
enum status place_ranks(const struct place *a, const struct platform *p, struct mapping *out,
                        struct err *e);

#endif

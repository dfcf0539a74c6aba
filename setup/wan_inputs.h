/** @file wan_inputs.h
 *  Inputs of the commands for wide-area platforms: the platform, the traffic, and the processes
 *  (wan/processes.h) placed on hosts.
 */
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "setup/inputs.h"
#include "traces/matrix/load.h"
#include "wan/processes.h"

/** Where the processes are, and the traffic between them.  NULL and 0: not given. */
struct wan_place {
  const char *platform;
  const char *trace, *matrix; /**< traffic: one of them, or none */
  const char *mapping;        /**< a file or a mapper spec */
  uint32_t processes;
  uint32_t random_rtt; /**< number of processes of processes_random(), in place of a platform */
  uint64_t seed;       /**< of processes_random() */
  const struct reading *reading;
  struct matrix_reading matrix_reading; /**< of `matrix` */
};

/** Empty if zeroed. */
struct wan_inputs {
  struct platform *platform; /**< NULL: random RTTs */
  struct input_trace trace;
  struct matrix own;            /**< private: holds the traffic of `matrix` */
  const struct matrix *traffic; /**< NULL: uniform */
  struct mapping mapping;
  uint32_t moved; /**< ranks that the mapper had to move (mapper.h) */
  struct processes processes;
};

/** Reads the inputs and places the processes.  @p a and its texts must outlive *in.  Free *in with
 *  wan_inputs_clear(), also after a failure. */
enum status wan_inputs_read(struct wan_inputs *in, const struct wan_place *a, struct err *e);

void wan_inputs_clear(struct wan_inputs *in);

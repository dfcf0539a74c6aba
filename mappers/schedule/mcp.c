/* MCP (Wu, Gajski 1990): elements by rising latest start (ALAP) in a schedule as long as the
 * critical path, each on the host where it starts first, as published for equal hosts; of several
 * hosts, where it ends first.  ALAP = critical path - upward rank.  Ties of ALAP go to the lower
 * number.  The published MCP compares the lists of the ALAPs of all descendants, which takes
 * quadratic space. */
#include "mappers/schedule/eft.h"

static enum status schedule_latest(const struct scheduler_input *in,
                                   const struct scheduler_values *values, uint32_t *host,
                                   uint32_t *order, struct err *e)
{
  (void)values; /* it has no options */
  return eft_run(in, true, host, order, e);
}

static const struct scheduler_option OPTIONS[] = {{.name = NULL}};

const struct scheduler schedule_mcp = {
    .name = "mcp",
    .help = "by latest start times, each where it starts first (Wu, Gajski)",
    .options = OPTIONS,
    .run = schedule_latest,
};

/* MCP (Wu, Gajski 1990): takes elements by rising latest start (ALAP) in a schedule as long as the
 * critical path, and places each on the host where it starts first, as published for equal hosts;
 * ties: where it ends first.  ALAP = critical path - upward rank.  Ties of ALAP go to the lower
 * number.  The published MCP compares the lists of the ALAPs of all descendants, which takes
 * quadratic space. */
#include "mappers/schedule/eft.h"

const struct scheduler schedule_mcp = {
    .name = "mcp",
    .help = "by latest start times, each task where it starts first (Wu, Gajski)",
    .variant = EFT_BY_START,
    .run = eft_run,
};

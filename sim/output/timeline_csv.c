/* One line for each interval, written at its end. */
#include <inttypes.h>

#include "sim/output/timeline.h"

static void begin(FILE *f, const char *what, uint32_t ranks)
{
  (void)ranks;
  fprintf(f, "%s,start_s,end_s,state\n", what);
}

static void change(FILE *f, const struct timeline_change *c)
{
  if (c->from != NULL)
    fprintf(f, "%" PRIu32 ",%.12g,%.12g,%s\n", c->rank, c->since, c->at, c->from);
}

static void end(FILE *f)
{
  (void)f;
}

const struct timeline_format timeline_csv = {
    .name = "csv",
    .help = "rank,start_s,end_s,state",
    .endings = {".csv"},
    .begin = begin,
    .change = change,
    .end = end,
};

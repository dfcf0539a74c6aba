/* One line for each interval, written at its end. */
#include <inttypes.h>

#include "sim/output/timeline.h"

static void begin(FILE *f, const struct timeline_rows *rows)
{
  fprintf(f, "%s,start_s,end_s,state\n", rows->what);
}

static void change(FILE *f, const struct timeline_change *c)
{
  if (c->from == NULL)
    return;
  if (c->name != NULL)
    fprintf(f, "%s,%.12g,%.12g,%s\n", c->name, c->since, c->at, c->from);
  else
    fprintf(f, "%" PRIu32 ",%.12g,%.12g,%s\n", c->rank, c->since, c->at, c->from);
}

static void end(FILE *f)
{
  (void)f;
}

const struct timeline_format timeline_csv = {
    .name = "csv",
    .endings = {".csv"},
    .begin = begin,
    .change = change,
    .end = end,
};
